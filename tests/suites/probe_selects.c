/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does IA32_PERFEVTSELx hold what is written to it, when nobody writes it any more? Where somebody
 * does, in system management mode or from a management controller, the counter is left alone
 * (arch/trace/taken.h).
 */
#include "arch/cpu/insn.h"
#include "arch/cpu/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"
#include "arch/trace/taken.h"
#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/run/counting.h"

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

/* The bits of those that do not hold it. */
static uint64_t changed_selects(void)
{
    uint64_t changed = 0, found;

    PMU_EACH_GENERAL(i)
        wrmsr_safe(IA32_PERFEVTSEL0 + i, pattern(i));
    wait();
    PMU_EACH_GENERAL(i) {
        found = 0;
        rdmsr_safe(IA32_PERFEVTSEL0 + i, &found);
        changed |= (uint64_t)(found != pattern(i)) << i;
    }
    return changed;
}

TEST(probe, selects_hold_what_is_written, CLAIMS(), NEEDS(MSR))
{
    uint64_t changed;

    if (pmu_version() == 0) {
        test_skip(t, "CPUID.0AH:EAX[7:0] (perfmon version) = 0");
        return;
    }
    changed = changed_selects();
    if (changed)
        trace_features_look_again();
    for (unsigned i = 0; i < pmu_general_count(); i++) {
        bool taken = taken_counters() >> i & 1;

        test_under(t, counting_circumstances((struct counter){.number = i}));
        EXPECT(t, MSR_VALUE, taken || !(changed >> i & 1),
               "IA32_PERFEVTSEL%u is not %#lx some milliseconds after that was written, although "
               "nobody else was seen to use the counter",
               i, pattern(i));
        if (i < AXIS_GENERAL_POINTS)
            choice_learn(t, CHOICE_TAKEN_COUNTER, taken ? VALUE_YES : VALUE_NO, i);
    }
    pmu_reset();
}
