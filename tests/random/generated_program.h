/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A generated program in the kernel: its two pages, and its truth from the interpreter. The
 * single-stepper is the second witness for some programs and for each that fails. The pages are
 * written first, then made executable, and never both at once.
 */
#ifndef TESTS_RANDOM_GENERATED_PROGRAM_H
#define TESTS_RANDOM_GENERATED_PROGRAM_H

#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/random/generator.h"
#include "tests/random/interpreter.h"
#include "tests/run/program.h"

/*
 * Writes the program and derives its truth. address: where ring 0's code is mapped besides its own
 * page, ring 3's in the page before it; 0: nowhere. The result is valid until the next program is
 * written or generated_program_close(). NULL after a test_fail() if the generator or the
 * interpreter is at fault, or if the stepper differs; NULL without one if a page is mapped at the
 * address already.
 */
const struct program *generated_program(struct test_context *t, enum generated_shape shape,
                                        uint64_t seed, uint64_t address);

/*
 * A program that runs in passes: generated_passes_open() writes it, generated_passes() gives it a
 * state to run from. The program has a truth only if the state has one pass left. Both return NULL
 * after a test_fail().
 */
const struct generated *generated_passes_open(struct test_context *t, enum generated_shape shape,
                                              uint64_t seed);
const struct program *generated_passes(struct test_context *t, const struct generated_state *state);

/* Returns the interpreter at the start of the program. Fills in *row with the bracket's CALL. */
struct interpreter *generated_interpreter(struct transfer *row);

/* Adds notes to a failed test: the code as bytes, and as many transfers as fit. Steps through the
 * program, and fails the test if the stepper differs. */
void generated_program_note(struct test_context *t);

/* Makes the pages plain data again. */
void generated_program_close(void);

#endif
