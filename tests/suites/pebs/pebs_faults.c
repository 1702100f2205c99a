/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction that faults does not retire (F6.26): no record of retired instructions blames it.
 */
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/workloads/counted.h"

#define FAULTS  1000 /* and handlers: some thousand instructions */
#define RECORDS 26

/* Several, so that in the end each instruction of the loop has its turn, whatever the spacing. */
static const uint64_t periods[] = {103, 104, 105};

static void check_records(struct test_context *t, const struct sampling *sampling)
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
            check_records(t, &sampling);
    }
    interrupt_gate_reset(VECTOR_UD);
}
