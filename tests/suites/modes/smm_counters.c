/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FRZ-14, the counters: under FREEZE_WHILE_SMM none counts what the SMI handler does, and
 * IA32_PERF_GLOBAL_CTRL is back after RSM. With the bit clear nothing of the program's own is lost.
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/run/smi_run.h"
#include "tests/run/smi_watch.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/counts.h"
#include "tests/workloads/kinds/smi.h"

#define SMM_BIT ((uint64_t)DEBUGCTL_FREEZE_WHILE_SMM)

static const struct {
    const char *name;
    enum pmu_event event;
    unsigned flags;
} settings[] = {
    {"instructions", PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_USR},
    {"branches", PMU_BRANCHES, COUNTER_OS | COUNTER_USR},
    {"instructions_cpl3", PMU_INSTRUCTIONS, COUNTER_USR}, /* the program has none; a handler may */
    {"cycles", PMU_CORE_CYCLES, COUNTER_OS | COUNTER_USR},
    {"reference_cycles", PMU_REFERENCE_CYCLES, COUNTER_OS | COUNTER_USR},
};

#define SETTINGS COUNT_OF(settings)
#define EXACT    3 /* of them: their truth is known */

static struct counting counting;

/* Every counter that can count it, all at once. False after a test_skip(). */
static bool choose(struct test_context *t, size_t setting)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(settings[setting].event, counters);

    counting = (struct counting){.workload = &workload_counted_smi, .iterations = SMI_ROUNDS};
    for (unsigned i = 0; i < count; i++)
        counting_add(&counting, counters[i], settings[setting].event)->flags =
            settings[setting].flags;
    if (!count)
        test_skip(t, "CPUID.0AH:EBX = %#x: no counter of %s",
                  trace_features()->perfmon.events_unavailable,
                  pmu_event_name(settings[setting].event));
    return count;
}

static void keep_counts(uint64_t *counts)
{
    for (unsigned i = 0; i < counting.count; i++)
        counts[i] = counting_counted(&counting.items[i]);
}

static uint64_t truth_of(size_t setting)
{
    return counting_truth(&counting, settings[setting].event, settings[setting].flags);
}

static void expect_counts(struct test_context *t, size_t setting, uint64_t least, uint64_t most)
{
    unsigned under = (settings[setting].event == PMU_INSTRUCTIONS ? UNDER(INSTRUCTIONS) : 0) |
                     (settings[setting].flags & COUNTER_OS ? 0 : UNDER(FILTERED));
    char name[16], what[80];

    for (unsigned i = 0; i < counting.count; i++) {
        const struct counting_item *item = &counting.items[i];

        pmu_counter_name(item->counter, name, sizeof name);
        format_string(what, sizeof what, "%s by %s around %u SMIs", pmu_event_name(item->event),
                      name, SMI_ROUNDS);
        counts_between(t, what, counting_counted(item), least, most,
                       under | counting_circumstances(item->counter));
    }
}

/* Cycles have no truth, so runs are compared: of what SMIs add to a run without them, the freeze
 * must take away a quarter or more. What is left is the way into the handler and back, which may
 * count. Needs a handler that takes as long as the program. */
static void check_frozen_cycles(struct test_context *t)
{
    static uint64_t without[PMU_COUNTERS_MAX], with[PMU_COUNTERS_MAX];

    counting_run(t, &counting);
    keep_counts(without);
    if (!smi_counting_run(t, &counting, 0))
        return;
    keep_counts(with);
    if (!smi_counting_run(t, &counting, SMM_BIT))
        return;
    for (unsigned i = 0; i < counting.count; i++)
        EXPECT(t, COUNT_HIGH,
               with[i] < 2 * without[i] ||
                   counting_counted(&counting.items[i]) <= without[i] / 4 + with[i] / 4 * 3,
               "counter %u of %u: %lu cycles around %u SMIs under the freeze, %lu without it, %lu "
               "without SMIs",
               i + 1, counting.count, counting_counted(&counting.items[i]), SMI_ROUNDS, with[i],
               without[i]);
}

