/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two counters, of which one overflows while the other waits for its record, or soon after. */
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/workloads/kinds/registers.h"

#define FIRST 50

/* At one event apart the second overflow comes as the first one's record is stored, which may be a
 * record of both, and reload both (F3.63). Farther apart: pebs.several_counters_sample_at_once. */
#define APART 1

static void check_record(struct test_context *t, const struct sampling *sampling, size_t slot,
                         uint64_t event, uint64_t bits)
{
    const struct sample_expected expected = {
        .cause = sample_cause_of_event(sampling->counters[0].event, event),
        .bits = bits,
    };
    struct pebs_record record;

    pebs_decode(slot, &record);
    sample_check_record(t, sampling, &record, &expected);
}

/* Does the record in the first slot name the other counter alone? */
static bool is_of_other(uint64_t one, uint64_t other)
{
    struct pebs_record record;

    pebs_decode(0, &record);
    return record.has_applicable && record.applicable & other && !(record.applicable & one);
}

/* Each has its record, or both have one, and each began again then. At one event the records may
 * come in either order. */
static void check_both(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *first = &sampling->counters[0], *second = first + 1;
    uint64_t one = sampling_bit(first->counter), other = sampling_bit(second->counter);
    bool shared = sampling->index == 1;
    uint64_t first_event = sample_storing_event(first, 0);
    uint64_t second_event = shared ? first_event : sample_storing_event(second, 0);
    bool turned = !shared && first_event == second_event && is_of_other(one, other);

    check_record(t, sampling, turned, first_event, shared ? one | other : one);
    if (!shared)
        check_record(t, sampling, !turned, second_event, other);
    if (!sample_check_reload_of(t, sampling, 0, first_event) ||
        !sample_check_reload_of(t, sampling, 1, second_event))
        test_breaks(t, "PEBS-2");
    EXPECT_BITS(
        t, OVERFLOW, "overflow bits of both counters",
        sampling->status & (pmu_global_bit(first->counter) | pmu_global_bit(second->counter)), 0);
}

static void check_pair(struct test_context *t, struct counter first, struct counter second)
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    sampling.count = 0;
    sampling_add(&sampling, first, event, FIRST, SAMPLING_NEVER);
    sampling_add(&sampling, second, event, FIRST + APART, SAMPLING_NEVER - 7);
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, sampling.index, 1, 2,
                       "%zu records of two counters", sampling.index))
        check_both(t, &sampling);
    sampling_expect_no_stray_write(t, sampling.index);
    if (test_has_failed(t))
        test_note(t, "PMC%u overflowed first, then PMC%u", first.number, second.number);
}

static unsigned general_counters(struct counter *list)
{
    unsigned all = sample_counters(list), count = 0;

    while (count < all && !list[count].fixed)
        count++;
    return count;
}

/* Each with the next one, the last with the first, and the other way round. */
TEST(pebs, a_counter_overflows_while_another_waits, CLAIMS("PEBS-1", "PEBS-2"),
     NEEDS(PEBS_RECORDS, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = general_counters(counters);

    if (count < 2 || sample_branches(t) == PMU_EVENT_COUNT) {
        test_skip(t, count < 2 ? "PEBS is on one counter alone" : SAMPLE_NO_BRANCHES);
        return;
    }
    for (unsigned i = 0; i < 2 * count && !test_has_failed(t); i++) {
        struct counter one = counters[i / 2], next = counters[(i / 2 + 1) % count];

        check_pair(t, i % 2 ? next : one, i % 2 ? one : next);
    }
}

/* --- the second one overflows, and stores its record, between two events of the first --- */

/* A record of the one may be a record of the other, too, that waits (F3.63): whichever names it. */
static bool is_named(const struct sampling *sampling, struct counter counter)
{
    for (size_t slot = 0; slot < sampling->index; slot++) {
        struct pebs_record record;
        uint64_t named;

        pebs_decode(slot, &record);
        named = record.has_applicable ? record.applicable : record.global_status;
        if (named & sampling_bit(counter) || !(record.has_applicable || record.has_global_status))
            return true;
    }
    return false;
}

static void check_named_and_reloaded(struct test_context *t, const struct sampling *sampling)
{
    for (unsigned i = 0; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];
        uint64_t since = (item->value + item->reset) & pmu_counter_mask(item->counter);
        uint64_t after = sample_events_in_all(item->event) - item->first;

        EXPECT(t, PEBS_MISSING, is_named(sampling, item->counter), "no record names PMC%u",
               item->counter.number);
        if (!EXPECT(t, COUNT_LOW, since <= after + COUNT_SLACK,
                    "PMC%u is %#lx after the run, which is not soon after minus %#lx",
                    item->counter.number, item->value, item->reset))
            test_breaks(t, "PEBS-2");
        EXPECT_BITS(t, OVERFLOW, "overflow bit", sampling->status & pmu_global_bit(item->counter),
                    0);
    }
}

