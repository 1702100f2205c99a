/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each row of Table 17-6 hold for every kind of transfer: what the rows that store nothing
 * leave is nothing, whatever branches, traps or faults, and under the rows that interrupt each kind
 * is able to be the record that reaches the threshold?
 */
#include "arch/cpu/identity/features.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/mode.h"
#include "tests/run/entry_points.h"
#include "tests/run/run.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/bts_check.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"

#define RECORDS 16

static const struct {
    const char *name;
    workload_list first, end;
    enum feature needs[2];
    bool goes_on; /* an interrupt in the middle changes nothing of it */
} lists[] = {
#define LIST(name, goes_on, ...)                                                                   \
    {                                                                                              \
#name, name, name##_end, {__VA_ARGS__ }, goes_on                                           \
    }
    LIST(single_branches, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(near_kinds, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(far_transfers, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(software_interrupts, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(sysenter_transfers, true, FEATURE_SYSCALL, FEATURE_SEP),
    LIST(faults, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(page_boundaries, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(compat_transfers, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(compat_sysenter, true, FEATURE_SYSCALL, FEATURE_SEP),
    LIST(inner_rings, true, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(debug_exceptions, false, FEATURE_SYSCALL, FEATURE_SYSCALL),
    LIST(transactions, false, FEATURE_SYSCALL, FEATURE_RTM),
#undef LIST
};

static bool is_here(size_t list)
{
    return feature_present(lists[list].needs[0]) && feature_present(lists[list].needs[1]);
}

/* --- the rows that store nothing --- */

/* Returns whether the processor took the value. */
static bool run_bracket(const struct workload *workload, uint64_t debugctl)
{
    struct bracket bracket = {.entry = workload->entry};

    bracket_set_debugctl(&bracket, debugctl);
    entry_points_set(workload);
    bracket_run(&bracket);
    entry_points_reset(workload);
    return !bracket.refused;
}

/* The index stands at the threshold already: it is a record that interrupts, and none comes. */
static bool leaves_nothing(struct test_context *t, const struct workload *workload,
                           uint64_t debugctl)
{
    if (workload->flags & WORKLOAD_INT1 && !transfer_is_possible(t, workload))
        return true;
    if (!expect_debugctl_taken(t, workload, debugctl) || !run_bracket(workload, debugctl))
        return false;
    return EXPECT(t, RECORD_EXTRA, bts_index() == 0, "%zu records stored of %s", bts_index(),
                  workload->name);
}

/* Bits that are no business of the table. BTF does nothing without TF (F9.1), which only what takes
 * debug exceptions sets. */
#define BESIDE ((uint64_t)(DEBUGCTL_LBR | DEBUGCTL_BTF))

static bool list_leaves_nothing(struct test_context *t, size_t list, uint64_t debugctl)
{
    bool held = true;

    for (workload_list at = lists[list].first; held && at < lists[list].end; at++) {
        held = leaves_nothing(t, *at, debugctl);
        if (held && lists[list].goes_on)
            held = leaves_nothing(t, *at, debugctl | (BESIDE & debugctl_enumerated()));
    }
    return held;
}

static void check_nothing_stored(struct test_context *t, uint64_t debugctl)
{
    static struct pmi_event event;
    struct pmi_log log = {
        .policy = PMI_COUNT, .armed = PMI_CAUSE_BTS, .events = &event, .event_capacity = 1};
    const struct bts_layout layout = {.records = RECORDS, .threshold = 0};
    bool held = expect_programmed(t, bts_prepare(&layout));

    if (!held)
        return;
    pmi_start(&log);
    for (size_t i = 0; held && i < COUNT_OF(lists); i++)
        held = !is_here(i) || list_leaves_nothing(t, i, debugctl);
    EXPECT_COUNT(t, PMI, "interrupts", run_wait(&log, 0), 0);
    pmi_stop();
    expect_no_stray_write(t, 0);
}

/* Counted as the table reads: TR is the highest bit. */
static uint64_t setting(unsigned number)
{
    return (number & 16 ? DEBUGCTL_TR : 0) | (number & 8 ? DEBUGCTL_BTS : 0) |
           (number & 4 ? DEBUGCTL_BTS_OFF_OS : 0) | (number & 2 ? DEBUGCTL_BTS_OFF_USR : 0) |
           (number & 1 ? DEBUGCTL_BTINT : 0);
}

#define SETTINGS 32u
#define OFF_BITS ((uint64_t)(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR))

static bool stores_nothing(uint64_t debugctl, bool with_off_bits)
{
    return !mode_row_of(debugctl)->stores && !!(debugctl & OFF_BITS) == with_off_bits;
}

static void check_settings(struct test_context *t, bool with_off_bits)
{
    TEST_EACH_WHERE(t, number, 0u, SETTINGS, stores_nothing(setting(number), with_off_bits),
                    mode_row_of(setting(number))->claim,
                    "tr%u_bts%u_bts_off_os%u_bts_off_usr%u_btint%u", number >> 4 & 1,
                    number >> 3 & 1, number >> 2 & 1, number >> 1 & 1, number & 1)
        check_nothing_stored(t, setting(number));
}

TEST(table17_6, transfers_that_are_not_stored, CLAIMS("T17-6.1", "T17-6.2"),
     NEEDS(BTS, PMI, SYSCALL))
{
    check_settings(t, false);
}

TEST(table17_6, transfers_that_are_not_stored_with_cpl_bits,
     CLAIMS("T17-6.1", "T17-6.2", "T17-6.6"), NEEDS(BTS, DS_CPL, PMI, SYSCALL))
{
    check_settings(t, true);
}

/* --- the rows that interrupt --- */

#define EACH_MOST 8u /* records of a workload of which each is tried */

/* Each of a few records is the one that reaches the threshold; of more, another one with each
 * workload and repetition. The last threshold is one more than there are records. */
static bool check_threshold(struct test_context *t, const struct workload *workload,
                            uint64_t debugctl, size_t number)
{
    const struct program *program = program_of_workload(workload);
    size_t stored = bts_check_stored(t, program, debugctl);
    bool each = stored <= EACH_MOST && !(debugctl & BESIDE);
    size_t first = each ? 0 : (number + test_repetition(t)) % (stored + 1);
    size_t last = each ? stored : first;

    for (size_t ahead = first; ahead <= last; ahead++)
        if (!transfer_check_threshold(t, program, debugctl, false, 1 + ahead)) {
            test_note(t, "that was %s", workload->name);
            return false;
        }
    return true;
}

static void check_thresholds(struct test_context *t, uint64_t debugctl)
{
    bool held = true;
    size_t number = 0;

    test_breaks_too(t, "BTS-1");
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (workload_list at = lists[i].first; at < lists[i].end; at++)
            if (held && is_here(i) && lists[i].goes_on)
                held = check_threshold(t, *at, debugctl, number++);
}

static const struct {
    const char *name;
    uint64_t bits;
} besides[] = {{"alone", 0}, {"beside_lbr", DEBUGCTL_LBR}, {"beside_btf", DEBUGCTL_BTF}};

TEST(table17_6, transfers_that_interrupt, CLAIMS("T17-6.7", "BTS-5", "BTS-1"),
     NEEDS(BTS, PMI, SYSCALL))
{
    TEST_EACH(t, beside, besides, "T17-6.7", "%s", beside->name) {
        if (beside->bits & DEBUGCTL_LBR && lbr_is_undefined_with_tr())
            test_skip(t, "LBR and TR are not possible together on this core (F2.8)");
        else if (beside->bits & ~debugctl_enumerated())
            test_skip(t, "%s",
                      beside->bits & debugctl_not_lent()
                          ? "this hypervisor does not lend the bit"
                          : "CPUID.07H.0:EDX[19] = 1: IA32_DEBUGCTL[0] does nothing");
        else
            check_thresholds(t, DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | beside->bits);
    }
}

TEST(table17_6, transfers_of_one_ring_that_interrupt,
     CLAIMS("T17-6.8", "T17-6.9", "BTS-5", "BTS-1"), NEEDS(BTS, DS_CPL, PMI, SYSCALL))
{
    const uint64_t off_bits[] = {DEBUGCTL_BTS_OFF_OS, DEBUGCTL_BTS_OFF_USR};

    TEST_EACH(t, off, off_bits,
              mode_row_of(DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | *off)->claim, "bts_off_%s",
              *off == DEBUGCTL_BTS_OFF_OS ? "os" : "usr")
        check_thresholds(t, DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | *off);
}

/* A branch that is not stored does not interrupt either, though the index stands at the threshold.
 * Ring 0 alone, so that no transfer is open. */
TEST(table17_6, index_at_the_threshold_and_nothing_stored, CLAIMS("T17-6.8", "BTS-5"),
     NEEDS(BTS, DS_CPL, PMI))
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | DEBUGCTL_BTS_OFF_OS,
        .layout = {.records = RECORDS, .threshold = RECORDS / 2},
        .first = RECORDS / 2,
        .policy = PMI_COUNT,
    };

    observe_run(t, program_of_workload(&workload_near_branches), &run);
}
