/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are the other fields of an adaptive record's LBR entries right (F3.46, F8.14)? Of one jump, taken
 * again and again, some must be predicted, and most come a few cycles after another. And do timed
 * records say how long their instruction took to retire (F22.11, F22.25)?
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/workloads/workload.h"

#define ENTRIES   4u
#define RUNS_MOST 20
#define TURNS     1000    /* of a loop of one instruction, which is branch and event at once */
#define PERIOD    40      /* events: room for all records */
#define SATURATED 0xffffu /* cycles (F8.14) */

/* Counts over all entries of some runs. */
struct told {
    size_t entries, foreseen, timed;
};

static void count_entries(struct told *told, const struct pebs_record *record)
{
    for (size_t i = 0; i < record->lbr_count; i++) {
        const struct lbr_raw raw = {
            .from = record->lbr[i].from, .to = record->lbr[i].to, .info = record->lbr[i].info};
        struct lbr_entry entry = lbr_decode(lbr_format(), &raw);

        told->entries++;
        told->foreseen += !entry.mispredicted;
        told->timed += entry.cycles != 0 && entry.cycles != SATURATED;
    }
}

static bool run_once(struct test_context *t, struct told *told)
{
    enum pmu_event event = sample_best_event(t);
    struct sampling sampling = sample_default(event);
    struct pebs_record record;

    sampling.entry = workload_long_loop.entry;
    sampling.argument = TURNS;
    sampling.count = 0;
    sampling_add(&sampling, (struct counter){.number = 0}, event, PERIOD, PERIOD);
    sampling.data_config = PEBS_DATA_LBRS | PEBS_DATA_LBR_ENTRIES(ENTRIES);
    sampling.debugctl = DEBUGCTL_LBR;
    if (!sampling_run(t, &sampling))
        return false;
    for (size_t slot = 0; slot < sampling.index; slot++) {
        pebs_decode(slot, &record);
        count_entries(told, &record);
    }
    return true;
}

TEST(pebs, adaptive_lbr_entries_tell_more_than_addresses, CLAIMS("PEBS-4"),
     NEEDS(PEBS_ADAPTIVE, PMI, LBR))
{
    struct told told = {0};

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    if (!lbr_info_register()) {
        test_skip(t, "IA32_PERF_CAPABILITIES[5:0] = %d: no MSR_LBR_INFO_x", lbr_format());
        return;
    }
    for (unsigned i = 0; i < RUNS_MOST && !(told.foreseen && told.timed); i++)
        if (!run_once(t, &told))
            return;
    EXPECT(t, PEBS_LBR, told.foreseen > 0, "all of %zu branches are flagged as mispredicted",
           told.entries);
    EXPECT(t, PEBS_LBR, told.timed > 0,
           "none of %zu branches has come between 1 and 65534 cycles after another", told.entries);
}

/* --- timed records --- */

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
