/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are interrupts recorded, from the instruction that would have been next (F4.3): a self-IPI, the
 * APIC timer, an NMI, one that wakes from HLT, one in the middle of a string instruction?
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/spec/mode.h"
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
    {"self_ipi_amid_ring3", &workload_user_interrupted_later, VECTOR_WORKLOAD_INT, send_ipi},
    {"timer_in_ring0", &workload_kernel_interrupted, VECTOR_TIMER, send_timer},
    {"timer_in_ring3", &workload_user_interrupted, VECTOR_TIMER, send_timer},
    {"timer_wakes_from_hlt", &workload_kernel_hlt, VECTOR_TIMER, start_timer},
    {"self_ipi_in_string_instruction", &workload_kernel_rep_string, VECTOR_WORKLOAD_INT, send_ipi},
    {"self_ipi_between_iterations", &workload_kernel_rep_ports, VECTOR_WORKLOAD_INT, send_ipi},
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

TEST(transfers, interrupts_in_bts, CLAIMS("BTS-1"), NEEDS(BTS, PMI, SYSCALL))
{
    check_all(t, "BTS-1", transfer_check_bts, DEBUGCTL_TR | DEBUGCTL_BTS);
}

TEST(transfers, interrupts_in_lbr, CLAIMS("LBR-1"), NEEDS(LBR, PMI, SYSCALL))
{
    check_all(t, "LBR-1", transfer_check_lbr, DEBUGCTL_LBR);
}

/* --- while each counter counts, far from its overflow --- */

TEST(transfers, interrupts_in_bts_while_counters_count, CLAIMS("BTS-1"),
     NEEDS(BTS, PMI, SYSCALL, PERFMON2))
{
    check_all(t, "BTS-1", transfer_check_counting, DEBUGCTL_TR | DEBUGCTL_BTS);
}

TEST(transfers, interrupts_in_lbr_while_counters_count, CLAIMS("LBR-1"),
     NEEDS(LBR, PMI, SYSCALL, PERFMON2))
{
    check_all(t, "LBR-1", transfer_check_counting, DEBUGCTL_LBR);
}

/* An OFF bit is about interrupts as it is about branch instructions (F2.1, F4.33). */
TEST(transfers, interrupts_in_bts_of_one_ring, CLAIMS("T17-6.4", "T17-6.5", "T17-6.8", "T17-6.9"),
     NEEDS(BTS, DS_CPL, PMI, SYSCALL))
{
    test_plan(t, INTERRUPTIONS * ONE_RING_SETTINGS);
    for (size_t i = 0; i < INTERRUPTIONS; i++)
        for (unsigned setting = 0; setting < ONE_RING_SETTINGS; setting++) {
            transfer_begin_one_ring(t, interruptions[i].name, one_ring_settings[setting]);
            run(t, &interruptions[i], transfer_check_bts, one_ring_settings[setting]);
            test_end(t);
        }
}

/* --- the rows that store nothing, and those that interrupt --- */

static size_t threshold;

static bool check_threshold(struct test_context *t, const struct program *program,
                            uint64_t debugctl, bool hold_off)
{
    return transfer_check_threshold(t, program, debugctl, hold_off, threshold);
}

static void begin(struct test_context *t, const struct interruption *what, uint64_t debugctl)
{
    test_begin(t, mode_row_of(debugctl)->claim, "%s_debugctl_%03llx", what->name,
               (unsigned long long)debugctl);
}

/* The index is at the threshold already. */
static void check_not_stored(struct test_context *t, const uint64_t *settings, size_t count)
{
    threshold = 0;
    test_plan(t, (unsigned)(INTERRUPTIONS * count));
    for (size_t i = 0; i < INTERRUPTIONS; i++)
        for (size_t setting = 0; setting < count; setting++) {
            begin(t, &interruptions[i], settings[setting]);
            run(t, &interruptions[i], check_threshold, settings[setting]);
            test_end(t);
        }
}

TEST(transfers, interrupts_that_are_not_stored, CLAIMS("T17-6.1", "T17-6.2"),
     NEEDS(BTS, PMI, SYSCALL))
{
    static const uint64_t settings[] = {DEBUGCTL_BTS | DEBUGCTL_BTINT,
                                        DEBUGCTL_TR | DEBUGCTL_BTINT};

    check_not_stored(t, settings, COUNT_OF(settings));
}

TEST(transfers, interrupts_that_are_not_stored_with_cpl_bits, CLAIMS("T17-6.2", "T17-6.6"),
     NEEDS(BTS, DS_CPL, PMI, SYSCALL))
{
    static const uint64_t settings[] = {
        DEBUGCTL_TR | DEBUGCTL_BTS_OFF_OS,
        DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR,
        DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR | DEBUGCTL_BTINT,
    };

    check_not_stored(t, settings, COUNT_OF(settings));
}

/* It comes as an NMI, since IF is 0 here and there: that must neither wake from HLT nor find the
 * NMI's gate taken. */
static bool can_be_interrupted(const struct interruption *what)
{
    return what->vector != VECTOR_NMI && what->workload != &workload_kernel_hlt;
}

/* Each record of theirs in turn is the one that reaches the threshold. */
TEST(transfers, interrupts_that_reach_the_threshold, CLAIMS("T17-6.7", "BTS-5"),
     NEEDS(BTS, PMI, SYSCALL))
{
    const uint64_t debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;
    const struct interruption *end = interruptions + INTERRUPTIONS;

    TEST_EACH_WHERE(t, what, interruptions, end, can_be_interrupted(what), "T17-6.7", "%s",
                    what->name)
        for (threshold = 1; threshold <= program_of(what)->count + 1; threshold++)
            if (!test_has_failed(t))
                run(t, what, check_threshold, debugctl);
}
