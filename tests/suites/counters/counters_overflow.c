/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a counter wraps: is that, and only that, in IA32_PERF_GLOBAL_STATUS, whichever other
 * counters wrap with it, and does the counter go on from 0 (F6.40, F6.41)?
 */
#include "kernel/report/test.h"
#include "tests/run/counting.h"

#define ITERATIONS    200
#define PERIODS_TRIED 12 /* more than COUNT_SLACK */

/* What the counter counts in one run of the workload; 0 after a test_fail() when that is nothing.
 */
static uint64_t count_of(struct test_context *t, struct counter counter, enum pmu_event event)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t counted;

    counting_add(&counting, counter, event);
    counted = counting_measure(t, &counting);
    EXPECT(t, COUNT_LOW, counted > 0, "counts nothing");
    return counted;
}

static uint64_t start_before_overflow(struct counter counter, uint64_t events)
{
    return -events & pmu_counter_mask(counter);
}

/* Near enough to overflow in one run, far enough that it comes while the counter runs. */
static uint64_t period_within(uint64_t counted)
{
    return counted / 4 ? counted / 4 : 1;
}

/* The counter under test overflows, all the others count far from it. */
static void check_own_status_bit(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    enum pmu_event event = counting_event(t, counter);
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    uint64_t counted = event == PMU_EVENT_COUNT ? 0 : count_of(t, counter, event);

    test_breaks_too(t, "PM-1");
    if (!counted)
        return;
    counting_add(&counting, counter, event)->start =
        start_before_overflow(counter, period_within(counted));
    for (unsigned i = 0; i < count; i++)
        if (pmu_global_bit(counters[i]) != pmu_global_bit(counter))
            counting_add(&counting, counters[i], PMU_INSTRUCTIONS);
    counting_run(t, &counting);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, pmu_global_bit(counter));
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL", counting.global_control,
                 pmu_all_counters());
    EXPECT(t, COUNT_LOW, counting.items[0].value < counting.items[0].start,
           "did not wrap: started at %#lx, is %#lx", counting.items[0].start,
           counting.items[0].value);
}

TEST(counters, overflow_sets_their_own_status_bit, CLAIMS("ISR-3", "PM-1"), NEEDS(PERFMON2))
{
    counting_each(t, "ISR-3", "ISR-3", check_own_status_bit);
}

/* F6.40: the status says overflow exactly when the counter went past its highest value. */
static void expect_told(struct test_context *t, const struct counting *counting,
                        const struct counting_item *item, uint64_t period)
{
    bool overflowed = counting->status & pmu_global_bit(item->counter);
    bool wrapped = counting_counted(item) >= period;

    EXPECT_BETWEEN(t, OVERFLOW_MISSING, OVERFLOW_EXTRA, overflowed, wrapped, wrapped,
                   "counted %lu from %#lx to %#lx: the status says %s", counting_counted(item),
                   item->start, item->value, overflowed ? "overflow" : "no overflow");
}

static void check_period(struct test_context *t, struct counting *counting, uint64_t period)
{
    struct counting_item *item = &counting->items[0];

    item->start = start_before_overflow(item->counter, period);
    counting_run(t, counting);
    if (counting_is_exact(item->event))
        counting_expect(t, counting, item->event, item->flags, counting_counted(item));
    expect_told(t, counting, item, period);
}

/* Around the very last event of the run, where one early or late shows, and around the first ones.
 */
static void check_exact_periods(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    enum pmu_event event = counting_event(t, counter);
    uint64_t counted = event == PMU_EVENT_COUNT ? 0 : count_of(t, counter, event);
    uint64_t around_last;

    if (!counted)
        return;
    counting_add(&counting, counter, event);
    for (uint64_t period = 1; period <= PERIODS_TRIED; period++)
        check_period(t, &counting, period);
    around_last = counted > PERIODS_TRIED ? counted - PERIODS_TRIED : 1;
    for (uint64_t period = around_last; period <= counted + PERIODS_TRIED; period++)
        check_period(t, &counting, period);
}

