/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second witness: runs a program under TF, one instruction at a time, with no tracing on, and
 * notes every control transfer that happens. It knows nothing of the program's truth table, so the
 * two can be held against each other, and a program that has no table gets one.
 *
 * Every instruction is looked at before it executes (branch_decoder.h), so that a taken branch to
 * the next instruction is noted and one that is not taken is not (F4.10, F4.11). Gates that lead to
 * a workload's landing, and all exceptions, are intercepted on the way
 * (arch/cpu/traps/intercept.h), as delivery clears TF (F9.6). The program sees no TF: not in PUSHF,
 * not in R11, not in a frame.
 *
 * HLT in ring 0 is the one instruction that is not executed, but left out.
 *
 * Interrupts whose gates are the kernel's own (watchdog, PMI) are served and leave no row.
 */
#ifndef TESTS_STEP_STEPPER_H
#define TESTS_STEP_STEPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "tests/run/program.h"

/* Enough for any workload here; a step is one instruction. */
#define STEPPER_STEPS_MAX 100000

enum stepper_end {
    STEPPER_DONE,
    STEPPER_TOO_MANY_STEPS,
    STEPPER_TOO_MANY_TRANSFERS,  /* the caller's array is full */
    STEPPER_UNKNOWN_INSTRUCTION, /* a transfer that cannot be followed: XBEGIN, RSM, VM entry */
    STEPPER_LOST_CONTROL,        /* execution went on where the instruction does not lead */
    STEPPER_EXCEPTION,           /* an exception without a landing */
};

struct stepper_result {
    enum stepper_end end;
    size_t count;            /* rows written, also when it did not end well */
    size_t steps;            /* instructions executed */
    uint64_t address;        /* end other than DONE: of the instruction in question */
    uint8_t ring;            /* there */
    struct trap_frame frame; /* STEPPER_EXCEPTION, with CR2 as it was then */
    uint64_t cr2;
};

/*
 * Runs the program with its workload's landings set (program->workload may be NULL: none) and IF as
 * the caller has it. rows gets what program->truth of a perfect table holds: the bracket's CALL
 * (bracket_call) first, the RET to bracket_return last; from_next is filled in for INT n. At most
 * capacity rows and step_limit steps. Returns end == STEPPER_DONE; otherwise the program was cut
 * short, and the processor is quiet all the same. Ring 3 may be left at any instruction.
 */
bool stepper_run(const struct program *program, struct transfer *rows, size_t capacity,
                 size_t step_limit, struct stepper_result *result);

/* "too many steps", "lost control", … */
const char *stepper_end_text(enum stepper_end end);

/* Fails the test with all that is known about an end other than DONE: it is our own mistake. */
void stepper_report(struct test_context *t, const struct stepper_result *result);

#endif
