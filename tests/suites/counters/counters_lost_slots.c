/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fixed counters 4 and 5 count slots that are lost: those of instructions that never retire, and
 * those for which the front end had none (F21.12). A loop that is foreseen may lose none, branches
 * at random do. Do these counters count, overflow, interrupt and freeze as all others? And does
 * each fixed counter of slots count what a general-purpose one does with the same event?
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"

#define BRANCHES 400

static uint64_t count_lost(struct test_context *t, struct counting *counting,
                           struct counter counter)
{
    *counting = (struct counting){.workload = &workload_counted_random, .iterations = BRANCHES};
    counting_add(counting, counter, PMU_EVENT_COUNT)->flags = COUNTER_OS;
    return counting_measure(t, counting);
}

static size_t run_watched(struct test_context *t, struct counting *counting, unsigned flags,
                          uint64_t debugctl)
{
    size_t interrupts;

    counting->items[0].flags = COUNTER_OS | flags;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    debugctl_write_safe(debugctl);
    counting_run(t, counting);
    debugctl_clear();
    interrupts = pmi_watch_wait(flags & COUNTER_PMI ? 1 : 0);
    pmi_watch_stop();
    return interrupts;
}

static bool can_freeze(void)
{
    return feature_present(FEATURE_PERFMON4) &&
           debugctl_enumerated() & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

/* Frozen a quarter of the way: what is counted from there on is no second half. */
static void check_freeze(struct test_context *t, struct counting *counting, uint64_t counted)
{
    uint64_t bit = pmu_global_bit(counting->items[0].counter);

    run_watched(t, counting, COUNTER_PMI, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS with FREEZE_PERFMON_ON_PMI", counting->status,
                bit | PERF_GLOBAL_STATUS_CTR_FRZ);
    EXPECT(t, COUNT_HIGH, counting_counted(&counting->items[0]) < counted / 4 * 3,
           "counts %lu although it froze after %lu, of %lu in all",
           counting_counted(&counting->items[0]), counted / 4, counted);
}

/* In ring 3, where nothing runs; and with its bit of IA32_PERF_GLOBAL_CTRL clear. */
static void check_off(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_random, .iterations = BRANCHES};

    counting_add(&counting, counter, PMU_EVENT_COUNT)->flags = COUNTER_USR;
    counting_run(t, &counting);
    EXPECT_EQUAL(t, COUNT_HIGH, "slots of ring 3, of a program in ring 0",
                 counting_counted(&counting.items[0]), 0);
    pmu_reset();
    pmu_program(counter, PMU_EVENT_COUNT, COUNTER_OS);
    counting_run_workload(&counting);
    EXPECT_EQUAL(t, COUNT_HIGH, "slots counted with its bit of IA32_PERF_GLOBAL_CTRL clear",
                 pmu_read(counter), 0);
    pmu_reset();
}

static void check_lost(struct test_context *t, struct counter counter)
{
    struct counting counting;
    uint64_t counted = count_lost(t, &counting, counter), bit = pmu_global_bit(counter);

    test_breaks_too(t, "PM-1");
    if (!EXPECT(t, COUNT_LOW, counted >= BRANCHES / 4, "counts %lu in %u branches at random",
                counted, BRANCHES))
        return;
    check_off(t, counter);
    counting.items[0].start = -(counted / 4) & pmu_counter_mask(counter);
    EXPECT_COUNT(t, PMI, "interrupts without the PMI bit", run_watched(t, &counting, 0, 0), 0);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS without the PMI bit", counting.status, bit);
    EXPECT_COUNT(t, PMI, "interrupts", run_watched(t, &counting, COUNTER_PMI, 0), 1);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, bit);
    if (can_freeze())
        check_freeze(t, &counting, counted);
}

static bool exists(unsigned number)
{
    return pmu_counter_exists((struct counter){.fixed = true, .number = number});
}

TEST_UNLESS(counters, lost_slots_are_counted, CLAIMS("PM-1", "FRZ-10"), NEEDS(PERFMON2, PMI),
            !exists(4) && !exists(5), "CPUID: no fixed counters 4 and 5")
{
    for (unsigned i = 4; i <= 5; i++) {
        if (!exists(i))
            continue;
        check_lost(t, (struct counter){.fixed = true, .number = i});
        counting_end();
    }
}

/* --- the same event, counted twice --- */

static const enum pmu_event fixed_events[] = {
    [3] = PMU_SLOTS, [4] = PMU_BAD_SPECULATION, [5] = PMU_FRONTEND_BOUND, [6] = PMU_RETIRING};

static bool can_be_compared(unsigned number)
{
    return exists(number) && pmu_event_available(fixed_events[number]);
}

static unsigned count_comparable(void)
{
    unsigned count = 0;

    for (unsigned i = 3; i < COUNT_OF(fixed_events); i++)
        count += can_be_compared(i);
    return count;
}

/* Started and stopped by one write each; a few cycles more of one than of the other are legal. */
static void compare(struct test_context *t, unsigned number)
{
    struct counting counting = {.workload = &workload_counted_random, .iterations = BRANCHES};
    uint64_t by_fixed, by_general;

    counting_add(&counting, (struct counter){.fixed = true, .number = number}, PMU_EVENT_COUNT);
    counting_add(&counting, (struct counter){.number = pmu_general_from(0)}, fixed_events[number]);
    counting_run(t, &counting);
    by_fixed = counting_counted(&counting.items[0]);
    by_general = counting_counted(&counting.items[1]);
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, by_fixed, by_general - by_general / 8,
                   by_general + by_general / 8 + 64,
                   "fixed counter %u counts %lu, a general-purpose one %lu %s", number, by_fixed,
                   by_general, pmu_event_name(fixed_events[number]));
}

TEST_UNLESS(counters, slots_of_fixed_and_general_counters_agree, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !count_comparable(),
            "no fixed counter of slots whose event is enumerated for the others")
{
    for (unsigned i = 3; i < COUNT_OF(fixed_events); i++)
        if (can_be_compared(i)) {
            compare(t, i);
            counting_end();
        }
}
