/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which counters and which events store PEBS records, alone and several at once? */
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_when.h"

/* Events between the first overflows of two counters in the same run. */
#define APART 15

/* Cycles, or slots of them, that a run stays below, be it a minute long. */
#define EVENTS_OF_ANY_RUN 0x10000000000

#define NO_RECORD "IA32_PEBS_ENABLE: this counter's bit brings no record in so short a workload"

/* Like the default run of PMC0, by another counter. */
static void check_counter(struct test_context *t, struct counter counter)
{
    struct sampling sampling;
    uint64_t last;

    if (!sample_run_counter(t, counter, &sampling))
        return;
    last = sample_check_all(t, &sampling);
    if (last)
        sample_check_reload(t, &sampling, last);
    sampling_expect_no_stray_write(t, sampling.index);
}

TEST(pebs, each_counter_samples, CLAIMS("PEBS-1", "PEBS-2", "PEBS-6"), NEEDS(PEBS_RECORDS, PMI))
{
    sample_each_counter(t, "PEBS-1", "PEBS-6", check_counter);
}

/* The bits that F3.60 gives this family and format can be set, each alone. */
TEST(pebs, each_enable_bit_can_be_set, CLAIMS("PEBS-1", "DS-3"), NEEDS(PEBS_RECORDS))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);

    test_under(t, UNDER(PEBS) | UNDER(DISABLED));
    for (unsigned i = 0; i < count; i++) {
        uint64_t bit = sampling_bit(counters[i]), former = pebs_enable(bit);

        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PEBS_ENABLE before", former, 0);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PEBS_ENABLE", pebs_disable(), bit);
    }
}

