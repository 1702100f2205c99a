/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timed records: do they say how long their instruction took to retire (F22.11, F22.25)? */
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"

/*
 * Cycles since the instruction before it retired (F22.13). Each jump of the workload follows
 * LFENCEs, so that not every one can retire together with its predecessor; how long it takes is the
 * processor's affair. Fixed counter 0 may tell none.
 */
static void check_latency(struct test_context *t, struct counter counter)
{
    struct sampling sampling;
    struct pebs_record record;
    uint64_t cycles = 0;

    if (!sample_run_counter(t, counter, &sampling) || !sample_check_all(t, &sampling))
        return;
    for (size_t slot = 0; slot < sampling.index; slot++) {
        pebs_decode(slot, &record);
        cycles += record.retire_latency;
    }
    EXPECT(t, PEBS_LATENCY, cycles > 0 || (counter.fixed && !counter.number),
           "the retire latency of all %zu records is 0", sampling.index);
}

TEST_UNLESS(pebs, timed_records_have_a_retire_latency, CLAIMS("PEBS-7"), NEEDS(PEBS_ADAPTIVE, PMI),
            !pebs_kind().timed, "IA32_PERF_CAPABILITIES[17] = 0: PEBS records are not timed")
{
    sample_each_counter(t, "PEBS-7", "PEBS-6", check_latency);
}
