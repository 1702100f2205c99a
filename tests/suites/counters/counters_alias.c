/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IA32_A_PMCx writes a general-purpose counter in its full width. Does each counter have one
 * exactly if IA32_PERF_CAPABILITIES[13] is set (F6.1)? Beyond the eight registers reserved for them
 * it is open (F21.14).
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/refused.h"

#define REGISTERS_SET_ASIDE 8u

TEST(counters, no_full_width_alias_but_those_enumerated, CLAIMS("PM-2"), NEEDS(PERFMON))
{
    for (unsigned i = 0; i < REGISTERS_SET_ASIDE; i++)
        if (!feature_present(FEATURE_FULL_WIDTH_WRITES) ||
            !pmu_counter_enumerated((struct counter){.number = i}))
            expect_no_counter_register(t, IA32_A_PMC0 + i, "IA32_A_PMC", i);
}
