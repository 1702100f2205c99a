/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where IA32_MISC_ENABLE says that PEBS is available, its enable register must take a bit; and the
 * register of the adaptive groups keeps nothing that it does not have.
 */
#include "arch/cpu/msr.h"
#include "kernel/test.h"
#include "tests/oracle/reserved_bits.h"

/* No counter runs, so nothing is sampled while the bit is set. */
TEST(probe, pebs_enable_can_be_set_when_available, CLAIMS("DS-3"), NEEDS(PEBS, PERFMON2))
{
    struct exception exception = wrmsr_safe(IA32_PEBS_ENABLE, 1);
    uint64_t found = 0;

    if (!EXPECT(t, MSR_REFUSES, !exception_happened(exception),
                "setting bit 0 of IA32_PEBS_ENABLE raises %s", exception_name(exception)))
        return;
    exception = rdmsr_safe(IA32_PEBS_ENABLE, &found);
    EXPECT(t, MSR_REFUSES, !exception_happened(exception), "reading IA32_PEBS_ENABLE raises %s",
           exception_name(exception));
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PEBS_ENABLE", found, 1);
    exception = wrmsr_safe(IA32_PEBS_ENABLE, 0);
    EXPECT(t, MSR_REFUSES, !exception_happened(exception), "clearing IA32_PEBS_ENABLE raises %s",
           exception_name(exception));
}

/* Of format 4: four groups, and how many LBR entries (F21.29). Newer formats define more of them,
 * and are not looked at: PEBS_ADAPTIVE is format 4 alone. */
#define DATA_CONFIG_BITS 0xff00000full

/* One reserved bit at a time: whether it faults or is dropped is the processor's own affair (F2.3),
 * but none is kept, nothing else changes, and it is the same every time. */
TEST(probe, pebs_groups_refuse_reserved_bits, CLAIMS("PEBS-4"), NEEDS(PEBS_ADAPTIVE))
{
    static struct reserved_bits seen;

    reserved_bits_check(t, &seen, "MSR_PEBS_DATA_CFG", MSR_PEBS_DATA_CFG, ~DATA_CONFIG_BITS);
    reserved_bits_observe(t, &seen, "MSR_PEBS_DATA_CFG");
}
