/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain accesses to registers that the processor refuses: each fails its own test, or subtest, and
 * no other. Run when named.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "kernel/report/test.h"
#include "tests/workloads/workload.h"

#define VECTOR_SPARE 0xd2u        /* nobody else's */
#define HIGH_BIT     (1ull << 63) /* IA32_PKRS refuses it everywhere, there or not */
#define RESERVED_BIT 0x20ull      /* of IA32_DEBUGCTL */

SELFTEST(selftest, deliberate_refused_wrmsr, CLAIMS("BTS-1"), NEEDS())
{
    wrmsr(IA32_PKRS, HIGH_BIT);
    test_fail(t, "went on after a plain access that was refused");
}

static bool refuse_in_handler(struct trap_frame *frame)
{
    (void)frame;
    wrmsr(IA32_PKRS, HIGH_BIT);
    return true;
}

/* One is in service, another one waits, interrupts are off. */
SELFTEST(selftest, deliberate_refused_wrmsr_in_handler, CLAIMS(), NEEDS(APIC))
{
    insn_cli();
    interrupt_set_handler(VECTOR_SPARE, refuse_in_handler);
    apic_self_ipi(VECTOR_SPARE);
    apic_self_ipi(VECTOR_SPARE - 1);
    insn_sti();
    for (;;)
        insn_pause();
    test_fail(t, "not reached");
}

static unsigned calls;

static void count_call(void)
{
    calls++;
}

static void run_bracket(uint32_t number, uint64_t value)
{
    struct bracket bracket = {.entry = count_call, .msr = number, .on = value, .off = value};

    bracket_run(&bracket);
}

/* In the first and the third subtest; the second one is as good as any. */
SELFTEST(selftest, deliberate_refused_bracket, CLAIMS("BTS-1", "BTS-2", "BTS-3"), NEEDS())
{
    static const char *const claims[] = {"BTS-1", "BTS-2", "BTS-3"};
    static const char *const names[] = {"refused", "taken", "refused_again"};

    calls = 0;
    TEST_NUMBERS(t, i, 0, 3, claims[i], "%s", names[i]) {
        run_bracket(i == 1 ? IA32_KERNEL_GS_BASE : IA32_PKRS, i == 1 ? 0 : HIGH_BIT);
        EXPECT_EQUAL(t, SETUP, "calls of the entry", calls, i > 0);
    }
}

/* Whatever the bracket was to end is still on: that is the second thing that is wrong. */
SELFTEST(selftest, deliberate_refused_end_of_bracket, CLAIMS(), NEEDS(BTS))
{
    struct bracket bracket = {.entry = count_call, .on = DEBUGCTL_BTS, .off = RESERVED_BIT};

    bracket_run(&bracket);
    EXPECT_EQUAL(t, SETUP, "the bracket tells", bracket.refused, 1);
}

/* What comes after a refusal finds everything as it should be. */
SELFTEST(selftest, plain_bracket, CLAIMS(), NEEDS())
{
    calls = 0;
    run_bracket(IA32_KERNEL_GS_BASE, rdmsr(IA32_KERNEL_GS_BASE));
    EXPECT_EQUAL(t, SETUP, "calls of the entry", calls, 1);
}
