/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that end badly on purpose, so that the host can see each bad end reported as what it is.
 * Run when named.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/apic/smi.h"
#include "arch/cpu/traps/user.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/machine/time.h"
#include "kernel/report/test.h"
#include "tests/run/other_processor.h"
#include "tests/run/run.h"

#define VECTOR_SPARE 0xd1u /* nobody else's */
#define LINES        1500  /* a second of printing and more */

SELFTEST(selftest, deliberate_failure, CLAIMS("BTS-1"), NEEDS())
{
    test_note(t, "this note is shown because the test fails");
    EXPECT_EQUAL(t, SETUP, "the answer", 41, 42);
}

SELFTEST(selftest, deliberate_subtest_failure, CLAIMS("BTS-1", "BTS-2"), NEEDS())
{
    test_plan(t, 3);
    test_begin(t, "BTS-1", "good");
    test_note(t, "this note is not shown");
    test_end(t);
    test_begin(t, "BTS-2", "bad");
    test_fail(t, "failed on purpose");
    test_end(t);
    test_begin(t, NULL, "skipped");
    test_skip(t, "skipped on purpose");
    test_end(t);
}

/* Acts as firmware that had something to do. */
static void raise_smi(struct test_context *t)
{
    struct smi_command command;
    const char *why = smi_find_command(&command);

    if (why)
        test_note(t, "no SMI: %s", why);
    else
        insn_out8(command.port, command.value);
    for (unsigned i = 0; i < 100; i++)
        insn_pause();
}

SELFTEST(selftest, deliberate_failure_by_an_smi, CLAIMS("BTS-1"), NEEDS())
{
    static bool has_failed;

    if (has_failed)
        return;
    raise_smi(t);
    test_fail(t, "failed as if the SMI had disturbed it");
    has_failed = true;
}

SELFTEST(selftest, deliberate_subtest_failure_by_an_smi, CLAIMS("BTS-1"), NEEDS())
{
    test_plan(t, 1);
    test_begin(t, "BTS-1", "disturbed");
    raise_smi(t);
    test_fail(t, "failed as if the SMI had disturbed it");
    test_end(t);
}

/* Behind a test in which one came, so that the lines of this one are kept back. */
SELFTEST(selftest, deliberate_subtest_failure_by_one_smi, CLAIMS("BTS-1"), NEEDS())
{
    static bool has_failed;

    test_plan(t, 2);
    test_begin(t, "BTS-1", "undisturbed");
    test_end(t);
    test_begin(t, "BTS-1", "disturbed_once");
    if (!has_failed) {
        raise_smi(t);
        test_fail(t, "failed as if the SMI had disturbed it");
    }
    has_failed = true;
    test_end(t);
}

/* As the first NMI of a board does, behind an interrupt of the processor's own that is one, too. */
static void send_nmi(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    apic_send_nmi(apic_id());
}

SELFTEST(selftest, deliberate_failure_by_an_nmi, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    static bool has_failed;
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
        .layout = {.records = 64, .threshold = 8},
        .policy = PMI_COUNT,
        .delivery = APIC_DELIVERY_NMI,
        .interrupts_wanted = 1,
        .behind = has_failed ? NULL : send_nmi,
    };
    struct observation seen;

    if (run_program(t, program_of_length(40), &run, &seen))
        EXPECT(t, PMI_EXTRA, seen.interrupts == 1, "%zu interrupts came", seen.interrupts);
    has_failed = true;
}

SELFTEST(selftest, deliberate_skip, CLAIMS(), NEEDS())
{
    test_skip(t, "skipped on purpose");
}

SELFTEST(selftest, deliberate_hang, CLAIMS(), NEEDS())
{
    (void)t;
    for (;;)
        insn_pause();
}

static void linger(const struct run *run, struct observation *seen)
{
    uint64_t end = time_deadline_microseconds(test_time_given() / 5 * 3);

    (void)run, (void)seen;
    while (!time_passed(end))
        insn_pause();
}

