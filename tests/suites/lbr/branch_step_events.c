/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single-stepping and branch-stepping beside events: HLT is an instruction like others, and no
 * branch; neither branches nor deliveries are steps while TF is clear.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/run.h"
#include "tests/step/branch_stepper.h"
#include "tests/workloads/branch_step.h"

#define RECORDS      512
#define WAKING_TICKS 2000 /* of the APIC timer, again and again */
#define NOP_LENGTH   1
#define TRACING      (DEBUGCTL_TR | DEBUGCTL_BTS)

/* --- HLT --- */

static const struct cpu *tested;
static interrupt_handler watchdog; /* of every processor's timer */

static bool start_timer_again(struct trap_frame *frame)
{
    if (this_cpu() != tested)
        return watchdog && watchdog(frame);
    apic_eoi();
    apic_timer_start(WAKING_TICKS);
    return true;
}

/* Wakes it as often as it takes. The watchdog counts with the timer: it goes on with what it had
 * left; its other leg is still there meanwhile. */
static void run_hlt(const struct branch_stepper_run *run, struct branch_stepper_result *result)
{
    uint32_t left = apic_timer_remaining();

    tested = this_cpu();
    watchdog = interrupt_handler_of(VECTOR_TIMER);
    interrupt_set_handler(VECTOR_TIMER, start_timer_again);
    apic_timer_start(WAKING_TICKS);
    branch_stepper_run(program_of_workload(&workload_branch_step_hlt), run, result);
    apic_timer_start(0);
    interrupt_set_handler(VECTOR_TIMER, watchdog);
    if (left)
        apic_timer_start(left);
}

static size_t traps_after_hlt(const struct branch_stepper_result *result)
{
    return branch_stepper_traps_at(result, (uint64_t)branch_step_hlt_next);
}

/* TF alone: a trap after each instruction (F9.1). */
TEST(branch_step, hlt_is_single_stepped, CLAIMS("BTF-1"), NEEDS(BTF, APIC))
{
    const struct branch_stepper_run run = {.trap_flag = true};
    struct branch_stepper_result result;

    run_hlt(&run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions after HLT", traps_after_hlt(&result), 1);
}

/* With BTF set the trap comes only after branches, and HLT is no branch. */
TEST(branch_step, hlt_is_no_branch, CLAIMS("BTF-1"), NEEDS(BTF, APIC))
{
    const struct branch_stepper_run run = {
        .debugctl = DEBUGCTL_BTF, .rearm = DEBUGCTL_BTF, .trap_flag = true};
    struct branch_stepper_result result;

    run_hlt(&run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions after HLT with BTF set", traps_after_hlt(&result), 0);
    EXPECT(t, DEBUG_MISSING, result.count, "no debug exception at the branches around it");
}

/* --- what their traps come from: the instruction, or what comes after it (F4.4) --- */

static bool run_traced(struct test_context *t,
                       void (*go)(const struct branch_stepper_run *run,
                                  struct branch_stepper_result *result),
                       bool trap_flag, struct branch_stepper_result *result)
{
    const struct bts_layout layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD};
    const struct branch_stepper_run run = {
        .debugctl = TRACING, .rearm = TRACING, .trap_flag = trap_flag};

    if (!expect_programmed(t, bts_prepare(&layout)))
        return false;
    go(&run, result);
    return true;
}

static void check_trap_at(struct test_context *t, size_t slot, const char *next,
                          const char *instruction)
{
    const struct bts_record *record = &bts_records()[slot];

    test_compared(t, 1);
    if (record->from != (uint64_t)next && record->from != (uint64_t)instruction)
        test_find(t, &(struct finding){.kind = FINDING_RECORD_FROM,
                                       .slot = slot,
                                       .expected = (uint64_t)instruction,
                                       .got = record->from,
                                       .previous = slot ? record[-1].from : 0,
                                       .first = slot == 0,
                                       .where = "the debug exception behind it"});
}

/* A debug exception, if it is stored (F4.7), precedes its IRET, whose record shows where it was. */
static void check_traps_at(struct test_context *t, const char *next, const char *instruction)
{
    const struct bts_record *record = bts_records();

    for (size_t i = 0; i + 1 < bts_index() && i + 1 < RECORDS; i++, record++)
        if (record[0].to == (uint64_t)branch_stepper_entry && record[1].to == (uint64_t)next &&
            record[1].from == (uint64_t)branch_stepper_iret)
            check_trap_at(t, i, next, instruction);
}

TEST(branch_step, hlt_is_where_its_trap_comes_from, CLAIMS("BTS-1", "BTF-1"), NEEDS(BTF, BTS, APIC))
{
    struct branch_stepper_result result;

    if (!run_traced(t, run_hlt, true, &result))
        return;
    EXPECT_COUNT(t, DEBUG, "debug exceptions after HLT", traps_after_hlt(&result), 1);
    check_traps_at(t, branch_step_hlt_next, branch_step_hlt_at);
}

static void run_sysret(const struct branch_stepper_run *run, struct branch_stepper_result *result)
{
    branch_stepper_run(program_of_workload(&workload_branch_step_sysret), run, result);
}

/* The first trap may come behind SYSRET itself or behind the instruction that it leads to. */
TEST(branch_step, sysret_that_sets_the_trap_flag, CLAIMS("BTS-1", "BTF-1"),
     NEEDS(BTF, BTS, SYSCALL))
{
    struct branch_stepper_result result;

    if (!run_traced(t, run_sysret, false, &result))
        return;
    EXPECT(t, DEBUG_MISSING, result.count, "no debug exception behind a SYSRET that sets TF");
    check_traps_at(t, branch_step_sysret_user, branch_step_sysret_from);
    check_traps_at(t, branch_step_sysret_user + NOP_LENGTH, branch_step_sysret_user);
}

/* --- without TF --- */

/* TF clear: BTF is without effect (F9.1), at deliveries too. */
static void check_without_trap_flag(struct test_context *t, const struct workload *workload)
{
    const struct branch_stepper_run run = {.debugctl = DEBUGCTL_BTF, .rearm = DEBUGCTL_BTF};
    struct branch_stepper_result result;

    branch_stepper_run(program_of_workload(workload), &run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions with BTF set and TF clear", result.count, 0);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the program", result.debugctl_end,
                 DEBUGCTL_BTF);
}

TEST(branch_step, nothing_without_trap_flag, CLAIMS("BTF-1"), NEEDS(BTF))
{
    check_without_trap_flag(t, &workload_near_branches);
}

TEST(branch_step, deliveries_without_trap_flag, CLAIMS("BTF-1"), NEEDS(BTF, SYSCALL))
{
    const struct workload *const workloads[] = {&workload_kernel_fault, &workload_user_fault,
                                                &workload_int_and_iret, &workload_rings};

    TEST_EACH(t, at, workloads, "BTF-1", "%s", (*at)->name)
        check_without_trap_flag(t, *at);
}
