/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the records of branches tell a branch and where it led: taken or not, a CALL or RET, backward
 * too? And does no record of retired instructions blame one that faults?
 */
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/workloads/counted.h"

#define ITERATIONS 1000 /* of five branches */
#define RECORDS    26

/* One after another of the loop's branches has its turn, whatever the spacing. */
#define PERIOD 101

/* The branch that the record's instruction pointer speaks of; end: none of them. */
static const struct counted_branch *branch_of(const struct pebs_record *record,
                                              const struct counted_branch *first,
                                              const struct counted_branch *end)
{
    bool behind = record->has_state_ip && pebs_is_trap_like();
    uint64_t ip = record->has_state_ip ? record->ip : record->eventing_ip;

    while (first < end && (behind ? first->to : first->at) != ip)
        first++;
    return first;
}

#define LONGEST_JCC 6u /* bytes */

/* It leads to the next instruction. */
static bool is_not_taken(const struct counted_branch *branch)
{
    return branch->to > branch->at && branch->to - branch->at <= LONGEST_JCC;
}

static void check_record(struct test_context *t, const struct pebs_record *record,
                         const struct counted_branch *first, const struct counted_branch *end)
{
    const struct counted_branch *branch = branch_of(record, first, end);

    test_compared(t, 1);
    if (branch == end)
        test_find(t, &(struct finding){
                         .kind = record->has_state_ip ? FINDING_PEBS_IP : FINDING_PEBS_EVENTING_IP,
                         .where = "a record of a branch of the loop",
                         .expected = first->to,
                         .got = record->has_state_ip ? record->ip : record->eventing_ip});
    else if (record->has_eventing_ip && record->eventing_ip != branch->at)
        test_find(t, &(struct finding){.kind = FINDING_PEBS_EVENTING_IP,
                                       .expected = branch->at,
                                       .got = record->eventing_ip,
                                       .under = is_not_taken(branch) ? UNDER(NOT_TAKEN) : 0});
    if (record->has_gprs)
        EXPECT_EQUAL(t, PEBS_GPR, "EDI in the record", (uint32_t)record->gpr[GPR_RDI], ITERATIONS);
}

static void check_loop(struct test_context *t, const struct counted_workload *loop,
                       const struct counted_branch *first, const struct counted_branch *end)
{
    const struct workload entry_points = {.syscall_landing = loop->syscall_landing};
    const struct counter pmc0 = {.number = 0};
    struct sampling sampling = sample_default(sample_branches(t));

    sampling.entry = loop->entry;
    sampling.entry_points = &entry_points;
    sampling.argument = ITERATIONS;
    sampling.count = 0;
    sampling_add(&sampling, pmc0, sample_branches(t), PERIOD, PERIOD);
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_COUNT(t, PEBS, "records", sampling.index, RECORDS);
    for (size_t slot = 0; slot < sampling.index && slot < RECORDS; slot++) {
        struct pebs_record record;

        pebs_decode(slot, &record);
        check_record(t, &record, first, end);
    }
}

TEST(pebs, records_of_branches_of_each_direction, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, PMI, SYSCALL))
{
    if (!sample_has_branches(t))
        return;
    check_loop(t, &workload_counted_loop, counted_loop_kernel, counted_loop_kernel_end);
    check_loop(t, &workload_counted_user, counted_loop_user, counted_loop_user_end);
    check_loop(t, &workload_counted_compat, counted_loop_compat, counted_loop_compat_end);
}

/* --- an instruction that faults does not retire (F6.26) --- */

#define FAULTS 1000 /* and handlers: some thousand instructions */

/* Several, so that in the end each instruction of the loop has its turn, whatever the spacing. */
static const uint64_t periods[] = {103, 104, 105};

static void check_blames(struct test_context *t, const struct sampling *sampling)
{
    EXPECT(t, PEBS_MISSING, sampling->index, "no record at all");
    for (size_t slot = 0; slot < sampling->index && slot < RECORDS; slot++) {
        struct pebs_record record;

        pebs_decode(slot, &record);
        EXPECT(t, PEBS_EVENTING_IP, record.eventing_ip != (uint64_t)counted_undefined_instruction,
               "record %zu blames the UD2, which did not retire", slot);
    }
}

TEST(pebs, no_record_blames_a_faulting_instruction, CLAIMS("PEBS-1"), NEEDS(PEBS_EVENTING_IP, PMI))
{
    if (!sample_event_works(t, PMU_INSTRUCTIONS)) {
        test_skip(t, SAMPLE_NO_INSTRUCTIONS);
        return;
    }
    interrupt_gate_direct(VECTOR_UD, counted_undefined_handler, 0);
    for (size_t i = 0; i < COUNT_OF(periods) && !test_has_failed(t); i++) {
        struct sampling sampling = {.entry = workload_counted_undefined.entry,
                                    .argument = FAULTS,
                                    .records = RECORDS,
                                    .threshold = PEBS_NO_THRESHOLD};

        sampling.data_config = sample_default(PMU_INSTRUCTIONS).data_config;
        sampling_add(&sampling, sample_counter(PMU_INSTRUCTIONS), PMU_INSTRUCTIONS, periods[i],
                     periods[i]);
        if (sampling_run(t, &sampling))
            check_blames(t, &sampling);
    }
    interrupt_gate_reset(VECTOR_UD);
}