TEST(pebs, several_counters_sample_at_once, CLAIMS("PEBS-1", "PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    if (!sample_has_branches(t))
        return;
    sampling_add_all(&sampling, event, APART);
    if (sampling.count < 2) {
        test_skip(t, "PEBS is on one counter alone");
        return;
    }
    if (!sampling_run(t, &sampling) ||
        !EXPECT_COUNT(t, PEBS, "records", sampling.index, sampling.count))
        return;
    sample_check_apart(t, &sampling);
    EXPECT_BITS(t, OVERFLOW, "overflow bits of the sampling counters",
                sampling.status & sampling_enabled(&sampling), 0);
    sampling_expect_no_stray_write(t, sampling.count);
}

/* Counters in the first record of a run where two overflow at the same event. */
static void check_together(struct test_context *t, const struct sampling *sampling)
{
    uint64_t first = sampling_bit(sampling->counters[0].counter);
    uint64_t second = sampling_bit(sampling->counters[1].counter);
    bool shared = choice_of(CHOICE_PEBS_SHARING) == VALUE_ONE_RECORD;
    struct sample_expected expected = {
        .cause = sample_cause_of_event(sampling->counters[0].event,
                                       sample_storing_event(&sampling->counters[0], 0)),
        .bits = shared ? first | second : first,
        .others = shared ? 0 : second,
    };
    struct pebs_record record;

    pebs_decode(0, &record);
    if (!record.has_applicable) /* the status field may still hold the other one's bit */
        expected.others = 0;
    sample_check_record(t, sampling, &record, &expected);
}

TEST(pebs, counters_that_overflow_together, CLAIMS("PEBS-1", "PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event), second;

    if (!sample_has_branches(t))
        return;
    if (!sample_counter_samples((struct counter){.number = 1})) {
        test_skip(t, "PEBS is on one counter alone");
        return;
    }
    sampling.counters[0].reset = SAMPLING_NEVER;
    sampling.threshold = 1;
    sampling.interrupts_wanted = 1;
    sampling_add(&sampling, (struct counter){.number = 1}, event, sampling.counters[0].first,
                 SAMPLING_NEVER - 7);
    if (!sampling_run(t, &sampling))
        return;
    if (!EXPECT_COUNT(t, PMI, "interrupts at the first record", sampling.interrupts, 1))
        test_breaks(t, "PEBS-3");
    EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, sampling.index, 1, 2, "%zu records of two counters",
                   sampling.index);
    if (choice_of(CHOICE_PEBS_SHARING) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_PEBS_SHARING,
                     sampling.index == 1 ? VALUE_ONE_RECORD : VALUE_ONE_EACH);
    check_together(t, &sampling);
    EXPECT_BITS(t, OVERFLOW, "overflow bits of both counters", sampling.status & 3, 0);
    sample_check_reload(t, &sampling, sample_storing_event(&sampling.counters[0], 0));
    second = sampling;
    second.counters[0] = sampling.counters[1];
    sample_check_reload(t, &second,
                        sample_storing_event(&sampling.counters[0], 0) + sampling.index - 1);
}

/* A counter without PEBS that overflows at the same event keeps its bit and its count (F3.63). */
TEST(pebs, other_counters_are_untouched, CLAIMS("PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    const struct counter other = {.number = 1};
    enum pmu_event event = sample_best_event(t);
    struct sampling sampling = sample_default(event);
    struct sampling_counter *plain;
    uint64_t expected;

    if (!pmu_counter_exists(other)) {
        test_skip(t, "this processor has one counter alone");
        return;
    }
    plain = sampling_add(&sampling, other, event, sampling.counters[0].first, 1000);
    plain->plain = true;
    if (!sampling_run(t, &sampling))
        return;
    expected = sample_events_in_all(event) - plain->first;
    sample_check_all(t, &sampling);
    EXPECT(t, OVERFLOW_MISSING, sampling.status & pmu_global_bit(other),
           "the overflow bit of PMC1 is not set");
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, plain->value, expected - COUNT_SLACK,
                   expected + COUNT_SLACK,
                   "PMC1 was touched: %#llx, expected %#llx after its overflow",
                   (unsigned long long)plain->value, (unsigned long long)expected);
}

/* More than 32 bits and their sign, and another value for each counter. */
static struct sampling sampling_of_reset(struct counter counter, enum pmu_event event)
{
    struct sampling sampling = sample_default(event);

    sampling.counters[0].counter = counter;
    sampling.counters[0].reset = 0x123456789a + 0x10000000000 * counter.number;
    return sampling;
}

/* Where the number of events is unknown: above its reset value, by less than any run's events. */
static void check_restart_about(struct test_context *t, struct counter counter)
{
    struct sampling sampling = sampling_of_reset(counter, pmu_fixed_event(counter.number));
    const struct sampling_counter *item = &sampling.counters[0];
    uint64_t since;

    if (!sampling_run(t, &sampling))
        return;
    if (!sampling.index) {
        sample_judge_none(t, &sampling, NO_RECORD);
        return;
    }
    since = (item->value + item->reset) & pmu_counter_mask(counter);
    EXPECT(t, COUNT_LOW, since < EVENTS_OF_ANY_RUN,
           "the counter after the run is %#llx, which is not soon after its reset value %#llx",
           (unsigned long long)item->value,
           (unsigned long long)(-item->reset & pmu_counter_mask(counter)));
}

static void check_restart(struct test_context *t, struct counter counter)
{
    enum pmu_event event = sample_exact_event(t, counter);
    struct sampling sampling;

    if (event == PMU_EVENT_COUNT && counter.fixed &&
        pmu_fixed_event(counter.number) < PMU_EVENT_COUNT) {
        check_restart_about(t, counter);
        return;
    }
    if (event == PMU_EVENT_COUNT) {
        sample_skip_counter(t, counter);
        return;
    }
    sampling = sampling_of_reset(counter, event);
    if (sampling_run(t, &sampling) && EXPECT(t, PEBS_MISSING, sampling.index, "no record"))
        sample_check_reload(t, &sampling, sample_last_event(&sampling));
}

TEST(pebs, each_counter_restarts_from_its_reset_value, CLAIMS("PEBS-2", "PEBS-6"),
     NEEDS(PEBS_RECORDS, PMI))
{
    sample_each_counter(t, "PEBS-2", "PEBS-6", check_restart);
}

/* Where the number of events is unknown: one record, if any, reaches the threshold. */
static struct sampling sampling_of_one(struct counter counter)
{
    struct sampling sampling = sample_default(pmu_fixed_event(counter.number));

    sampling.counters[0].counter = counter;
    sampling.counters[0].reset = SAMPLING_NEVER;
    sampling.threshold = 1;
    return sampling;
}

/* The second record raises the interrupt, whichever counter stored it. No period is short enough
 * for an erratum to excuse the result. */
static struct sampling sampling_of_two(struct counter counter, enum pmu_event event)
{
    struct sampling sampling = sample_default(event);

    sampling.counters[0].counter = counter;
    if (pmu_event_is_branches(event))
        sampling.counters[0].first = sampling.counters[0].reset = SAMPLING_SHORT_PERIOD;
    sampling.threshold = 2;
    sampling.interrupts_wanted = 1;
    return sampling;
}

static void check_interrupt(struct test_context *t, struct counter counter)
{
    enum pmu_event event = sample_exact_event(t, counter);
    bool exact = event != PMU_EVENT_COUNT;
    struct sampling sampling =
        exact || !counter.fixed ? sampling_of_two(counter, event) : sampling_of_one(counter);

    if (!sampling_run(t, &sampling))
        return;
    if (!exact && !sampling.index) {
        sample_judge_none(t, &sampling, NO_RECORD);
        return;
    }
    EXPECT(t, PMI_EARLY, sampling.index >= sampling.threshold,
           "%zu records, fewer than the threshold", sampling.index);
    if (sampling.interrupts)
        EXPECT_EQUAL(t, PMI_CAUSE, "causes that the interrupt found", sampling.events[0].causes,
                     PMI_CAUSE_PEBS);
}

TEST(pebs, each_counter_interrupts_at_the_threshold, CLAIMS("PEBS-3", "PEBS-6"),
     NEEDS(PEBS_RECORDS, PMI))
{
    sample_each_counter(t, "PEBS-3", "PEBS-6", check_interrupt);
}

/* --- the shortest periods --- */

#define SHORTEST_MOST 3  /* events: such periods, and all below */
#define FEW_EVENTS    20 /* after the first overflow: fewer records than there is room for */

/* The shortest until the buffer is full; each with room left at the end. */
static void check_shortest(struct test_context *t, struct counter counter, enum pmu_event event,
                           uint64_t reset)
{
    struct sampling sampling = sample_default(event);
    struct sampling_counter *item = &sampling.counters[0];

    item->counter = counter;
    item->reset = reset;
    test_note(t, "period %lu", reset);
    if (reset == 1) {
        if (!sampling_run(t, &sampling) || !sample_check_all(t, &sampling))
            return;
        sampling_expect_no_stray_write(t, sampling.index);
    }
    if (!pmu_event_is_branches(event)) /* how many of those come after the first is not exact */
        return;
    item->first = sample_events_in_all(event) - FEW_EVENTS;
    test_under(t, UNDER(DISABLED)); /* it may end right after an overflow */
    if (sampling_run(t, &sampling) &&
        EXPECT_COUNT(t, PEBS, "records", sampling.index,
                     sample_records_by(item, sample_events_in_all(event))))
        sample_check_reload(t, &sampling, sample_last_event(&sampling));
}

static void check_shortest_of_counter(struct test_context *t, struct counter counter)
{
    enum pmu_event event = sample_exact_event(t, counter);

    if (event == PMU_EVENT_COUNT) {
        sample_skip_counter(t, counter);
        return;
    }
    for (uint64_t reset = 1; reset <= SHORTEST_MOST && !test_has_failed(t); reset++)
        check_shortest(t, counter, event, reset);
}

TEST(pebs, each_counter_restarts_for_a_few_events, CLAIMS("PEBS-2", "PEBS-6"),
     NEEDS(PEBS_RECORDS, PMI))
{
    sample_each_counter(t, "PEBS-2", "PEBS-6", check_shortest_of_counter);
}
