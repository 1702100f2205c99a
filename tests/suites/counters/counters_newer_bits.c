/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each counter keep the control bits that CPUID.23H enumerates (F21.8, F21.19, F21.20), and
 * does the bit that keeps ring 3 from a counter do so?
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/traps/user.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/write_outcome.h"

#define CR4_PCE    (1u << 8)
#define CR4_OSFXSR (1u << 9) /* for RDPMC nothing, but the compiler's user code */

#define FIXED_NO_USER_READ(n) (1ull << (33 + 4 * (n)))

static bool tells(uint32_t bit)
{
    return trace_features()->perfmon.own.select_bits & bit;
}

static uint64_t newer_bits(void)
{
    return (tells(PERFMON_SELECT_UNIT_MASK_2) ? PERFEVTSEL_UNIT_MASK_2 : 0) |
           (tells(PERFMON_SELECT_EQUAL) ? PERFEVTSEL_EQUAL : 0) |
           (tells(PERFMON_SELECT_NO_USER_READ) ? PERFEVTSEL_NO_USER_READ : 0);
}

static void check_bit(struct test_context *t, uint32_t number, uint64_t value)
{
    enum write_outcome outcome = write_and_look(t, "the control", number, value);

    EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK, "MSR %XH, writing %#lx: %s", number, value,
           write_outcome_text(outcome));
    wrmsr_safe(number, 0);
}

static void check_newer_bits(struct test_context *t, struct counter counter)
{
    uint32_t number = pmu_select_register(counter.number);

    for (uint64_t left = newer_bits(); left; left &= left - 1) {
        check_bit(t, number, left & -left);
        check_bit(t, number, (left & -left) | pmu_event_select(PMU_CORE_CYCLES, COUNTER_OS));
    }
    check_bit(t, number, newer_bits());
}

TEST_UNLESS(counters, newer_bits_of_selects_are_kept, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !newer_bits(), "CPUID.23H: no bits of IA32_PERFEVTSELx above 35")
{
    counting_each_general(t, check_newer_bits);
}

/* --- RDPMC in ring 3 --- */

static struct user_result read_in_ring_3(struct counter counter)
{
    uint64_t cr4 = insn_read_cr4();
    struct user_result result;

    insn_write_cr4(cr4 | CR4_PCE | CR4_OSFXSR);
    result = user_run(USER_ENTRY_IRET, user_read_counter,
                      (counter.fixed ? RDPMC_FIXED : 0) | counter.number);
    insn_write_cr4(cr4);
    return result;
}

static void keep_from_users(struct counter counter)
{
    if (counter.fixed)
        wrmsr_safe(IA32_FIXED_CTR_CTRL, pmu_fixed_control_with(FIXED_NO_USER_READ(counter.number)));
    else
        wrmsr_safe(pmu_select_register(counter.number), PERFEVTSEL_NO_USER_READ);
}

/* Each counter has a bit of its own: ring 3 reads all others meanwhile. */
static void check_others(struct test_context *t, struct counter kept)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count && !test_has_failed(t); i++) {
        const uint64_t value = 0x2345678 + i;
        struct user_result result;
        char name[16];

        if (pmu_global_bit(counters[i]) == pmu_global_bit(kept))
            continue;
        pmu_write(counters[i], value);
        result = read_in_ring_3(counters[i]);
        pmu_counter_name(counters[i], name, sizeof name);
        EXPECT(t, MSR_VALUE, !exception_happened(result.exception) && result.rax == value,
               "RDPMC in ring 3 of %s, which is not kept from it: %s, %#lx", name,
               exception_name(result.exception), result.rax);
        pmu_write(counters[i], 0);
    }
}

/* What ring 3 gets in the counter's place is open: #GP, 0, something else. */
static void check_kept(struct test_context *t, struct counter counter)
{
    const uint64_t own = 0x1234567;
    uint64_t value = 0;
    struct user_result result;

    pmu_write(counter, own);
    keep_from_users(counter);
    rdpmc_safe((counter.fixed ? RDPMC_FIXED : 0) | counter.number, &value);
    EXPECT_EQUAL(t, MSR_VALUE, "RDPMC in ring 0 of a counter kept from ring 3", value, own);
    result = read_in_ring_3(counter);
    EXPECT(t, MSR_ACCEPTS, exception_happened(result.exception) || result.rax != own,
           "RDPMC in ring 3 gives %#lx of a counter that is kept from it", result.rax);
    choice_learn(t, CHOICE_USER_READ,
                 exception_happened(result.exception) ? VALUE_FAULT
                 : result.rax                         ? VALUE_OTHERS
                                                      : VALUE_NONE,
                 counter.fixed);
    check_others(t, counter);
    pmu_program_off(counter);
    if (counter.fixed)
        wrmsr_safe(IA32_FIXED_CTR_CTRL, pmu_fixed_control_with(0));
    result = read_in_ring_3(counter);
    EXPECT(t, MSR_VALUE, !exception_happened(result.exception) && result.rax == own,
           "RDPMC in ring 3 of a counter that is not kept from it: %s, %#lx",
           exception_name(result.exception), result.rax);
    pmu_write(counter, 0);
}

TEST_UNLESS(counters, rdpmc_in_ring_3_can_be_kept_from_a_counter, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !tells(PERFMON_SELECT_NO_USER_READ), "CPUID.23H, sub-leaf 0: EBX[2] = 0")
{
    counting_each(t, NULL, NULL, check_kept);
}
