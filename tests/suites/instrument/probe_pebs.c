/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where IA32_MISC_ENABLE says that PEBS is available, its enable register must take a bit; and the
 * register of the adaptive groups keeps nothing that it does not have.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/reserved_bits.h"

/* No counter runs, so nothing is sampled while the bit is set. */
TEST(probe, pebs_enable_can_be_set_when_available, CLAIMS("DS-3"), NEEDS(PEBS, PERFMON2))
{
    struct exception exception;
    uint64_t found = 0;

    if (skipped_as_not_lent(t, FEATURE_PEBS_RECORDS))
        return;
    exception = wrmsr_safe(IA32_PEBS_ENABLE, 1);
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

/* Reserved are all but four groups, how many LBR entries, and with format 6 the counters (F22.6).
 * One bit at a time: whether it faults or is dropped is the processor's own affair (F2.3),
 * but none is kept, nothing else changes, and it is the same every time. */
TEST(probe, pebs_groups_refuse_reserved_bits, CLAIMS("PEBS-4"), NEEDS(PEBS_ADAPTIVE))
{
    static struct reserved_bits seen;
    uint64_t bits = pebs_data_config_bits();
    const struct reserved_register config = {"MSR_PEBS_DATA_CFG", MSR_PEBS_DATA_CFG, ~bits, bits};

    reserved_bits_check(t, &seen, &config);
    reserved_bits_observe(t, &seen, "MSR_PEBS_DATA_CFG");
}
