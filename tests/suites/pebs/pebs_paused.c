/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting stops and starts again right where a counter overflows: one WRMSR clears
 * IA32_PERF_GLOBAL_CTRL, another sets it. Is the record of an instruction that was counted: none
 * between the two, and none before them unless the record was there by then?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"
#include "arch/trace/trace_state.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/workloads/armed_write.h"

static struct armed_pause paused;

static bool is_in_pause(uint64_t ip)
{
    return ip > (uint64_t)armed_pause_off && ip < (uint64_t)armed_pause_on;
}

static bool is_ahead(uint64_t ip)
{
    return ip >= (uint64_t)armed_pause && ip <= (uint64_t)armed_pause_off;
}

static void check_record(struct test_context *t, uint64_t first)
{
    const struct ds_management_area *area = &trace_state()->memory->area;
    bool stored_before = paused.found != area->pebs_buffer_base;
    struct pebs_record record;

    pebs_decode(0, &record);
    test_compared(t, 1);
    if (!record.has_eventing_ip)
        return;
    EXPECT(t, PEBS_EVENTING_IP, !is_in_pause(record.eventing_ip),
           "the record is of %pS, where nothing counted", (void *)record.eventing_ip);
    EXPECT(t, PEBS_EVENTING_IP, stored_before || !is_ahead(record.eventing_ip),
           "the record, not stored before counting stopped, is of %pS, which executed before",
           (void *)record.eventing_ip);
    if (test_has_failed(t))
        test_note(t, "the counter overflowed after %lu instructions", first);
}

/* Whether what was due when counting stopped is still due when it starts nothing says. */
static void check_pause(struct test_context *t, uint64_t debugctl, uint64_t first)
{
    const struct counter counter = sample_counter(PMU_INSTRUCTIONS);
    struct sampling sampling = sample_default(PMU_INSTRUCTIONS);

    paused = (struct armed_pause){.number = IA32_PERF_GLOBAL_CTRL,
                                  .on = pmu_global_bit(counter),
                                  .word = &trace_state()->memory->area.pebs_index};
    sampling.entry = armed_pause;
    sampling.argument = (uint64_t)&paused;
    sampling.debugctl = debugctl;
    sampling.count = 0;
    sampling_add(&sampling, counter, PMU_INSTRUCTIONS, first, SAMPLING_NEVER);
    if (!sampling_run(t, &sampling))
        return;
    EXPECT(t, PEBS_EXTRA, sampling.index <= 1, "%zu records, one at most is due", sampling.index);
    if (sampling.index == 1)
        check_record(t, first);
    sampling_expect_no_stray_write(t, sampling.index);
}

TEST(pebs, records_nothing_while_counting_is_paused, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, PERFMON2, PMI))
{
    if (!sample_event_works(t, PMU_INSTRUCTIONS)) {
        test_skip(t, SAMPLE_NO_INSTRUCTIONS);
        return;
    }
    test_under(t, UNDER(INSTRUCTIONS) | UNDER(COUNTER)); /* it stops as it overflows */
    for (uint64_t first = 1; first <= ARMED_PAUSE_AHEAD && !test_has_failed(t); first++) {
        check_pause(t, 0, first);
        if (feature_present(FEATURE_LBR)) /* branches are looked at all the time */
            check_pause(t, DEBUGCTL_LBR, first);
    }
}
