/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Auto counter reload (F21.9, F21.15): the overflow of one counter puts another, or itself, back to
 * its reload value. Does each counter that CPUID.23H enumerates for it, by each cause enumerated
 * and by no other? All of them at once, and with each further overflow?
 */
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"

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

static uint64_t count_of(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    counting_add(&counting, counter, event_of(counter));
    return counting_measure(t, &counting);
}

/* counting_run() writes neither CFG_B nor CFG_C. */
static uint64_t run_pair(struct test_context *t, const struct pair *pair, uint64_t period)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    pmu_reset();
    counting_add(&counting, pair->by, event_of(pair->by))->start =
        -period & pmu_counter_mask(pair->by);
    if (!is_one(pair->by, pair->reloaded))
        counting_add(&counting, pair->reloaded, event_of(pair->reloaded));
    pmu_reload(pair->reloaded, pair->mask, RELOADED);
    counting_run(t, &counting);
    return counting.items[counting.count - 1].value;
}

/* With both of a known number it is known how much is left to count; how long the reload takes is
 * not, and what comes meanwhile is lost (F21.15). Else: where it starts, and how much it counts in
 * all. */
static void check_value(struct test_context *t, const struct pair *pair, uint64_t value,
                        uint64_t in_all, uint64_t period)
{
    bool exact =
        event_of(pair->reloaded) == PMU_INSTRUCTIONS && event_of(pair->by) == PMU_INSTRUCTIONS;
    uint64_t least = exact ? (in_all - period) / 2 : 0;
    uint64_t most = exact ? in_all - period + 2 * COUNT_SLACK : 4 * in_all;

    EXPECT(t, COUNT_LOW, value >= RELOADED + least && value <= RELOADED + most,
           "ends as %#lx, was to be reloaded with %#x half way of %lu events", value, RELOADED,
           in_all);
}

static void check_pair(struct test_context *t, struct counter reloaded, struct counter by)
{
    struct pair pair = {.reloaded = reloaded, .by = by, .mask = pmu_global_bit(by)};
    uint64_t in_all = count_of(t, reloaded), period = count_of(t, by) / 2, value;

    value = run_pair(t, &pair, period ? period : 1);
    check_value(t, &pair, value, in_all, period);
    pair.mask = pmu_reloading() & ~pair.mask;
    value = run_pair(t, &pair, period ? period : 1);
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

/* The reload value is a two's complement (F22.33): one with bit 31 set is that far from
 * overflow. */
static void check_extended(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t in_all = count_of(t, counter), least = -(uint64_t)RELOADED & pmu_counter_mask(counter);

    pmu_reset();
    counting_add(&counting, counter, event_of(counter))->start =
        -(in_all / 2) & pmu_counter_mask(counter);
    pmu_reload(counter, pmu_global_bit(counter), -(uint64_t)RELOADED);
    counting_run(t, &counting);
    EXPECT(t, COUNT_LOW,
           counting.items[0].value >= least && counting.items[0].value <= least + 4 * in_all,
           "ends as %#lx, was to be reloaded with -%#x", counting.items[0].value, RELOADED);
    pmu_reset();
}

TEST_UNLESS(counters, reload_value_is_extended, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !how_many(pmu_reloadable() & pmu_reloading()),
            "CPUID.23H, sub-leaf 2: no counter reloads itself")
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    uint64_t bits = pmu_reloadable() & pmu_reloading();

    for (unsigned i = 0; i < count; i++)
        if (bits & pmu_global_bit(counters[i]) && event_of(counters[i]) != PMU_EVENT_COUNT)
            check_extended(t, counters[i]);
}

TEST_UNLESS(counters, reload_at_the_overflow_of_others, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !how_many(pmu_reloadable()) || !how_many(pmu_reloading()),
            "CPUID.23H, sub-leaf 2: no counter reloads another")
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    test_plan(t, how_many(pmu_reloadable()) * how_many(pmu_reloading()));
    for (unsigned i = 0; i < count; i++)
        if (pmu_reloadable() & pmu_global_bit(counters[i]) &&
            event_of(counters[i]) != PMU_EVENT_COUNT)
            check_reloaded(t, counters[i]);
}

/* --- all that name it, and again --- */

#define LONG_RUN 1000 /* iterations: a period is far longer than a reload takes */
#define PERIODS  10

/* Those with a known event, the cause first, then all that its overflow reloads: each of the others
 * with RELOADED, itself with what is given. The others overflow at their first event. */
