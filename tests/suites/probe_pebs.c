/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where IA32_MISC_ENABLE says that PEBS is available, its enable register must take a bit; and the
 * register of the adaptive groups refuses what it does not have.
 */
#include "arch/cpu/msr.h"
#include "arch/cpu/trap_frame.h"
#include "arch/trace/pebs_format.h"
#include "kernel/test.h"

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

/* Of format 4: four groups, and how many LBR entries (F21.29). */
#define DATA_CONFIG_BITS 0xff00000full

/* One reserved bit at a time; a write that is refused changes nothing (F2.3). */
TEST(probe, pebs_groups_refuse_reserved_bits, CLAIMS("PEBS-4"), NEEDS(PEBS_ADAPTIVE))
{
    uint64_t before = 0;

    if (exception_happened(rdmsr_safe(MSR_PEBS_DATA_CFG, &before)))
        before = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        struct exception exception;
        uint64_t after = ~before;

        if (DATA_CONFIG_BITS >> bit & 1)
            continue;
        exception = wrmsr_safe(MSR_PEBS_DATA_CFG, before | 1ull << bit);
        EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP,
               "MSR_PEBS_DATA_CFG: %s on writing reserved bit %u", exception_name(exception), bit);
        rdmsr_safe(MSR_PEBS_DATA_CFG, &after);
        EXPECT_EQUAL(t, MSR_VALUE, "MSR_PEBS_DATA_CFG afterwards", after, before);
        wrmsr_safe(MSR_PEBS_DATA_CFG, before);
    }
}
