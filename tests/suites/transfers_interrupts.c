/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are interrupts recorded, from the instruction that would have been next (F4.3): a self-IPI, the
 * APIC timer, an NMI, one that wakes from HLT, one in the middle of a string instruction?
 */
#include "arch/cpu/apic.h"
#include "arch/cpu/insn.h"
#include "arch/cpu/interrupts.h"
#include "arch/trace/debugctl.h"
#include "kernel/test.h"
#include "kernel/time.h"
#include "tests/run/transfer_run.h"

#define PENDING_MICROSECONDS 1000000u /* an emulator on a busy host takes its time */
#define SHORT_TICKS          100      /* of the APIC timer */
#define LONG_TICKS           2000     /* time enough to be in HLT by then */

struct interruption {
    const char *name;
    const struct workload *workload;
    uint8_t vector;
    bool (*send)(void); /* with IF = 0; false: it does not come */
};

static bool wait_until_pending(uint8_t vector)
{
    uint64_t deadline = time_deadline_microseconds(PENDING_MICROSECONDS);

    while (!apic_is_pending(vector) && !time_passed(deadline))
        ;
    return apic_is_pending(vector);
}

static bool send_ipi(void)
{
    apic_self_ipi(VECTOR_WORKLOAD_INT);
    return wait_until_pending(VECTOR_WORKLOAD_INT);
}

static bool send_timer(void)
{
    apic_timer_start(SHORT_TICKS);
    return wait_until_pending(VECTOR_TIMER);
}

static bool start_timer(void)
{
    apic_timer_start(LONG_TICKS);
    return true;
}

/* The workload sends it. */
static bool send_nothing(void)
{
    return true;
}

static const struct interruption interruptions[] = {
    {"self_ipi_in_ring0", &workload_kernel_interrupted, VECTOR_WORKLOAD_INT, send_ipi},
    {"self_ipi_in_ring3", &workload_user_interrupted, VECTOR_WORKLOAD_INT, send_ipi},
    {"timer_in_ring0", &workload_kernel_interrupted, VECTOR_TIMER, send_timer},
    {"timer_in_ring3", &workload_user_interrupted, VECTOR_TIMER, send_timer},
    {"timer_wakes_from_hlt", &workload_kernel_hlt, VECTOR_TIMER, start_timer},
    {"self_ipi_in_string_instruction", &workload_kernel_rep_string, VECTOR_WORKLOAD_INT, send_ipi},
    {"nmi", &workload_kernel_nmi, VECTOR_NMI, send_nothing},
};

#define INTERRUPTIONS COUNT_OF(interruptions)

static const struct program *program_of(const struct interruption *what)
{
    static struct program program;
    const struct workload *workload = what->workload;

    if (what->vector == VECTOR_NMI && apic_mode() == APIC_MODE_X2APIC)
        workload = &workload_kernel_nmi_x2apic;
    program = *program_of_workload(workload);
    if (what->vector == VECTOR_NMI)
        program.argument = apic_prepare_self_nmi();
    return &program;
}

/* The watchdog counts with the timer: it goes on with what it had left. */
static void give_timer_back(uint32_t left)
{
    interrupt_gate_reset(VECTOR_TIMER);
    if (left)
        apic_timer_start(left);
}

static void run(struct test_context *t, const struct interruption *what, transfer_check check,
                uint64_t debugctl)
{
    const struct program *program = program_of(what);
    uint32_t timer_left = apic_timer_remaining();

    if (what->workload == &workload_kernel_hlt)
        test_under(t, UNDER(WAKE));
    insn_cli();
    interrupted_at = 0;
    interrupt_gate_direct(what->vector, interrupted_handler, 0);
    if (what->send())
        check(t, program, debugctl, true);
    else
        test_fail(t, "the interrupt did not become pending");
    insn_sti(); /* one that the workload did not let in, as it did not run, comes while it may */
    if (what->vector != VECTOR_NMI)
        apic_eoi();
    interrupt_gate_reset(what->vector);
    if (what->vector == VECTOR_TIMER)
        give_timer_back(timer_left);
    EXPECT(t, SETUP, interrupted_at != 0, "the interrupt did not come");
}

static void check_all(struct test_context *t, const char *claim, transfer_check check,
                      uint64_t debugctl)
{
    TEST_EACH(t, row, interruptions, claim, "%s", row->name)
        run(t, row, check, debugctl);
}

TEST(transfers, interrupts_in_bts, CLAIMS("BTS-1"), NEEDS(BTS, APIC, SYSCALL))
{
    check_all(t, "BTS-1", transfer_check_bts, DEBUGCTL_TR | DEBUGCTL_BTS);
}

TEST(transfers, interrupts_in_lbr, CLAIMS("LBR-1"), NEEDS(LBR, APIC, SYSCALL))
{
    check_all(t, "LBR-1", transfer_check_lbr, DEBUGCTL_LBR);
}

/* An OFF bit is about interrupts as it is about branch instructions (F2.1, F4.33). */
TEST(transfers, interrupts_in_bts_of_one_ring, CLAIMS("T17-6.4", "T17-6.5", "T17-6.8", "T17-6.9"),
     NEEDS(BTS, DS_CPL, APIC, SYSCALL))
{
    test_plan(t, INTERRUPTIONS * ONE_RING_SETTINGS);
    for (size_t i = 0; i < INTERRUPTIONS; i++)
        for (unsigned setting = 0; setting < ONE_RING_SETTINGS; setting++) {
            transfer_begin_one_ring(t, interruptions[i].name, one_ring_settings[setting]);
            run(t, &interruptions[i], transfer_check_bts, one_ring_settings[setting]);
            test_end(t);
        }
}
