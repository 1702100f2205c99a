/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is the state in a record of ring 3 that of the program, and not of what stored the record? */
#include "kernel/test.h"
#include "tests/expect/counting.h"
#include "tests/expect/sample_check.h"
#include "tests/workloads/registers.h"

#define RECORDS                                                                                    \
    6 /* of sample_default(), whether or not a record's event counts in the next period */

static const struct workload landings = {.syscall_landing = registers_user_back};

/*
 * The event, by the numbers of ring 0, that stored the first record. There the bracket and the way
 * to the first step count; here the IRET may (F6.26). 0: none that it can be.
 */
static uint64_t first_event(const struct sampling_counter *item)
{
    uint64_t slack = item->event == PMU_BRANCHES ? 1 : COUNT_SLACK;
    uint64_t expected = sample_first_event(item->event) + item->first;
    struct pebs_record record;
    size_t cause;

    pebs_decode(0, &record);
    cause = sample_cause_of_record(&record);
    for (uint64_t event = expected - slack; cause != SIZE_MAX && event <= expected + slack; event++)
        if (sample_cause_of_event(item->event, event) == cause)
            return event;
    return 0;
}

static void check_records(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    struct sample_expected expected = {.bits = sampling_bit(item->counter)};
    uint64_t event = first_event(item);
    struct pebs_record record;

    if (!event) {
        pebs_decode(0, &record);
        test_fail(t, "record 0 blames %pS, not the step after %llu events",
                  (void *)(record.has_eventing_ip ? record.eventing_ip : record.ip),
                  (unsigned long long)item->first);
        return;
    }
    for (size_t slot = 0; slot < sampling->index && !test_has_failed(t); slot++) {
        expected.cause = sample_cause_of_event(item->event, event);
        pebs_decode(slot, &record);
        if (!sample_check_record(t, sampling, &record, &expected))
            test_note(t, "that was record %zu", slot);
        event += sample_spacing(item);
    }
}

TEST(pebs, record_holds_the_state_at_cpl_3, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, APIC, SYSCALL))
{
    struct sampling sampling = sample_default(sample_best_event(t));

    sampling.entry = registers_run_user;
    sampling.landings = &landings;
    sampling.counters[0].flags = COUNTER_USR;
    if (!sampling_run(t, &sampling) || !EXPECT_EQUAL(t, "records", sampling.index, RECORDS))
        return;
    check_records(t, &sampling);
    sampling_expect_no_stray_write(t, sampling.index);
}
