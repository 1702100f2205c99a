/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do IA32_PERFEVTSELx and IA32_FIXED_CTR_CTRL keep what is written to them? Counters that firmware
 * or a management controller writes are left alone (arch/trace/foreign_counters.h).
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"
#include "arch/trace/foreign_counters.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/write_outcome.h"

#define HOLD_TICKS 10000000u /* of the TSC: some milliseconds */

static uint64_t pattern(unsigned number)
{
    return 0x0f00u | (number + 1); /* event and unit mask: not enabled, nothing counts */
}

static void wait(void)
{
    uint64_t start = insn_rdtsc();

    while (insn_rdtsc() - start < HOLD_TICKS)
        insn_pause();
}

/* The interrupt of each fixed counter, and no ring: nothing counts. */
static uint64_t fixed_pattern(void)
{
    uint64_t fields = 0;

    for (unsigned i = 0; i < pmu_fixed_count(); i++)
        if (pmu_counter_exists((struct counter){.fixed = true, .number = i}))
            fields |= pmu_fixed_field(i, COUNTER_PMI);
    return fields;
}

static uint64_t changed_fields(uint64_t written)
{
    uint64_t changed = 0, differs = written ^ read_ours(IA32_FIXED_CTR_CTRL);

    for (unsigned i = 0; i < pmu_fixed_count(); i++)
        if (differs & pmu_fixed_field_mask(i))
            changed |= pmu_global_bit((struct counter){.fixed = true, .number = i});
    return changed;
}

/* The counters whose controls do not hold it, by their bits of the global registers. */
static uint64_t changed_controls(void)
{
    uint64_t changed = 0, found, fields = pmu_version() >= 2 ? fixed_pattern() : 0;

    PMU_EACH_GENERAL(i)
        wrmsr_safe(pmu_select_register(i), pattern(i));
    if (fields)
        wrmsr_safe(IA32_FIXED_CTR_CTRL, pmu_fixed_control_with(fields));
    wait();
    PMU_EACH_GENERAL(i) {
        found = 0;
        rdmsr_safe(pmu_select_register(i), &found);
        changed |= (uint64_t)(found != pattern(i)) << i;
    }
    return changed | (fields ? changed_fields(fields) : 0);
}

/* Where on the axis COUNTER; past its end where it has no point. */
static unsigned point_of(struct counter counter)
{
    if (!counter.fixed)
        return counter.number < CHOICE_FIXED_0 ? counter.number : AXIS_COUNTER_POINTS;
    return counter.number < CHOICE_FIXED_COUNTERS ? CHOICE_FIXED_0 + counter.number
                                                  : AXIS_COUNTER_POINTS;
}

static void check_control(struct test_context *t, struct counter counter, uint64_t changed)
{
    uint64_t bit = pmu_global_bit(counter);
    bool taken = foreign_counters() & bit;
    char name[16];

    pmu_counter_name(counter, name, sizeof name);
    test_under(t, counting_circumstances(counter));
    EXPECT(t, MSR_VALUE, taken || !(changed & bit),
           "the control of %s is not what was written some milliseconds ago, although nobody else "
           "was seen to use the counter",
           name);
    if (point_of(counter) < AXIS_COUNTER_POINTS)
        choice_learn(t, CHOICE_TAKEN_COUNTER, taken ? VALUE_YES : VALUE_NO, point_of(counter));
}

TEST(probe, selects_hold_what_is_written, CLAIMS(), NEEDS(MSR))
{
    uint64_t changed;

    if (pmu_version() == 0) {
        test_skip(t, "CPUID.0AH:EAX[7:0] (perfmon version) = 0");
        return;
    }
    changed = changed_controls();
    if (changed)
        trace_features_look_again();
    for (unsigned i = 0; i < PMU_COUNTERS_MAX; i++) {
        bool fixed = i >= PMU_GENERAL_MAX;
        struct counter counter = {fixed, fixed ? i - PMU_GENERAL_MAX : i};

        if (pmu_counter_enumerated(counter))
            check_control(t, counter, changed);
    }
    pmu_reset();
}