TEST(counters, overflow_comes_with_the_last_event_of_the_period, CLAIMS("ISR-3"), NEEDS(PERFMON2))
{
    counting_each(t, "ISR-3", "ISR-3", check_exact_periods);
}

/* 2^15, 2^16 and so on, with zeros above: a carry, and no overflow. Of clocks, which may run on for
 * long, from 2^31 on. */
static void check_carries(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    enum pmu_event event = counting_event(t, counter);
    uint64_t counted = event == PMU_EVENT_COUNT ? 0 : count_of(t, counter, event);
    struct counting_item *item = counted ? counting_add(&counting, counter, event) : NULL;
    bool whole = counter.fixed || feature_present(FEATURE_FULL_WIDTH_WRITES);
    unsigned width = whole ? pmu_width(counter) : 32; /* what a write sign-extends (F6.1) */

    for (unsigned bit = counting_is_exact(event) ? 15 : 31;
         item && bit < width && !test_has_failed(t); bit++) {
        item->start = (1ull << bit) - period_within(counted);
        counting_run(t, &counting);
        if (counting_is_exact(event))
            counting_expect(t, &counting, event, item->flags, counting_counted(item));
        EXPECT_BITS(t, OVERFLOW, "overflow bits", counting.status & pmu_all_counters(), 0);
        EXPECT(t, COUNT_LOW, item->value >> bit == 1, "from %#lx to %#lx", item->start,
               item->value);
    }
}

TEST(counters, a_carry_within_the_width_is_no_overflow, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    counting_each(t, "PM-1", "PM-1", check_carries);
}

static bool is_known(struct counter counter)
{
    return !counter.fixed || pmu_fixed_event(counter.number) != PMU_EVENT_COUNT;
}

static void check_unknown_event(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    test_under(t, counting_circumstances(counter));
    counting_add(&counting, counter, PMU_EVENT_COUNT);
    for (uint64_t period = 1; period <= PERIODS_TRIED; period++)
        check_period(t, &counting, period);
    counting_end();
}

static unsigned count_unknown(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters), unknown = 0;

    for (unsigned i = 0; i < count; i++)
        unknown += !is_known(counters[i]);
    return unknown;
}

/* Whatever it is, and even where several of them come at once: F6.40 holds all the same. */
TEST_UNLESS(counters, overflow_of_an_event_unknown_here, CLAIMS("ISR-3", "PM-1"), NEEDS(PERFMON2),
            !count_unknown(), "every fixed counter counts an event that is known here")
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++)
        if (!is_known(counters[i]))
            check_unknown_event(t, counters[i]);
}

/*
 * General-purpose counters of an event that comes several times in one cycle, and so steps over the
 * zero from some distances; where the processor has no such event, it holds for what they count.
 */
TEST(counters, overflow_of_several_events_at_once, CLAIMS("ISR-3"), NEEDS(PERFMON2))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    PMU_EACH_GENERAL(i)
        counting_add(&counting, (struct counter){.number = i}, PMU_SLOTS);
    for (uint64_t period = 1; period <= PERIODS_TRIED; period++) {
        for (unsigned i = 0; i < counting.count; i++)
            counting.items[i].start = start_before_overflow(counting.items[i].counter, period);
        counting_run(t, &counting);
        for (unsigned i = 0; i < counting.count; i++)
            expect_told(t, &counting, &counting.items[i], period);
    }
    counting_end();
}

/* All that count the same event start at the same distance: they wrap with the same instruction. */
static void check_together(struct test_context *t, const struct counter *counters, unsigned count)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t expected = 0;

    for (unsigned i = 0; i < count; i++) {
        counting_add(&counting, counters[i], PMU_INSTRUCTIONS)->start =
            start_before_overflow(counters[i], 1000);
        expected |= pmu_global_bit(counters[i]);
    }
    counting_run(t, &counting);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, expected);
    for (unsigned i = 0; i < count; i++)
        counting_expect(t, &counting, PMU_INSTRUCTIONS, COUNTER_OS,
                        counting_counted(&counting.items[i]));
    counting_end();
}

