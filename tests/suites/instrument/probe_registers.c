/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What RDMSR, RDPMC and CPUID leave in the registers when they tell of the facilities: all of them,
 * the refusal of what is not there or not to be written, and nothing that contradicts itself.
 */
#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/reserved_bits.h"

#define UPPER         0xffffffff00000000
#define AREA          0xffff800012345678 /* canonical */
#define LEAF_PERFMON  0x0au
#define LEAF_TOPOLOGY 0x0bu

/* --- the whole of RAX and RDX (F6.23) --- */

static void expect_halves(struct test_context *t, const char *what, const uint64_t registers[2],
                          uint64_t value)
{
    EXPECT(t, MSR_VALUE, registers[0] == (uint32_t)value && registers[1] == value >> 32,
           "%s of %#lx leaves %#lx in RAX and %#lx in RDX", what, value, registers[0],
           registers[1]);
}

TEST(probe, rdmsr_clears_upper_halves, CLAIMS("DS-1"), NEEDS(DS))
{
    uint64_t registers[2] = {UPPER, UPPER};

    EXPECT(t, MSR_REFUSES, !exception_happened(wrmsr_safe(IA32_DS_AREA, AREA)),
           "writing %#llx to IA32_DS_AREA faults", (unsigned long long)AREA);
    EXPECT(t, MSR_REFUSES, !exception_happened(rdmsr_whole(IA32_DS_AREA, registers)),
           "reading IA32_DS_AREA faults");
    expect_halves(t, "RDMSR", registers, AREA);
    wrmsr_safe(IA32_DS_AREA, 0);
}

TEST(probe, rdpmc_clears_upper_halves, CLAIMS("FRZ-9"), NEEDS(PERFMON))
{
    const struct counter pmc0 = {.number = 0};
    uint64_t registers[2] = {UPPER, UPPER};

    pmu_write(pmc0, pmu_counter_mask(pmc0));
    EXPECT(t, MSR_REFUSES, !exception_happened(rdpmc_whole(pmc0.number, registers)),
           "RDPMC of counter 0 faults");
    expect_halves(t, "RDPMC", registers, pmu_counter_mask(pmc0));
    pmu_write(pmc0, 0);
}

/* --- what is not there --- */

/* The facilities' registers, there or not. */
static const struct {
    uint32_t first, count;
} registers[] = {
    {IA32_PMC0, 8},
    {IA32_A_PMC0, 8},
    {IA32_PERFEVTSEL0, 8},
    {IA32_FIXED_CTR0, 4},
    {IA32_PERF_CAPABILITIES, 1},
    {IA32_FIXED_CTR_CTRL, 3}, /* up to IA32_PERF_GLOBAL_CTRL */
    {IA32_PERF_GLOBAL_STATUS_SET, 2},
    {IA32_PEBS_ENABLE, 2}, /* and MSR_PEBS_DATA_CFG */
    {MSR_LBR_SELECT, 2},
    {IA32_DS_AREA, 1},
};

static void check_read(struct test_context *t, uint32_t number)
{
    uint64_t ignored;
    struct exception exception = rdmsr_safe(number, &ignored);

    EXPECT(t, MSR_ACCEPTS,
           !exception_happened(exception) ||
               (exception.vector == VECTOR_GP && exception.error_code == 0),
           "RDMSR of register %#x raises %s with error code %#x, expected #GP with 0", number,
           exception_name(exception), exception.error_code);
}

TEST(probe, refused_reads_raise_gp, CLAIMS("DS-1"), NEEDS(MSR))
{
    for (size_t i = 0; i < COUNT_OF(registers); i++)
        for (uint32_t number = 0; number < registers[i].count; number++)
            check_read(t, registers[i].first + number);
}

/* --- what is there for reading (F1.33) --- */

static void check_capabilities_refuse(struct test_context *t, uint64_t before, uint64_t value)
{
    struct exception exception = wrmsr_safe(IA32_PERF_CAPABILITIES, value);
    uint64_t after = ~before;

    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "writing %#lx to IA32_PERF_CAPABILITIES, which is %#lx, raises %s, expected #GP(0)",
           value, before, exception_name(exception));
    rdmsr_safe(IA32_PERF_CAPABILITIES, &after);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_CAPABILITIES after a write", after, before);
}

TEST_UNLESS(probe, perf_capabilities_are_read_only, CLAIMS(), NEEDS(MSR),
            !trace_features()->perf_capabilities_readable,
            "CPUID.01H:ECX[15] = 0: no IA32_PERF_CAPABILITIES")
{
    uint64_t before = trace_features()->perf_capabilities;

    check_capabilities_refuse(t, before, before);
    for (unsigned bit = 0; bit < 64; bit++)
        check_capabilities_refuse(t, before, before ^ 1ull << bit);
}

