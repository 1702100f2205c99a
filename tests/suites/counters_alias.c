/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IA32_A_PMCx, by which a general-purpose counter is written in its full width: there is one for
 * each counter where IA32_PERF_CAPABILITIES[13] says so, and none else (F6.1).
 */
#include "arch/cpu/interrupts.h"
#include "arch/cpu/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"
#include "kernel/test.h"

#define REGISTERS_SET_ASIDE 8u /* no processor known has more counters */

static void expect_refused(struct test_context *t, const char *access, unsigned number,
                           struct exception exception)
{
    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "%s IA32_A_PMC%u with %u counters and IA32_PERF_CAPABILITIES[13] = %d: %s, expected #GP "
           "with 0",
           access, number, pmu_general_count(), feature_present(FEATURE_FULL_WIDTH_WRITES),
           exception_name(exception));
}

TEST(counters, no_full_width_alias_but_those_enumerated, CLAIMS(), NEEDS(PERFMON))
{
    unsigned there = feature_present(FEATURE_FULL_WIDTH_WRITES) ? pmu_general_count() : 0;
    uint64_t value;

    for (unsigned i = there; i < REGISTERS_SET_ASIDE; i++) {
        expect_refused(t, "RDMSR", i, rdmsr_safe(IA32_A_PMC0 + i, &value));
        expect_refused(t, "WRMSR", i, wrmsr_safe(IA32_A_PMC0 + i, 0));
    }
}