TEST(counters, overflows_at_once_are_all_kept, CLAIMS("ISR-2", "ISR-3"), NEEDS(PERFMON2))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters);
    char first[16], second[16];

    if (count < 2) {
        test_skip(t, "fewer than two counters count instructions retired");
        return;
    }
    test_plan(t, count);
    for (unsigned i = 0; i + 1 < count; i++) {
        pmu_counter_name(counters[i], first, sizeof first);
        pmu_counter_name(counters[i + 1], second, sizeof second);
        test_begin(t, NULL, "%s_and_%s", first, second);
        check_together(t, &counters[i], 2);
        test_end(t);
    }
    test_begin(t, NULL, "all");
    check_together(t, counters, count);
    test_end(t);
}

/* Makes every counter overflow. Returns the bits that are set, or 0 after a test_fail(). */
static uint64_t overflow_all(struct test_context *t, struct counting *counting)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);
    uint64_t expected = 0;

    for (unsigned i = 0; i < count; i++) {
        enum pmu_event event = counting_event_of(counters[i]);

        if (event == PMU_EVENT_COUNT)
            continue;
        counting_add(counting, counters[i], event)->start =
            start_before_overflow(counters[i], 0x80); /* not nearer: an erratum of fixed2, F6.45 */
        expected |= pmu_global_bit(counters[i]);
    }
    counting_run(t, counting);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS after all overflowed", counting->status,
                expected);
    return counting->status == expected ? expected : 0;
}

/* F6.7: a 1 clears its bit, a 0 leaves it; the counters take no notice. */
TEST(counters, clearing_clears_exactly_what_is_asked, CLAIMS("ISR-3"), NEEDS(PERFMON2))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 1000};
    uint64_t left = overflow_all(t, &counting);

    pmu_status_clear(0);
    EXPECT_EQUAL(t, MSR_VALUE, "status after a write of 0", pmu_status() & pmu_status_mask(), left);
    for (unsigned i = 0; i < counting.count && !test_has_failed(t); i++) {
        uint64_t bit = pmu_global_bit(counting.items[i].counter);

        pmu_status_clear(bit);
        left &= ~bit;
        EXPECT_EQUAL(t, MSR_VALUE, "status after one bit was cleared",
                     pmu_status() & pmu_status_mask(), left);
        EXPECT_EQUAL(t, MSR_VALUE, "the counter whose bit was cleared",
                     pmu_read(counting.items[i].counter), counting.items[i].value);
    }
    counting_end();
}

TEST(counters, clearing_several_bits_at_once, CLAIMS("ISR-3"), NEEDS(PERFMON2))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 1000};
    uint64_t all = overflow_all(t, &counting);

    if (all) {
        pmu_status_clear(all & 0x5555555555555555);
        EXPECT_EQUAL(t, MSR_VALUE, "status after every other bit was cleared",
                     pmu_status() & pmu_status_mask(), all & ~0x5555555555555555);
        pmu_status_clear(all);
        EXPECT_EQUAL(t, MSR_VALUE, "status after all were cleared",
                     pmu_status() & pmu_status_mask(), 0);
    }
    counting_end();
}

/* F6.42: nothing but software clears a bit: not disabling, not rewriting the counter, not reading.
 */
TEST(counters, overflow_bits_are_sticky, CLAIMS("ISR-3"), NEEDS(PERFMON2))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 1000};
    uint64_t all = overflow_all(t, &counting);

    for (unsigned i = 0; i < counting.count; i++) {
        pmu_program_off(counting.items[i].counter);
        pmu_write(counting.items[i].counter, 0);
    }
    counting_run_workload(&counting);
    EXPECT_BITS(t, OVERFLOW, "status after the counters were disabled and written",
                pmu_status() & pmu_status_mask(), all);
    counting_end();
}
