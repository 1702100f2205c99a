/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A generated program in the kernel: its two pages, and its truth by the interpreter. The
 * single-stepper is the second witness, of one program in some and of each that fails. Never
 * writable and executable at once: written first, then made executable, then run.
 */
#ifndef TESTS_RANDOM_GENERATED_PROGRAM_H
#define TESTS_RANDOM_GENERATED_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/random/generator.h"
#include "tests/random/interpreter.h"
#include "tests/run/program.h"

/*
 * Writes the program and finds out what it does. It stays until the next call or until
 * generated_program_close(). NULL after a test_fail() that says so when the generator or the
 * interpreter is at fault, or when the stepper has seen another thing.
 */
const struct program *generated_program(struct test_context *t, enum generated_shape shape,
                                        uint64_t seed);

/* The same, run at other addresses: ring 0 in the page at address, ring 3 in the one before it.
 * NULL without a test_fail() where a page is there already. */
const struct program *generated_program_at(struct test_context *t, enum generated_shape shape,
                                           uint64_t seed, uint64_t address);

/*
 * A program in passes: written first, then run from a state. Its truth is in the program only where
 * the state has one pass left. NULL as above.
 */
const struct generated *generated_passes_open(struct test_context *t, enum generated_shape shape,
                                              uint64_t seed);
const struct program *generated_passes(struct test_context *t, const struct generated_state *state);

/* What the program does from there on, from the bracket's CALL, which is the row. */
struct interpreter *generated_interpreter(struct transfer *row);

/* Notes of a failed test: the code as bytes, and every transfer, as far as there is room. Steps
 * through the program, and fails the test where the stepper sees another thing. */
void generated_program_note(struct test_context *t);

/* Gives the pages back their rights as plain data. */
void generated_program_close(void);

#endif
