/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timed records: do they say how long their instruction took to retire (F22.11, F22.25)? */
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/oracle/sample_check.h"

/*
 * Cycles since the instruction before it retired (F22.13). Each jump of the workload follows
 * LFENCEs, so that not every one can retire together with its predecessor; how long it takes is the
 * processor's affair.
 */
TEST_UNLESS(pebs, timed_records_have_a_retire_latency, CLAIMS("PEBS-7"), NEEDS(PEBS_ADAPTIVE, PMI),
            !pebs_kind().timed, "IA32_PERF_CAPABILITIES[17] = 0: PEBS records are not timed")
{
    enum pmu_event event = sample_best_event(t);
    struct sampling sampling = sample_default(event);
    struct pebs_record record;
    uint64_t cycles = 0;

    if (!sampling_run(t, &sampling) || !sample_check_all(t, &sampling))
        return;
    for (size_t slot = 0; slot < sampling.index; slot++) {
        pebs_decode(slot, &record);
        cycles += record.retire_latency;
    }
    EXPECT(t, PEBS_LATENCY, cycles > 0, "the retire latency of all %zu records is 0",
           sampling.index);
}
