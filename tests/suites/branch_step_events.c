/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single-stepping and branch-stepping beside events: HLT is an instruction like others, and no
 * branch; deliveries are no steps while TF is clear.
 */
#include "arch/cpu/apic.h"
#include "arch/cpu/interrupts.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "kernel/test.h"
#include "tests/run/run.h"
#include "tests/step/branch_stepper.h"
#include "tests/workloads/branch_step.h"

#define RECORDS      512
#define WAKING_TICKS 2000 /* of the APIC timer, again and again */
#define HLT_LENGTH   1

/* --- HLT --- */

static bool start_timer_again(struct trap_frame *frame)
{
    (void)frame;
    apic_eoi();
    apic_timer_start(WAKING_TICKS);
    return true;
}

/* Wakes it as often as it takes. The watchdog counts with the timer: it goes on with what it had
 * left; its other leg is still there meanwhile. */
static void run_hlt(const struct branch_stepper_run *run, struct branch_stepper_result *result)
{
    uint32_t left = apic_timer_remaining();
    interrupt_handler watchdog = interrupt_set_handler(VECTOR_TIMER, start_timer_again);

    apic_timer_start(WAKING_TICKS);
    branch_stepper_run(program_of_workload(&workload_branch_step_hlt), run, result);
    apic_timer_start(0);
    interrupt_set_handler(VECTOR_TIMER, watchdog);
    if (left)
        apic_timer_start(left);
}

static size_t traps_after_hlt(const struct branch_stepper_result *result)
{
    size_t found = 0;

    for (size_t i = 0; i < result->count && i < BRANCH_TRAPS_MAX; i++)
        found += result->traps[i].rip == (uint64_t)branch_step_hlt_next;
    return found;
}

/* TF alone: a trap after each instruction (F9.1). */
TEST(branch_step, hlt_is_single_stepped, CLAIMS("BTF-1"), NEEDS(BTF, APIC))
{
    const struct branch_stepper_run run = {.trap_flag = true};
    struct branch_stepper_result result;

    run_hlt(&run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions after HLT", traps_after_hlt(&result), 1);
}

/* With BTF set it comes after branches alone, and HLT is none. */
TEST(branch_step, hlt_is_no_branch, CLAIMS("BTF-1"), NEEDS(BTF, APIC))
{
    const struct branch_stepper_run run = {
        .debugctl = DEBUGCTL_BTF, .rearm = DEBUGCTL_BTF, .trap_flag = true};
    struct branch_stepper_result result;

    run_hlt(&run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions after HLT with BTF set", traps_after_hlt(&result), 0);
    EXPECT(t, DEBUG_MISSING, result.count, "no debug exception at the branches around it");
}

/* Its debug exception, and the way back, which tells where the former was: FROM is the HLT or what
 * comes after it (F4.4). */
static void check_record(struct test_context *t, const struct bts_record *record)
{
    const uint64_t next = (uint64_t)branch_step_hlt_next;

    if (record[0].to != (uint64_t)branch_stepper_entry || record[1].to != next ||
        record[1].from != (uint64_t)branch_stepper_iret)
        return;
    EXPECT(t, RECORD_FROM, record[0].from == next || record[0].from == next - HLT_LENGTH,
           "the debug exception after HLT was recorded from %pS, HLT is at %pS",
           (void *)record[0].from, (void *)(next - HLT_LENGTH));
}

TEST(branch_step, hlt_is_where_its_trap_comes_from, CLAIMS("BTS-1", "BTF-1"), NEEDS(BTF, BTS, APIC))
{
    const struct bts_layout layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD};
    const struct branch_stepper_run run = {.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
                                           .rearm = DEBUGCTL_TR | DEBUGCTL_BTS,
                                           .trap_flag = true};
    struct branch_stepper_result result;

    if (!expect_programmed(t, bts_prepare(&layout)))
        return;
    run_hlt(&run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions after HLT", traps_after_hlt(&result), 1);
    for (size_t i = 0; i + 1 < bts_index() && i + 1 < RECORDS; i++)
        check_record(t, &bts_records()[i]);
}

/* --- deliveries --- */

/* TF clear: BTF is without effect (F9.1), at deliveries too. */
static void check_delivery(struct test_context *t, const struct workload *workload)
{
    const struct branch_stepper_run run = {.debugctl = DEBUGCTL_BTF, .rearm = DEBUGCTL_BTF};
    struct branch_stepper_result result;

    branch_stepper_run(program_of_workload(workload), &run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions with BTF set and TF clear", result.count, 0);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the program", result.debugctl_end,
                 DEBUGCTL_BTF);
}

TEST(branch_step, deliveries_without_trap_flag, CLAIMS("BTF-1"), NEEDS(BTF, SYSCALL))
{
    const struct workload *const workloads[] = {&workload_kernel_fault, &workload_user_fault,
                                                &workload_int_and_iret, &workload_rings};

    TEST_EACH(t, at, workloads, "BTF-1", "%s", (*at)->name)
        check_delivery(t, *at);
}
