/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second witness runs a program under TF, one instruction at a time and without tracing, and
 * notes every control transfer. It does not know the program's truth, so a test can compare the
 * two, and a program without truth gets one.
 *
 * branch_decoder.h decodes each instruction before it executes. So a taken branch to the next
 * instruction is noted, and a branch that is not taken is not (F4.10, F4.11). Delivery clears TF
 * (F9.6), so gates to a workload's landing and all exceptions are intercepted
 * (arch/cpu/traps/intercept.h). The program never sees TF set, in PUSHF, R11 or a frame.
 *
 * HLT in ring 0 is skipped, not executed.
 *
 * Interrupts of the kernel (watchdog, PMI) are served and leave no row.
 */
#ifndef TESTS_STEP_STEPPER_H
#define TESTS_STEP_STEPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "tests/run/program.h"

/* Instructions; more than any workload here has. */
#define STEPPER_STEPS_MAX 100000

enum stepper_end {
    STEPPER_DONE,
    STEPPER_TOO_MANY_STEPS,
    STEPPER_TOO_MANY_TRANSFERS,  /* the caller's array is full */
    STEPPER_UNKNOWN_INSTRUCTION, /* a transfer that cannot be followed: XBEGIN, RSM, VM entry */
    STEPPER_LOST_CONTROL,        /* execution went on elsewhere than the instruction leads */
    STEPPER_EXCEPTION,           /* an exception without a landing */
};

struct stepper_result {
    enum stepper_end end;
    size_t count;            /* rows written, whatever the end */
    size_t steps;            /* instructions executed */
    uint64_t address;        /* end other than DONE: the instruction's address */
    uint8_t ring;            /* at that address */
    struct trap_frame frame; /* STEPPER_EXCEPTION: with CR2 at that time */
    uint64_t cr2;
};

/*
 * Runs the program with its workload's entry points set, if it has a workload, and with the
 * caller's IF. Writes to rows what a perfect program->truth holds: first the bracket's CALL
 * (bracket_call), last the RET to bracket_return; from_next is set for INT n. Stops after capacity
 * rows or step_limit steps. Returns end == STEPPER_DONE. Otherwise the program was cut short, in
 * ring 3 at any instruction; the processor is quiet in either case.
 */
bool stepper_run(const struct program *program, struct transfer *rows, size_t capacity,
                 size_t step_limit, struct stepper_result *result);

/* Returns a text such as "too many steps". */
const char *stepper_end_text(enum stepper_end end);

/* Fails the test with all that is known about an end other than DONE, which is a mistake of
 * ours. */
void stepper_report(struct test_context *t, const struct stepper_result *result);

#endif