/* Each run ends in the test's time, and all together do not. */
static void make_slow_runs(struct test_context *t, unsigned runs)
{
    const struct run run = {.behind = linger};
    struct observation seen;

    for (unsigned i = 0; i < runs; i++)
        run_program(t, program_of_length(1), &run, &seen);
}

SELFTEST(selftest, deliberate_slow_runs, CLAIMS(), NEEDS())
{
    make_slow_runs(t, 5);
}

SELFTEST(selftest, deliberate_slow_runs_without_end, CLAIMS(), NEEDS())
{
    make_slow_runs(t, ~0u);
}

SELFTEST(selftest, deliberate_hang_interrupts_off, CLAIMS(), NEEDS())
{
    (void)t;
    insn_cli();
    for (;;)
        insn_pause();
}

SELFTEST(selftest, deliberate_hang_in_subtest, CLAIMS("BTS-1", "BTS-2"), NEEDS())
{
    test_plan(t, 4);
    test_begin(t, "BTS-1", "good");
    test_end(t);
    test_begin(t, "BTS-2", "hangs");
    for (;;)
        insn_pause();
}

/* The time is up in the middle of a line, or between two that belong together. */
SELFTEST(selftest, deliberate_hang_while_printing, CLAIMS("BTS-1"), NEEDS())
{
    TEST_NUMBERS(t, i, 0, LINES, "BTS-1", "line_%u", i) {
        if (i % 2 == 0)
            test_fail(t, "failed on purpose");
    }
    for (;;)
        insn_pause();
}