/* The first one's events are branches, the second one's are instructions: so many behind the branch
 * that overflowed. */
static void check_between(struct test_context *t, struct counter first, struct counter second,
                          unsigned behind)
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);
    uint64_t jumps = FIRST + 1 - sample_first_event(event);

    sampling.count = 0;
    sampling_add(&sampling, first, event, FIRST, SAMPLING_NEVER);
    sampling_add(&sampling, second, PMU_INSTRUCTIONS,
                 sample_first_event(PMU_INSTRUCTIONS) + jumps * REGISTERS_STEP_LENGTH + behind,
                 SAMPLING_NEVER - 7);
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, sampling.index, 1, 2,
                       "%zu records of two counters", sampling.index))
        check_named_and_reloaded(t, &sampling);
    if (test_has_failed(t))
        test_note(t, "PMC%u overflowed at a branch, PMC%u %u instructions behind it", first.number,
                  second.number, behind);
}

/* Those before the first that does are none (F22.22). */
static bool samples_instructions(struct counter counter)
{
    return counter.number >= sample_counter(PMU_INSTRUCTIONS).number;
}

TEST(pebs, a_counter_stores_while_another_waits, CLAIMS("PEBS-1", "PEBS-2"),
     NEEDS(PEBS_RECORDS, PMI))
{
    static const unsigned behind[] = {8, 24, 48};
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = general_counters(counters);

    if (count < 2 || sample_branches(t) == PMU_EVENT_COUNT ||
        !sample_event_works(t, PMU_INSTRUCTIONS)) {
        test_skip(t, count < 2 ? "PEBS is on one counter alone"
                               : "PEBS samples not both branches and instructions");
        return;
    }
    for (unsigned i = 0; i < 2 * count && !test_has_failed(t); i++) {
        struct counter one = counters[i / 2], next = counters[(i / 2 + 1) % count];
        struct counter second = i % 2 ? one : next;

        if (samples_instructions(second))
            check_between(t, i % 2 ? next : one, second, behind[i % COUNT_OF(behind)]);
    }
}

/* --- one overflowed before, and does not sample --- */

/* The status as it was, with that one's bit (F3.43), or who caused the record, without it (F3.45).
 */
static void check_beside(struct test_context *t, struct counter other)
{
    const struct counter counter = {.number = 0};
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);
    struct pebs_record record;
    uint64_t bit = pmu_global_bit(other);

    sampling.count = 0;
    sampling_add(&sampling, counter, event, FIRST, SAMPLING_NEVER);
    sampling_add(&sampling, other, counting_event_of(other), FIRST / 2, SAMPLING_NEVER)->plain =
        true;
    if (!sampling_run(t, &sampling) ||
        !EXPECT_COUNT(t, PEBS, "records of one overflow", sampling.index, 1))
        return;
    pebs_decode(0, &record);
    if (record.has_applicable)
        EXPECT_EQUAL(t, PEBS_APPLICABLE, "a counter that does not sample, among the applicable",
                     record.applicable & bit, 0);
    else if (record.has_global_status)
        EXPECT_EQUAL(t, PEBS_STATUS, "the overflow before, in the status of the record",
                     record.global_status & bit, bit);
}

TEST(pebs, record_tells_of_an_overflow_before, CLAIMS("PEBS-4"), NEEDS(PEBS_RECORDS, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    if (!pebs_format() || sample_branches(t) == PMU_EVENT_COUNT) {
        test_skip(t, pebs_format() ? SAMPLE_NO_BRANCHES
                                   : "IA32_PERF_CAPABILITIES[11:8] (PEBS record format) = 0");
        return;
    }
    for (unsigned i = 1; i < count && !test_has_failed(t); i++)
        if (counting_is_exact(counting_event_of(counters[i])))
            check_beside(t, counters[i]);
}