static void check_frozen(struct test_context *t, size_t setting)
{
    if (setting >= EXACT) {
        check_frozen_cycles(t);
        return;
    }
    uint64_t slack = COUNT_SLACK + SMI_ROUNDS * SMI_COUNT_SLACK, truth = truth_of(setting);

    if (smi_counting_run(t, &counting, SMM_BIT))
        expect_counts(t, setting, truth > slack ? truth - slack : 0, truth + slack);
}

/* That the handler counts here is what makes its absence above worth something (F10.3). */
static void check_not_frozen(struct test_context *t, size_t setting)
{
    uint64_t slack = COUNT_SLACK + SMI_ROUNDS * SMI_COUNT_SLACK, truth = truth_of(setting);

    if (!smi_counting_run(t, &counting, 0))
        return;
    expect_counts(t, setting, truth > slack ? truth - slack : 0, UINT64_MAX);
    if (settings[setting].flags & COUNTER_OS)
        choice_learn(t, CHOICE_SMM_COUNTS,
                     counting_counted(&counting.items[0]) > truth + slack ? VALUE_YES : VALUE_NO,
                     settings[setting].event);
}

static void check_each(struct test_context *t, size_t count,
                       void (*check)(struct test_context *t, size_t setting))
{
    if (!smi_test_begin(t))
        return;
    TEST_NUMBERS(t, i, 0, count, "FRZ-14", "%s", settings[i].name) {
        if (choose(t, i))
            check(t, i);
        counting_end();
    }
    smi_test_end();
}

TEST(smm, counters_stand_still_under_the_freeze, CLAIMS("FRZ-14"),
     NEEDS(PERFMON2, FREEZE_WHILE_SMM))
{
    check_each(t, SETTINGS, check_frozen);
}

TEST(smm, counters_lose_nothing_without_the_freeze, CLAIMS("FRZ-14"), NEEDS(PERFMON2))
{
    check_each(t, EXACT, check_not_frozen);
}

/*
 * D 14: the manual says that RSM sets the enables to 1, and seems to mean that it restores them. A
 * value with some of them shows which, and the processor is held to it.
 */
static bool hold_enables(struct test_context *t, uint64_t before, uint64_t after)
{
    bool restored = after == before, all = !(pmu_all_counters() & ~after);

    if (choice_of(CHOICE_RSM_ENABLES) == VALUE_UNKNOWN && restored != all)
        choice_learn(t, CHOICE_RSM_ENABLES, restored ? VALUE_RESTORED : VALUE_ALL);
    return EXPECT(t, MSR_VALUE, choice_of(CHOICE_RSM_ENABLES) == VALUE_ALL ? all : restored,
                  "IA32_PERF_GLOBAL_CTRL was %#lx before the SMI and is %#lx after it", before,
                  after);
}

static void check_enables(struct test_context *t, uint64_t enabled)
{
    struct bracket bracket = {
        .on = enabled,
        .entry = workload_counted_smi.entry,
        .argument = 1,
        .hold_off_interrupts = true,
        .msr = IA32_PERF_GLOBAL_CTRL,
    };

    pmu_reset(); /* no event is selected: nothing counts, whatever is enabled */
    debugctl_write_safe(SMM_BIT);
    smi_begin();
    bracket_run(&bracket);
    debugctl_write_safe(0);
    if (smi_end(t))
        hold_enables(t, enabled, pmu_ours(bracket.found));
}

TEST(smm, counter_enables_come_back, CLAIMS("FRZ-14"), NEEDS(PERFMON2, FREEZE_WHILE_SMM))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    char name[16];

    if (!smi_test_begin(t))
        return;
    test_plan(t, count + 2);
    for (unsigned i = 0; i < count; i++) {
        pmu_counter_name(counters[i], name, sizeof name);
        test_begin(t, "FRZ-14", "%s", name);
        check_enables(t, pmu_global_bit(counters[i]));
        test_end(t);
    }
    test_begin(t, "FRZ-14", "all");
    check_enables(t, pmu_all_counters());
    test_end(t);
    test_begin(t, "FRZ-14", "none");
    check_enables(t, 0);
    test_end(t);
    smi_test_end();
}