static __attribute__((section(".user.text"))) void spin_in_ring_3(void)
{
    for (;;)
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

SELFTEST(selftest, deliberate_hang_in_ring3, CLAIMS(), NEEDS())
{
    (void)t;
    user_run(USER_ENTRY_IRET, spin_in_ring_3, 0);
}

static volatile bool never;

static bool spin_in_handler(struct trap_frame *frame)
{
    (void)frame;
    interrupt_set_handler(VECTOR_SPARE, NULL);
    while (!never)
        insn_pause();
    return true;
}

/* Interrupts are off, one is in service, and it never gets its EOI. */
SELFTEST(selftest, deliberate_hang_in_handler, CLAIMS(), NEEDS(APIC))
{
    (void)t;
    interrupt_set_handler(VECTOR_SPARE, spin_in_handler);
    apic_self_ipi(VECTOR_SPARE);
    for (;;)
        insn_pause();
}

/* Its vector has no handler when interrupts are let in again. */
SELFTEST(selftest, deliberate_hang_interrupt_waiting, CLAIMS(), NEEDS(APIC))
{
    (void)t;
    insn_cli();
    apic_self_ipi(VECTOR_SPARE);
    for (;;)
        insn_pause();
}

/* Every turn of the loop is a record, and so is every branch of what ends it. */
SELFTEST(selftest, deliberate_hang_while_tracing, CLAIMS(), NEEDS(BTS))
{
    static const struct bts_layout layout = {.records = 64, .threshold = BTS_NO_THRESHOLD};
    const char *why = bts_prepare(&layout);

    if (!EXPECT(t, SETUP, why == NULL, "no buffer: %s", why))
        return;
    insn_cli();
    debugctl_write_safe(DEBUGCTL_TR | DEBUGCTL_BTS);
    for (;;)
        insn_pause();
}

SELFTEST(selftest, deliberate_crash, CLAIMS(), NEEDS())
{
    test_note(t, "this note is shown because the test crashes");
    __builtin_trap();
}

/* Where no line is printed but those of the crash. */
SELFTEST(selftest, deliberate_crash_when_run_again, CLAIMS(), NEEDS())
{
    static bool has_failed;

    if (has_failed)
        __builtin_trap();
    has_failed = true;
    test_fail(t, "failed on purpose");
}

static void trap(void *unused)
{
    (void)unused;
    __builtin_trap();
}

SELFTEST(selftest, deliberate_crash_elsewhere, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    if (other_start(t, 1) && other_run(t, 1, trap, NULL))
        other_stop(t, 1);
}

/* Where the one that booted conducts, the run goes on. */
SELFTEST(selftest, deliberate_crash_if_not_booted, CLAIMS("BTS-1"), NEEDS())
{
    test_note(t, "this is processor %u", cpu_number());
    if (cpu_number())
        __builtin_trap();
}

static void spin(void *unused)
{
    (void)unused;
    insn_cli();
    while (!never)
        insn_pause();
}

SELFTEST(selftest, deliberate_hang_elsewhere, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    if (other_start(t, 1) && other_run(t, 1, spin, NULL))
        other_stop(t, 1);
}

/* In the handler of an NMI no other one comes: nothing brings it back. */
static void go_deaf(void)
{
    interrupt_add_nmi_handler(spin_in_handler);
    apic_send_nmi(apic_id());
    for (;;)
        insn_pause();
}

SELFTEST(selftest, deliberate_deafness_if_not_booted, CLAIMS("BTS-1"), NEEDS(APIC))
{
    if (!cpu_number()) {
        test_skip(t, "the processor that booted would end the run so");
        return;
    }
    go_deaf();
}

/* In a soak no repetition is the first one. */
SELFTEST(selftest, deliberate_deafness_in_a_soak, CLAIMS("BTS-1"), NEEDS(APIC))
{
    test_checked(t);
    if (cpu_number() && test_repetition(t) > 0)
        go_deaf();
}

/* One of so many draws. */
SELFTEST(selftest, deliberate_failure_in_a_soak, CLAIMS("BTS-1", "BTS-2"), NEEDS())
{
    test_checked(t);
    if (test_repetition(t) > 0 && test_seed(t) % 8 == 0)
        test_fail(t, "as it is made to");
}

static __attribute__((noinline)) uint64_t recurse(volatile uint64_t depth)
{
    return never ? depth : recurse(depth + 1) + depth;
}

SELFTEST(selftest, deliberate_stack_overflow, CLAIMS(), NEEDS())
{
    test_note(t, "depth %lu", recurse(0));
}

/* Leaves interrupts off: the quiet check must see it and put it right for the next test. */
SELFTEST(selftest, noisy_processor, CLAIMS(), NEEDS())
{
    (void)t;
    insn_cli();
}

/* --- failures and passes that rows of kernel/report/errata.def speak of --- */

/* The symptom of SELF1 and SELF2. */
static void find_the_symptom(struct test_context *t)
{
    EXPECT_EQUAL(t, INDEX, "the answer", 41, 42);
}

/* seed=1: with another finding; seed=2: with one that is the test's own trouble. */
SELFTEST(selftest, deliberate_deviation_fails, CLAIMS("BTS-1"), NEEDS())
{
    test_note(t, "this note is shown, expected or not");
    find_the_symptom(t);
    EXPECT_EQUAL(t, INDEX, "the question", test_seed(t) == 1, 0);
    if (test_seed(t) == 2)
        test_fail(t, "the seed is 2");
    test_breaks(t, "BTS-2");
}

SELFTEST(selftest, deliberate_deviation_passes, CLAIMS("BTS-1"), NEEDS())
{
    EXPECT(t, INDEX, true, "never said");
}

SELFTEST(selftest, deliberate_deviation_skips, CLAIMS("BTS-1"), NEEDS())
{
    test_skip(t, "skipped on purpose");
}

SELFTEST(selftest, deliberate_deviation_hangs, CLAIMS("BTS-1"), NEEDS())
{
    find_the_symptom(t);
    for (;;)
        insn_pause();
}

/* The finding in the subtest called expected is a symptom; seed=1 makes the other one fail too. */
SELFTEST(selftest, deliberate_part_of_a_deviation, CLAIMS("BTS-1", "BTS-2"), NEEDS())
{
    test_plan(t, 2);
    test_begin(t, "BTS-1", "expected");
    find_the_symptom(t);
    test_end(t);
    test_begin(t, "BTS-2", "other");
    EXPECT(t, INDEX, test_seed(t) != 1, "the seed is 1");
    test_end(t);
}
