/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where IA32_MISC_ENABLE says that PEBS is available, its enable register must take a bit. */
#include "arch/cpu/msr.h"
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
