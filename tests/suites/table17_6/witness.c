/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the two witnesses agree? Every workload that has a truth table is run under the
 * single-stepper, and the rows are held against each other. No trace is involved: where they differ
 * the test is wrong (or single-stepping is), and not what the other suites are about.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/step/stepper.h"

#define PENDING_MICROSECONDS 1000000

static struct transfer rows[PROGRAM_TRANSFERS_MAX];

/* 0 in a table: known only once it has happened. */
static bool same_address(uint64_t in_table, uint64_t stepped)
{
    return in_table == 0 || in_table == stepped;
}

static bool same(const struct transfer *table, const struct transfer *stepped)
{
    return same_address(table->from, stepped->from) && same_address(table->to, stepped->to) &&
           table->kind == stepped->kind && table->from_ring == stepped->from_ring &&
           table->to_ring == stepped->to_ring;
}

static void note_row(struct test_context *t, const char *who, size_t number, size_t count,
                     const struct transfer *row)
{
    if (number >= count)
        test_note(t, "row %zu, %s: (none)", number, who);
    else
        test_note(t, "row %zu, %s: %s %pS -> %pS, ring %u -> %u", number, who,
                  transfer_kind_name(row->kind), (void *)row->from, (void *)row->to, row->from_ring,
                  row->to_ring);
}

static void report(struct test_context *t, const struct program *program, size_t number,
                   size_t stepped)
{
    test_fail(t, "test bug: the truth table and the single-stepper differ from row %zu on", number);
    note_row(t, "table", number, program->count, &program->truth[number]);
    note_row(t, "stepper", number, stepped, &rows[number]);
}

static bool compare(struct test_context *t, const struct program *program, size_t stepped)
{
    size_t number = 0;

    while (number < program->count && number < stepped &&
           same(&program->truth[number], &rows[number]))
        number++;
    if (number < program->count || number < stepped)
        report(t, program, number, stepped);
    return number == program->count && number == stepped;
}

static void step_and_compare(struct test_context *t, const struct program *program)
{
    struct stepper_result result;

    if (stepper_run(program, rows, PROGRAM_TRANSFERS_MAX, STEPPER_STEPS_MAX, &result))
        compare(t, program, result.count);
    else if (feature_present(FEATURE_DS))
        stepper_report(t, &result);
    else
        test_skip(t, "cannot be stepped here (%s), and without a Debug Store nothing depends on it",
                  stepper_end_text(result.end));
}

/* IF = 0 and an interrupt waiting that leads to the workload's handler. */
static void step_interrupted(struct test_context *t, const struct program *program)
{
    uint64_t deadline = time_deadline_microseconds(PENDING_MICROSECONDS);

    interrupt_gate_direct(VECTOR_WORKLOAD_INT, interrupted_handler, 0);
    insn_cli();
    apic_self_ipi(VECTOR_WORKLOAD_INT);
    while (!apic_is_pending(VECTOR_WORKLOAD_INT) && !time_passed(deadline))
        ;
    step_and_compare(t, program);
    insn_sti();
    apic_eoi();
    interrupt_gate_reset(VECTOR_WORKLOAD_INT);
}

/* TF is the stepper's own, and what is not there cannot be stepped. NULL: nothing against it. */
static const char *why_not(const struct workload *workload)
{
    if (workload->flags & WORKLOAD_DEBUG)
        return "takes debug exceptions of its own";
    if (workload->flags & WORKLOAD_RTM)
        return "a debug exception aborts a transaction";
    if (workload->flags & WORKLOAD_NMI)
        return "sends itself an NMI that its own test prepares";
    if (workload->flags & WORKLOAD_MAPPED)
        return "runs at addresses that are mapped for its own test alone";
    if (workload->flags & WORKLOAD_BASED)
        return "the addresses that it saves are no linear ones";
    if (workload->flags & WORKLOAD_INTEL && !identity_is_intel(&cpu_features()->identity))
        return "CPUID.0H is not GenuineIntel: no SYSENTER and no far pointer of 64 bits there";
    if (workload->sysenter_landing && !feature_present(FEATURE_SEP))
        return "no SYSENTER";
    if (workload->flags & WORKLOAD_DEBUGCTL && !debugctl_exists())
        return "writes IA32_DEBUGCTL, which cannot be read: there is no such register";
    if (workload->flags & WORKLOAD_INTERRUPTED && !feature_present(FEATURE_APIC))
        return "no local APIC to send the interrupt";
    return NULL;
}

