/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unexpected exceptions, on purpose: wherever one comes, all that the processor said about
 * it must be in the log. One of ring 3 costs the test alone. Run when named.
 */
#include "arch/cpu/ground/insn.h"
#include "kernel/report/context.h"
#include "arch/lib/string.h"
#include "tests/run/other_processor.h"
#include "tests/step/stepper.h"
#include "tests/workloads/workload.h"

#define NOT_MAPPED   ((volatile uint8_t *)0x7ffffff123ull)
#define NOT_IN_GDT   0x1230u /* a selector; the error code of what loads it */
#define STEPS_ENOUGH 100
#define TOO_LONG     (1ull << 40) /* bytes; no memory is there so far behind any variable */

static __attribute__((noinline)) void write_where_nothing_is(void)
{
    *NOT_MAPPED = 1;
}

SELFTEST(selftest, deliberate_page_fault, CLAIMS(), NEEDS())
{
    (void)t;
    write_where_nothing_is();
}

SELFTEST(selftest, deliberate_protection_fault, CLAIMS(), NEEDS())
{
    (void)t;
    insn_ltr(NOT_IN_GDT);
}

static void write_elsewhere(void *unused)
{
    (void)unused;
    write_where_nothing_is();
}

SELFTEST(selftest, deliberate_page_fault_elsewhere, CLAIMS(), NEEDS(SECOND_PROCESSOR))
{
    if (other_start(t, 1) && other_run(t, 1, write_elsewhere, NULL))
        other_stop(t, 1);
}

SELFTEST(selftest, deliberate_page_fault_while_stepping, CLAIMS(), NEEDS(SYSCALL))
{
    static const struct program program = {.entry = write_where_nothing_is};
    static struct transfer rows[PROGRAM_TRANSFERS_MAX];
    struct stepper_result result;

    if (!stepper_run(&program, rows, PROGRAM_TRANSFERS_MAX, STEPS_ENOUGH, &result))
        stepper_report(t, &result);
}

/* The notes, which the report of a crash prints, end where nothing is mapped. */
SELFTEST(selftest, deliberate_crash_in_the_report, CLAIMS(), NEEDS())
{
    memset(t->notes.text, ' ', sizeof t->notes.text);
    t->notes.length = TOO_LONG;
    write_where_nothing_is();
}

/* Nobody has said where they lead: as if the code of another workload had gone astray into it. */
static void leave_ring_3(const struct workload *workload, const char *code)
{
    struct bracket bracket = {.entry = workload->entry, .argument = (uint64_t)code};

    bracket_run(&bracket);
}

SELFTEST(selftest, deliberate_syscall_astray, CLAIMS(), NEEDS(SYSCALL))
{
    test_note(t, "this note is shown because the test fails");
    leave_ring_3(&workload_sled_user, sled_user);
}

SELFTEST(selftest, deliberate_interrupt_astray, CLAIMS(), NEEDS())
{
    test_note(t, "this note is shown because the test fails");
    leave_ring_3(&workload_sled_compat, sled_compat);
}
