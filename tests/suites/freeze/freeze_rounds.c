/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each overflow freeze the LBR stack anew, and the counters, where nothing but the status was
 * cleared since the last one? The streamlined way needs no write of IA32_DEBUGCTL (F7.8), and here
 * none is made: the interrupt's handler leaves that register alone, too.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/spec/freeze/freeze_check.h"
#include "tests/spec/lbr_check.h"

#define ROUNDS            4
#define PERIOD            300 /* instructions; the program has more */
#define TRANSFERS         2000
#define WAIT_MICROSECONDS 100000
#define FREEZING          ((uint64_t)(DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI))

static const struct counter counter = {.number = 0};

static volatile unsigned interrupts;

static bool count_interrupt(struct trap_frame *frame)
{
    (void)frame;
    apic_eoi();
    interrupts++;
    return true;
}

static void run_counted(void)
{
    const struct program *program = program_of_length(TRANSFERS);
    struct bracket bracket = {
        .msr = IA32_PERF_GLOBAL_CTRL,
        .on = pmu_global_bit(counter),
        .entry = program->entry,
        .argument = program->argument,
        .hold_off_interrupts = true,
    };

    bracket_run(&bracket);
}

/* Past the overflow, IF = 0. */
static void count_program(void)
{
    pmu_write_period(counter, PERIOD);
    apic_pmi_unmask();
    run_counted();
}

static void let_it_come(unsigned wanted)
{
    struct wait wait = time_wait(WAIT_MICROSECONDS);

    insn_sti();
    while (interrupts < wanted && wait_goes_on(&wait))
        ;
    insn_cli();
}

static bool stack_moves(void)
{
    static struct lbr_snapshot before, after;

    lbr_capture(&before);
    workload_near_branches.entry();
    lbr_capture(&after);
    return !lbr_same(&before, &after);
}

static void check_round(struct test_context *t, unsigned round)
{
    uint64_t status;

    EXPECT(t, FREEZE_LBR, stack_moves(), "round %u: the stack stands still before the overflow",
           round);
    count_program();
    status = pmu_status();
    EXPECT_BITS(t, OVERFLOW, "overflow bits", status & pmu_all_counters(), pmu_global_bit(counter));
    EXPECT(t, MSR_VALUE, status & PERF_GLOBAL_STATUS_LBR_FRZ,
           "round %u: LBR_Frz is clear after the overflow: IA32_PERF_GLOBAL_STATUS = %#lx", round,
           status);
    EXPECT(t, FREEZE_LBR, !stack_moves(), "round %u: the stack goes on after the overflow", round);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL", debugctl_read(), FREEZING);
    let_it_come(round + 1);
    EXPECT_COUNT(t, PMI, "interrupts", interrupts, round + 1);
    pmu_status_clear(status);
}

typedef void check_of_round(struct test_context *t, unsigned round);

static void check_rounds(struct test_context *t, uint64_t debugctl, check_of_round *check)
{
    interrupts = 0;
    interrupt_set_handler(VECTOR_TEST, count_interrupt);
    apic_pmi_program(APIC_DELIVERY_FIXED, VECTOR_TEST);
    pmu_reset();
    pmu_program(counter, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_PMI);
    insn_cli();
    debugctl_write_safe(debugctl);
    for (unsigned round = 0; round < ROUNDS && !test_has_failed(t); round++)
        check(t, round);
    debugctl_clear();
    pmu_reset();
    insn_sti();
    apic_pmi_mask();
    interrupt_set_handler(VECTOR_TEST, NULL);
}

TEST(freeze, anew_when_the_status_alone_was_cleared, CLAIMS("FRZ-5", "ALBR-6"),
     NEEDS(PERFMON4, FREEZE, LBR, PMI))
{
    test_under(t, UNDER(COUNTER) | UNDER(FREEZE_LBRS));
    if (freeze_lbr_flavour() != VALUE_STREAMLINED)
        test_skip(t, "this model may freeze the LBR stack the legacy way (D 12)");
    else if (!freeze_can_trigger(counter))
        test_skip(t, "CPUID.0AH:EBX[1] = 1: no event instructions retired");
    else
        check_rounds(t, FREEZING, check_round);
}

/* --- the counters, with or without a stack --- */

/* Runs to the end of the program, or until they freeze. */
static uint64_t count_on(void)
{
    uint64_t before = pmu_read(counter);

    run_counted();
    return pmu_read(counter) - before;
}

static void check_round_of_counters(struct test_context *t, unsigned round)
{
    uint64_t status, counted;

    count_program();
    status = pmu_status();
    counted = pmu_read(counter);
    EXPECT_BITS(t, OVERFLOW, "overflow bits", status & pmu_all_counters(), pmu_global_bit(counter));
    EXPECT(t, MSR_VALUE, status & PERF_GLOBAL_STATUS_CTR_FRZ,
           "round %u: CTR_Frz is clear after the overflow: IA32_PERF_GLOBAL_STATUS = %#lx", round,
           status);
    EXPECT(t, FREEZE_COUNTERS, counted < TRANSFERS / 2,
           "round %u: the counter has gone on for %lu instructions after its overflow", round,
           counted);
    EXPECT(t, FREEZE_COUNTERS, !count_on(), "round %u: the counter goes on although frozen", round);
    let_it_come(round + 1);
    EXPECT_COUNT(t, PMI, "interrupts", interrupts, round + 1);
    pmu_status_clear(status);
    EXPECT(t, FREEZE_COUNTERS, count_on(),
           "round %u: the counter stands still after the status was cleared", round);
}

TEST(freeze, counters_anew_when_the_status_alone_was_cleared, CLAIMS("FRZ-8"),
     NEEDS(PERFMON4, FREEZE, PMI))
{
    test_under(t, UNDER(COUNTER) | UNDER(FREEZE_COUNTERS));
    if (!freeze_can_trigger(counter))
        test_skip(t, "CPUID.0AH:EBX[1] = 1: no event instructions retired");
    else
        check_rounds(t, DEBUGCTL_FREEZE_PERFMON_ON_PMI, check_round_of_counters);
}
