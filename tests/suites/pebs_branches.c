/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the records of branches tell a branch and where it led: taken or not, a CALL or RET, backward
 * too?
 */
#include "kernel/test.h"
#include "tests/oracle/sample_check.h"
#include "tests/workloads/counted.h"

#define ITERATIONS 1000 /* of five branches */
#define RECORDS    26

/* One after another of the loop's branches has its turn, whatever the spacing. */
#define PERIOD 101

static bool is_told(const struct pebs_record *record, const struct counted_branch *branch)
{
    uint64_t ip = pebs_is_trap_like() ? branch->to : branch->at;

    return (!record->has_state_ip || record->ip == ip) &&
           (!record->has_eventing_ip || record->eventing_ip == branch->at);
}

static bool is_one_of(const struct pebs_record *record, const struct counted_branch *first,
                      const struct counted_branch *end)
{
    while (first < end && !is_told(record, first))
        first++;
    return first < end;
}

static void check_loop(struct test_context *t, const struct counted_workload *loop,
                       const struct counted_branch *first, const struct counted_branch *end)
{
    const struct workload landings = {.syscall_landing = loop->syscall_landing};
    const struct counter pmc0 = {.number = 0};
    struct sampling sampling = sample_default(sample_branches(t));

    sampling.entry = loop->entry;
    sampling.landings = &landings;
    sampling.argument = ITERATIONS;
    sampling.count = 0;
    sampling_add(&sampling, pmc0, sample_branches(t), PERIOD, PERIOD);
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_COUNT(t, PEBS, "records", sampling.index, RECORDS);
    for (size_t slot = 0; slot < sampling.index && slot < RECORDS; slot++) {
        struct pebs_record record;

        pebs_decode(slot, &record);
        EXPECT(t, PEBS_IP, is_one_of(&record, first, end),
               "record %zu: from %pS to %pS, which is no branch of the loop", slot,
               (void *)record.eventing_ip, (void *)record.ip);
    }
}

TEST(pebs, records_of_branches_of_each_direction, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, APIC, SYSCALL))
{
    if (sample_branches(t) == PMU_EVENT_COUNT) {
        test_skip(t, SAMPLE_NO_BRANCHES);
        return;
    }
    check_loop(t, &workload_counted_loop, counted_loop_kernel, counted_loop_kernel_end);
    check_loop(t, &workload_counted_user, counted_loop_user, counted_loop_user_end);
}
