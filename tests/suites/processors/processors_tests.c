/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does every processor do what the one that booted does? Each of the others, which INIT met in the
 * middle of everything and a start-up message brought up again, runs tests of the other suites,
 * body and oracle unchanged (ISR-4).
 *
 * The list leaves out what takes long. Repetitions after the first (repeat=N) take the tests of all
 * suites instead, a few each, in the order of the log.
 */
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/run/busy_processor.h"
#include "tests/run/other_processor.h"

#define LIST_MAX 200
#define SLICE    10 /* tests in a repetition */
#define WHY_SIZE 160

static const char *const chosen[] = {
    "probe.*",
    "table17_6.encodings",
    "table17_6.btint_changes*",
    "circular.laps",
    "circular.absolute_maximum_plus_one",
    "threshold.fires_*",
    "threshold.comes_*",
    "threshold.held_off_while_the_buffer_fills",
    "threshold.masked_lvt_brings_no_interrupt",
    "threshold.full_buffer_keeps_the_ds_area",
    "threshold.above_the_maximum_full_brings_none",
    "geometry.across_4_gib",
    "ring3.records_*",
    "arch_lbr.depth_clears_every_entry",
    "arch_pebs.each_counter_samples",
    "branch_step.stops_in_both_rings",
    "branch_step.deliveries",
    "branch_step.nothing_without_trap_flag",
    "branch_step.cleared_by_the_exception",
    "branch_step.with_tr_bts_lbr",
    "counters.a*",
    "counters.count_branches",
    "counters.stand_still_when_disabled",
    "counters.counter_freeze_set_by_software",
    "counters.in_use_*",
    "counters.status_*",
    "counters.overflows_*",
    "counters.clearing_*",
    "counters.interrupt_when_told",
    "counters.interrupt_once_for_overflows_at_once",
    "counters.masked_lvt_brings_no_interrupt",
    "counters.pending_interrupt_keeps_its_vector",
    "counters.interrupt_as_nmi",
    "counters.blocks_*",
    "counters.full_width_alias",
    "counters.rdpmc_in_ring_3",
    "counters.reload_value_*",
    "freeze.by_an_overflow_*",
    "freeze.by_the_overflow_while_interrupts_are_held_off",
    "freeze.by_the_pebs_threshold_of_the_other_counters",
    "isr.every_combination_of_causes",
    "isr.causes_as_they_come*",
    "isr.interrupts_asked_for_during_service",
    "lbr.records_*",
    "lbr.select_*",
    "lbr.keeps_the_newest_of_whole_programs",
    "lbr.goes_on_where_it_stopped",
    "lbr_debug.*",
    "ler.last_branch_before_an_exception",
    "ler.last_branch_before_an_interrupt",
    "ler.branches_leave_it_alone",
    "ler.exceptions_while_lbr_is_clear",
    "pebs.next_event_stores_the_record",
    "pebs.disabled_stores_nothing",
    "pebs.record_clears_the_overflow_bit",
    "pebs.no_interrupt_without_threshold",
    "pebs.several_counters_sample_at_once",
    "pebs.other_counters_are_untouched",
    "pebs.each_*",
    "pebs.events_that_are_not_precise",
    "pebs.rings",
    "placement.*",
    "transfers.software_interrupts_in_*",
    "transfers.far_transfers_in_lbr",
    "transfers.faults_in_lbr",
    "transfers.inner_rings_in_*",
};

/* Their event meets every processor, or is the lab's. */
static const char *const not_elsewhere[] = {"smm", "machine_check"};

struct list {
    const struct test *test[LIST_MAX];
    unsigned count;
};

static bool starts_processors(const struct test *test)
{
    const enum feature *need = test->needs;

    while (*need != FEATURE_COUNT && *need != FEATURE_SECOND_PROCESSOR)
        need++;
    return *need == FEATURE_SECOND_PROCESSOR;
}

