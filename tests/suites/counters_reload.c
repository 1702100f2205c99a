/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Auto counter reload (F21.9, F21.15): the overflow of one counter puts another, or itself, back to
 * its reload value. Does each that CPUID.23H tells of, of each that it tells of, and of no other?
 */
#include "arch/trace/pmu_blocks.h"
#include "arch/lib/printf.h"
#include "kernel/test.h"
#include "tests/run/counting.h"
#include "tests/run/undisturbed.h"

#define ITERATIONS 200
#define RELOADED   0x40000000u /* far from overflow */

/* Which counts, and which overflows half way. */
struct pair {
    struct counter reloaded, by;
    uint64_t mask; /* what the first one's CFG_B says */
};

static enum pmu_event event_of(struct counter counter)
{
    return counter.fixed ? pmu_fixed_event(counter.number) : PMU_INSTRUCTIONS;
}

static bool is_one(struct counter a, struct counter b)
{
    return pmu_global_bit(a) == pmu_global_bit(b);
}

static uint64_t count_of(struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    counting_add(&counting, counter, event_of(counter));
    return counting_measure(&counting);
}

/* counting_run() writes neither CFG_B nor CFG_C. */
static uint64_t run_pair(const struct pair *pair, uint64_t period)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    pmu_reset();
    counting_add(&counting, pair->by, event_of(pair->by))->start =
        -period & pmu_counter_mask(pair->by);
    if (!is_one(pair->by, pair->reloaded))
        counting_add(&counting, pair->reloaded, event_of(pair->reloaded));
    pmu_reload(pair->reloaded, pair->mask, RELOADED);
    counting_run(&counting);
    return counting.items[counting.count - 1].value;
}

/* With both of a known number the value is known, else from where it starts and how much it counts
 * in all. */
static void check_value(struct test_context *t, const struct pair *pair, uint64_t value,
                        uint64_t in_all, uint64_t period)
{
    bool exact =
        event_of(pair->reloaded) == PMU_INSTRUCTIONS && event_of(pair->by) == PMU_INSTRUCTIONS;
    uint64_t least = exact ? in_all - period - 2 * COUNT_SLACK : 0;
    uint64_t most = exact ? in_all - period + 2 * COUNT_SLACK : 4 * in_all;

    EXPECT(t, COUNT_LOW, value >= RELOADED + least && value <= RELOADED + most,
           "ends as %#lx, was to be reloaded with %#x half way of %lu events", value, RELOADED,
           in_all);
}

static void check_pair(struct test_context *t, struct counter reloaded, struct counter by)
{
    struct pair pair = {.reloaded = reloaded, .by = by, .mask = pmu_global_bit(by)};
    uint64_t in_all = count_of(reloaded), period = count_of(by) / 2, value;

    value = run_pair(&pair, period ? period : 1);
    check_value(t, &pair, value, in_all, period);
    pair.mask = pmu_reloading() & ~pair.mask;
    value = run_pair(&pair, period ? period : 1);
    EXPECT(t, COUNT_HIGH, value < RELOADED,
           "ends as %#lx, although the counter that overflowed was not to reload it", value);
    pmu_reset();
}

/* Every one of them by each. */
static void check_reloaded(struct test_context *t, struct counter reloaded)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    char name[16], by[16];

    pmu_counter_name(reloaded, name, sizeof name);
    for (unsigned i = 0; i < count; i++) {
        if (!(pmu_reloading() & pmu_global_bit(counters[i])) ||
            event_of(counters[i]) == PMU_EVENT_COUNT)
            continue;
        pmu_counter_name(counters[i], by, sizeof by);
        test_begin(t, NULL, "%s_by_%s", name, by);
        check_pair(t, reloaded, counters[i]);
        test_end(t);
    }
}

static unsigned how_many(uint64_t bits)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), found = 0;

    for (unsigned i = 0; i < count; i++)
        found += bits & pmu_global_bit(counters[i]) && event_of(counters[i]) != PMU_EVENT_COUNT;
    return found;
}

/* The reload value is a two's complement (F22.33): one with bit 31 set is that far from overflow.
 */
static void check_extended(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t in_all = count_of(counter), least = -(uint64_t)RELOADED & pmu_counter_mask(counter);

    pmu_reset();
    counting_add(&counting, counter, event_of(counter))->start =
        -(in_all / 2) & pmu_counter_mask(counter);
    pmu_reload(counter, pmu_global_bit(counter), -(uint64_t)RELOADED);
    counting_run(&counting);
    EXPECT(t, COUNT_LOW,
           counting.items[0].value >= least && counting.items[0].value <= least + 4 * in_all,
           "ends as %#lx, was to be reloaded with -%#x", counting.items[0].value, RELOADED);
    pmu_reset();
}

TEST(counters, reload_value_is_extended, CLAIMS("PM-1"), NEEDS(PERFMON6))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    uint64_t bits = pmu_reloadable() & pmu_reloading();

    for (unsigned i = 0; i < count; i++)
        if (bits & pmu_global_bit(counters[i]) && event_of(counters[i]) != PMU_EVENT_COUNT)
            check_extended(t, counters[i]);
    if (!how_many(bits))
        test_skip(t, "CPUID.23H, sub-leaf 2: no counter reloads itself");
}

TEST(counters, reload_at_the_overflow_of_others, CLAIMS("PM-1"), NEEDS(PERFMON6))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    if (!how_many(pmu_reloadable()) || !how_many(pmu_reloading())) {
        test_skip(t, "CPUID.23H, sub-leaf 2: no counter reloads another");
        return;
    }
    test_plan(t, how_many(pmu_reloadable()) * how_many(pmu_reloading()));
    for (unsigned i = 0; i < count; i++)
        if (pmu_reloadable() & pmu_global_bit(counters[i]) &&
            event_of(counters[i]) != PMU_EVENT_COUNT)
            check_reloaded(t, counters[i]);
}