static void add_all(struct counting *counting, struct counter by, uint64_t period,
                    uint64_t own_reload)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    counting_add(counting, by, event_of(by))->start = -period & pmu_counter_mask(by);
    counting->items[0].flags |= COUNTER_PMI; /* the LVT entry is masked */
    for (unsigned i = 0; i < count; i++) {
        if (!(pmu_reloadable() & pmu_global_bit(counters[i])) ||
            event_of(counters[i]) == PMU_EVENT_COUNT)
            continue;
        if (!is_one(counters[i], by))
            counting_add(counting, counters[i], event_of(counters[i]))->start =
                pmu_counter_mask(counters[i]);
        pmu_reload(counters[i], pmu_global_bit(by),
                   is_one(counters[i], by) ? own_reload : RELOADED);
    }
}

/* A reload takes no overflow back. A coarse clock may not have advanced. */
static void expect_overflows(struct test_context *t, const struct counting *counting)
{
    uint64_t overflowed = pmu_global_bit(counting->items[0].counter);

    for (unsigned i = 1; i < counting->count; i++)
        if (counting_is_exact(counting->items[i].event))
            overflowed |= pmu_global_bit(counting->items[i].counter);
    EXPECT_BITS(t, OVERFLOW, "overflow bits behind a reload", counting->status & overflowed,
                overflowed);
}

/* Once, half way: each of them ends as it does where it is the only one. */
static void check_all_at_once(struct test_context *t, struct counter by)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t period = count_of(t, by) / 2;
    char name[16];

    pmu_reset();
    add_all(&counting, by, period, RELOADED);
    counting_run(t, &counting);
    pmu_reset();
    expect_overflows(t, &counting);
    for (unsigned i = pmu_reloadable() & pmu_global_bit(by) ? 0 : 1;
         i < counting.count && !test_has_failed(t); i++) {
        const struct pair pair = {.reloaded = counting.items[i].counter, .by = by};

        check_value(t, &pair, counting.items[i].value, count_of(t, pair.reloaded), period);
        pmu_counter_name(pair.reloaded, name, sizeof name);
        if (test_has_failed(t))
            test_note(t, "that was %s, one of %u at once", name, counting.count);
    }
    pmu_reset();
}

/* The last overflow reloads as the first does: a counter of instructions has counted only what
 * follows it. The bounds allow half a period for a reload, and as much for the run's length. */
static void check_others_again(struct test_context *t, const struct counting *counting,
                               uint64_t period)
{
    char name[16];

    for (unsigned i = 1; i < counting->count; i++) {
        const struct counting_item *item = &counting->items[i];
        bool exact = item->event == PMU_INSTRUCTIONS && counting->items[0].event == item->event;

        pmu_counter_name(item->counter, name, sizeof name);
        EXPECT(t, COUNT_LOW, item->value >= RELOADED, "%s ends as %#lx, not above %#x", name,
               item->value, RELOADED);
        EXPECT(t, COUNT_HIGH, !exact || item->value <= RELOADED + 2 * period,
               "%s ends as %#lx, and was to be reloaded with %#x every %lu events", name,
               item->value, RELOADED, period);
    }
}

/* It reloads itself, and all others that it can. After the first reload alone it would end many
 * periods above 0. */
static void check_again(struct test_context *t, struct counter by)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = LONG_RUN};
    uint64_t in_all, period, above;

    counting_add(&counting, by, event_of(by));
    in_all = counting_measure(t, &counting);
    period = in_all / PERIODS;
    counting.count = 0;
    pmu_reset();
    add_all(&counting, by, period, -period);
    counting_run(t, &counting);
    pmu_reset();
    above = (counting.items[0].value + period + COUNT_SLACK) & pmu_counter_mask(by);
    EXPECT(t, COUNT_HIGH, above <= 2 * period,
           "ends as %#lx, was to be reloaded with -%lu at each overflow, %u times",
           counting.items[0].value, period, PERIODS);
    check_others_again(t, &counting, period);
}

/* A subtest for each counter of those bits whose overflow reloads. */
static void each_cause(struct test_context *t, uint64_t bits, counting_body *check)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    char name[16];

    test_plan(t, how_many(bits));
    for (unsigned i = 0; i < count; i++) {
        if (!(bits & pmu_global_bit(counters[i])) || event_of(counters[i]) == PMU_EVENT_COUNT)
            continue;
        pmu_counter_name(counters[i], name, sizeof name);
        test_begin(t, NULL, "by_%s", name);
        check(t, counters[i]);
        test_end(t);
    }
}

TEST_UNLESS(counters, reload_of_all_that_name_the_overflow, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !how_many(pmu_reloading()) || !how_many(pmu_reloadable()),
            "CPUID.23H, sub-leaf 2: no counter reloads another, or itself")
{
    each_cause(t, pmu_reloading(), check_all_at_once);
}

TEST_UNLESS(counters, reload_at_every_overflow, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !how_many(pmu_reloading() & pmu_reloadable()),
            "CPUID.23H, sub-leaf 2: no counter reloads another, or itself")
{
    each_cause(t, pmu_reloading() & pmu_reloadable(), check_again);
}