static void step_workload(struct test_context *t, const struct workload *workload)
{
    const char *why = why_not(workload);

    if (why)
        test_skip(t, "%s", why);
    else if (workload->flags & WORKLOAD_INTERRUPTED)
        step_interrupted(t, program_of_workload(workload));
    else
        step_and_compare(t, program_of_workload(workload));
}

TEST(witness, agrees_with_every_truth_table, CLAIMS(), NEEDS(SYSCALL))
{
    TEST_EACH_OF(t, at, __workloads_start, __workloads_end, NULL, "%s", (*at)->name)
        step_workload(t, *at);
}

/* The programs whose table is put together in C. */
TEST(witness, agrees_with_sleds, CLAIMS(), NEEDS(SYSCALL))
{
    step_and_compare(t, program_of_length(PROGRAM_SLED_EXTRA));
    step_and_compare(t, program_of_length(SLED_LENGTH + PROGRAM_SLED_EXTRA));
    step_and_compare(t, program_of_user_jumps(0));
    step_and_compare(t, program_of_user_jumps(SLED_LENGTH));
}

/* The stepper's own ways out: each must come back, and leave a processor that runs on. */
static void expect_end(struct test_context *t, const struct program *program, size_t capacity,
                       size_t step_limit, enum stepper_end end)
{
    struct stepper_result result;

    stepper_run(program, rows, capacity, step_limit, &result);
    EXPECT(t, SETUP, result.end == end, "the stepper ended with \"%s\" at %pS, expected \"%s\"",
           stepper_end_text(result.end), (void *)result.address, stepper_end_text(end));
}

static void undefined_instruction(void)
{
    __builtin_trap();
}

TEST(witness, ends_whatever_is_stepped, CLAIMS(), NEEDS(SYSCALL))
{
    static const struct program exception = {.entry = undefined_instruction};

    expect_end(t, program_of_user_jumps(20), PROGRAM_TRANSFERS_MAX, 10, STEPPER_TOO_MANY_STEPS);
    expect_end(t, program_of_length(20), 10, STEPPER_STEPS_MAX, STEPPER_TOO_MANY_TRANSFERS);
    expect_end(t, &exception, PROGRAM_TRANSFERS_MAX, STEPPER_STEPS_MAX, STEPPER_EXCEPTION);
    EXPECT(t, SETUP, !(insn_read_rflags() & RFLAGS_TF), "TF is still set");
    step_and_compare(t, program_of_workload(&workload_near_branches));
}

/* --- the instrument itself --- */

static void no_change(struct program *program)
{
    (void)program;
}

static void late_from(struct program *program)
{
    program->truth[1].from++;
}

static void early_to(struct program *program)
{
    program->truth[1].to--;
}

static void other_kind(struct program *program)
{
    program->truth[1].kind = TRANSFER_JCC;
}

static void other_ring(struct program *program)
{
    program->truth[1].to_ring = 3;
}

static void one_row_less(struct program *program)
{
    program->count--;
}

static void one_row_more(struct program *program)
{
    program->truth[program->count] = program->truth[0];
    program->count++;
}

/* Only the first must be found equal. */
SELFTEST(witness, finds_every_difference, CLAIMS(), NEEDS(SYSCALL))
{
    static void (*const changes[])(struct program *) = {
        no_change, late_from, early_to, other_kind, other_ring, one_row_less, one_row_more};
    static struct test_context scratch;
    static struct program program;

    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        program = *program_of_workload(&workload_near_branches);
        changes[i](&program);
        context_start(&scratch, t->test, 0, 1);
        scratch.no_excuse = true; /* it judges the judge, not the processor */
        step_and_compare(&scratch, &program);
        EXPECT(t, SETUP, test_has_failed(&scratch) == (i > 0), "a table with change %zu was %s", i,
               i > 0 ? "accepted" : "refused");
    }
}
