/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two counters, of which one overflows while the other waits for its record, or soon after. */
#include "kernel/test.h"
#include "tests/oracle/sample_check.h"
#include "tests/oracle/sample_counters.h"

#define FIRST 50
#define NEVER 0x7fffffff /* events: no second record */

/* Overflows so many events apart. At one event apart the second comes as the first one's record is
 * stored, which may be a record of both, and reload both (F3.63). */
#define APART_MOST 2

static void check_record(struct test_context *t, const struct sampling *sampling, size_t slot,
                         uint64_t event, uint64_t bits)
{
    bool may_share = sampling->counters[1].first == sampling->counters[0].first + 1;
    const struct sample_expected expected = {
        .cause = sample_cause_of_event(sampling->counters[0].event, event),
        .bits = bits,
        .others = may_share ? 0 : sampling_bits(sampling) & ~bits,
    };
    struct pebs_record record;

    pebs_decode(slot, &record);
    sample_check_record(t, sampling, &record, &expected);
}

/* Each has its record, or both have one, and each began again then. */
static void check_both(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *first = &sampling->counters[0], *second = first + 1;
    uint64_t one = sampling_bit(first->counter), other = sampling_bit(second->counter);
    bool shared = sampling->index == 1;
    uint64_t second_event = shared ? first->first + 1 : second->first + 1;

    check_record(t, sampling, 0, first->first + 1, shared ? one | other : one);
    if (!shared)
        check_record(t, sampling, 1, second_event, other);
    if (!sample_check_reload_of(t, sampling, 0, first->first + 1) ||
        !sample_check_reload_of(t, sampling, 1, second_event))
        test_breaks(t, "PEBS-2");
    EXPECT_BITS(
        t, OVERFLOW, "overflow bits of both counters",
        sampling->status & (pmu_global_bit(first->counter) | pmu_global_bit(second->counter)), 0);
}

static void check_pair(struct test_context *t, struct counter first, struct counter second,
                       uint64_t apart)
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    sampling.count = 0;
    sampling_add(&sampling, first, event, FIRST, NEVER);
    sampling_add(&sampling, second, event, FIRST + apart, NEVER - 7);
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, sampling.index, apart > 1 ? 2 : 1, 2,
                       "%zu records of two counters", sampling.index))
        check_both(t, &sampling);
    sampling_expect_no_stray_write(t, sampling.index);
    if (test_has_failed(t))
        test_note(t, "PMC%u overflowed first, PMC%u %lu events later", first.number, second.number,
                  apart);
}

/* Each with the next one, the last with the first, and the other way round. */
TEST(pebs, a_counter_overflows_while_another_waits, CLAIMS("PEBS-1", "PEBS-2"),
     NEEDS(PEBS_RECORDS, APIC))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned all = sample_counters(counters), count = 0;

    while (count < all && !counters[count].fixed)
        count++;
    if (count < 2 || sample_branches(t) == PMU_EVENT_COUNT) {
        test_skip(t, count < 2 ? "PEBS is on one counter alone" : SAMPLE_NO_BRANCHES);
        return;
    }
    for (unsigned i = 0; i < 2 * count && !test_has_failed(t); i++) {
        struct counter one = counters[i / 2], next = counters[(i / 2 + 1) % count];

        for (uint64_t apart = 1; apart <= APART_MOST; apart++)
            check_pair(t, i % 2 ? next : one, i % 2 ? one : next, apart);
    }
}
