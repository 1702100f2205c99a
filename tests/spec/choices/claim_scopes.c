/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which claims say nothing of this processor, as its kind is another: they are not checked here,
 * whatever the tests that name them have found beside. A facility that is missing as a whole needs
 * no row: its tests skip, and say so.
 */
#include "arch/cpu/identity/features.h"
#include "arch/trace/features.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/freeze_flavour.h"

#define STREAMLINED "perfmon version 4 or later: the freeze is the streamlined one"
#define LEGACY      "perfmon version 2 or 3: the freeze is the legacy one"
#define NO_DS_CPL   "CPUID.01H:ECX[4].DS-CPL = 0"
#define NO_ARCH     "CPUID.07H.0:EDX[19] = 0: no architectural LBRs"
#define ARCH        "CPUID.07H.0:EDX[19] = 1: LBRs are architectural"

/* Without the off bits there are the rows without them (F1.2). */
static bool has_off_bits(void)
{
    return feature_present(FEATURE_DS_CPL) || !feature_present(FEATURE_BTS);
}

/* F7.1; of a Goldmont that has frozen nothing it is not known (D 12). */
static bool freezes_stack_the_legacy_way(void)
{
    return freeze_lbr_flavour() != VALUE_STREAMLINED;
}

static bool freezes_stack_the_streamlined_way(void)
{
    return !feature_present(FEATURE_PERFMON2) || freeze_lbr_flavour() != VALUE_LEGACY;
}

static bool freezes_counters_the_legacy_way(void)
{
    return !freeze_is_streamlined();
}

static bool freezes_counters_the_streamlined_way(void)
{
    return !feature_present(FEATURE_PERFMON2) || freeze_is_streamlined();
}

static bool freezes_in_smm(void)
{
    return feature_present(FEATURE_FREEZE_WHILE_SMM);
}

/* Before extended PEBS there are four counters at most that sample (F3.60, F22.17). */
static bool samples_with_extended_counters(void)
{
    return !feature_present(FEATURE_PEBS_RECORDS) ||
           pebs_counters() & ~(uint64_t)(PEBS_GENERAL(4) - 1);
}

static bool has_arch_lbr(void)
{
    return trace_features()->architectural_lbr;
}

static bool has_no_arch_lbr(void)
{
    return !has_arch_lbr();
}

CLAIM_SCOPES(scopes) = {
    {"T17-6.4", has_off_bits, NO_DS_CPL},
    {"T17-6.5", has_off_bits, NO_DS_CPL},
    {"T17-6.6", has_off_bits, NO_DS_CPL},
    {"T17-6.8", has_off_bits, NO_DS_CPL},
    {"T17-6.9", has_off_bits, NO_DS_CPL},
    {"FRZ-2", freezes_stack_the_legacy_way, STREAMLINED},
    {"FRZ-3", freezes_stack_the_legacy_way, STREAMLINED},
    {"FRZ-4", freezes_stack_the_legacy_way, STREAMLINED},
    {"FRZ-5", freezes_stack_the_streamlined_way, LEGACY},
    {"FRZ-6", freezes_counters_the_legacy_way, STREAMLINED},
    {"FRZ-7", freezes_counters_the_legacy_way, STREAMLINED},
    {"FRZ-8", freezes_counters_the_streamlined_way, LEGACY},
    {"PEBS-6", samples_with_extended_counters, "PEBS is on PMC0 to PMC3 alone, or fewer"},
    {"ALBR-1", has_arch_lbr, NO_ARCH},
    {"ALBR-2", has_arch_lbr, NO_ARCH},
    {"ALBR-3", has_arch_lbr, NO_ARCH},
    {"ALBR-4", has_arch_lbr, NO_ARCH},
    {"ALBR-5", has_arch_lbr, NO_ARCH},
    {"ALBR-6", has_arch_lbr, NO_ARCH},
    {"ALBR-7", has_arch_lbr, NO_ARCH},
    {"ALBR-8", has_arch_lbr, NO_ARCH},
    {"ALBR-9", has_arch_lbr, NO_ARCH},
    {"ALBR-10", has_arch_lbr, NO_ARCH},
    {"LBR-2", has_no_arch_lbr, ARCH},
    {"LER-1", has_no_arch_lbr, ARCH},
    {"FRZ-14", freezes_in_smm, "IA32_PERF_CAPABILITIES[12].FREEZE_WHILE_SMM = 0"},
};