/* --- performance monitoring, enumerated twice (F1.8, F1.20) --- */

/* Of the processors with a 64-bit mode, only NetBurst has none. */
static bool leaf_is_expected(void)
{
    return !debugctl_other_layout() && cpu_features()->identity.max_leaf >= LEAF_PERFMON;
}

TEST(probe, misc_enable_and_leaf_0ah_agree, CLAIMS("FRZ-1"), NEEDS(MSR))
{
    bool available = cpu_features()->misc_enable & MISC_ENABLE_PERFMON_AVAILABLE;
    unsigned version = trace_features()->perfmon.version;

    if (!identity_is_intel(&cpu_features()->identity) || !cpu_features()->misc_enable_readable)
        test_skip(t, "no IA32_MISC_ENABLE whose bits are known");
    else if (identity_is_somebodys_guest(&cpu_features()->identity))
        test_skip(t, "a hypervisor enumerates what it likes");
    else if (version)
        EXPECT(t, MSR_VALUE, available, "perfmon version %u, but IA32_MISC_ENABLE[7] = 0", version);
    else
        EXPECT(t, MSR_VALUE, !available || !leaf_is_expected(),
               "IA32_MISC_ENABLE[7] = 1, but CPUID.0AH has perfmon version 0");
}

/* Bits 31:5 of EAX are 0 there, and some of these are set here. */
TEST_UNLESS(probe, leaf_0ah_is_no_other_leaf, CLAIMS("FRZ-1"), NEEDS(PERFMON),
            cpu_features()->identity.max_leaf < LEAF_TOPOLOGY, "CPUID.0BH is not there")
{
    struct cpuid_result perfmon = insn_cpuid(LEAF_PERFMON, 0), next;

    next = insn_cpuid(LEAF_TOPOLOGY, 0);
    EXPECT(t, MSR_VALUE, next.eax != perfmon.eax, "CPUID.0BH has the EAX of CPUID.0AH: %#x",
           next.eax);
}

/* EBX has 32 bits, so that EAX[31:24] cannot say more (F1.8). */
TEST(probe, leaf_0ah_counts_the_bits_of_ebx, CLAIMS("FRZ-1"), NEEDS(PERFMON))
{
    uint32_t bits = trace_features()->perfmon.event_mask_length;

    EXPECT(t, MSR_VALUE, bits <= 32, "CPUID.0AH:EAX[31:24] = %u, but EBX has 32 bits", bits);
}

/* Leaf 0AH enumerates what cores of all kinds have, leaf 23H what this one has, which is no less
 * (F21.6, F21.9). */
TEST_UNLESS(probe, leaf_23h_has_no_less_than_leaf_0ah, CLAIMS("PM-1"), NEEDS(PERFMON),
            !(trace_features()->perfmon.own.leaves & PERFMON_OWN_COUNTERS),
            "CPUID.07H.1:EAX[8] = 0, or no sub-leaf 1: no CPUID.23H that tells counters")
{
    struct perfmon_identity own = trace_features()->perfmon, common = own;

    common.own = (struct perfmon_own){0};
    EXPECT(t, MSR_VALUE, !(perfmon_general_bitmap(&common) & ~perfmon_general_bitmap(&own)),
           "general-purpose counters of CPUID.0AH: %#x, of CPUID.23H: %#x",
           perfmon_general_bitmap(&common), perfmon_general_bitmap(&own));
    EXPECT(t, MSR_VALUE, !(perfmon_fixed_bitmap(&common) & ~perfmon_fixed_bitmap(&own)),
           "fixed counters of CPUID.0AH: %#x, of CPUID.23H: %#x", perfmon_fixed_bitmap(&common),
           perfmon_fixed_bitmap(&own));
    for (unsigned event = 0; event < 32 && own.own.leaves & PERFMON_OWN_EVENTS; event++)
        EXPECT(t, MSR_VALUE,
               !perfmon_event_available(&common, event) || perfmon_event_available(&own, event),
               "event %u is in CPUID.0AH, and not in CPUID.23H", event);
    EXPECT(t, MSR_VALUE, own.own.leaves & 1, "CPUID.23H, sub-leaf 0: EAX is %#x, without bit 0",
           own.own.leaves);
}

/* --- PEBS --- */

/* Where IA32_MISC_ENABLE says that PEBS is available, its enable register must take a bit. No
 * counter runs, so nothing is sampled while the bit is set. */
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