static bool runs_elsewhere(const struct test *test)
{
    for (size_t i = 0; i < COUNT_OF(not_elsewhere); i++)
        if (strcmp(test->suite, not_elsewhere[i]) == 0)
            return false;
    return !test->only_when_named && !starts_processors(test);
}

static bool is_chosen(const struct test *test, bool used[COUNT_OF(chosen)])
{
    char name[TEST_NAME_SIZE];
    bool matches = false;

    test_full_name(test, name);
    for (size_t i = 0; i < COUNT_OF(chosen); i++) {
        if (!glob_match(chosen[i], name))
            continue;
        used[i] = matches = true;
    }
    return matches;
}

static void list_chosen(struct test_context *t, struct list *list)
{
    bool used[COUNT_OF(chosen)] = {false};
    const struct test *test;

    for (size_t i = 0; list->count < LIST_MAX && (test = test_number(i)); i++)
        if (runs_elsewhere(test) && is_chosen(test, used))
            list->test[list->count++] = test;
    for (size_t i = 0; i < COUNT_OF(chosen); i++)
        if (!used[i])
            test_fail(t, "no test that runs elsewhere is %s", chosen[i]);
}

static void list_slice(struct list *list, uint64_t number)
{
    size_t passed = 0;
    const struct test *test;

    for (size_t i = 0; list->count < SLICE && (test = test_number(i)); i++)
        if (runs_elsewhere(test) && passed++ >= number * SLICE)
            list->test[list->count++] = test;
}

/* How many from first on are of the same suite: they are one subtest. */
static unsigned group_at(const struct list *list, unsigned first)
{
    unsigned size = 0;

    while (first + size < list->count &&
           test_same_suite(list->test[first + size], list->test[first]))
        size++;
    return size;
}

static unsigned groups_of(const struct list *list)
{
    unsigned groups = 0;

    for (unsigned first = 0; first < list->count; first += group_at(list, first))
        groups++;
    return groups;
}

/* Returns whether it ran; if not, why. */
static bool run_test(struct test_context *t, unsigned index, const struct test *test, char *why)
{
    const char *reason;

    if (other_lacks(index, test, why, WHY_SIZE))
        return false;
    reason = other_run_test(t, index, test);
    if (reason)
        format_string(why, WHY_SIZE, "%s", reason);
    return !reason;
}

/* It is late on a slow processor, or on one on which tests wait for what does not come. */
static void run_group(struct test_context *t, unsigned index, struct list *list, unsigned first)
{
    char why[WHY_SIZE] = "";
    unsigned i, ran = 0, end = first + group_at(list, first);

    for (i = first; i < end && list->test[i] && !test_is_late(); i++) {
        if (!processor_is_started(index) && !busy_processor_start(t, index))
            return;
        ran += run_test(t, index, list->test[i], why);
    }
    if (!ran)
        test_skip(t, "%s", why);
    else if (i < end)
        test_observe(t, "%u of the tests had no time left", end - i);
}

static void run_list(struct test_context *t, unsigned index, struct list *list)
{
    for (unsigned first = 0; first < list->count; first += group_at(list, first)) {
        test_begin(t, "ISR-4", "processor_%u_%s", index, list->test[first]->suite);
        if (test_is_late())
            test_skip(t, "those before it took all the time");
        else
            run_group(t, index, list, first);
        test_end(t);
    }
    other_stop(t, index);
}

TEST(processors, do_what_the_first_does, CLAIMS("ISR-4"), NEEDS(SECOND_PROCESSOR))
{
    static struct list list;

    list = (struct list){.count = 0};
    if (test_repetition(t))
        list_slice(&list, test_repetition(t) - 1);
    else
        list_chosen(t, &list);
    test_plan(t, groups_of(&list) * (processor_count() - 1));
    for (unsigned index = 1; index < processor_count(); index++) {
        test_time_anew();
        run_list(t, index, &list);
    }
}
