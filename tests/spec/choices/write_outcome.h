/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes to a register that may refuse the value, and classifies the outcome. */
#ifndef TESTS_SPEC_CHOICES_WRITE_OUTCOME_H
#define TESTS_SPEC_CHOICES_WRITE_OUTCOME_H

#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"

/* The outcome of a write. */
enum write_outcome {
    WRITE_STUCK,   /* the register holds what was written */
    WRITE_DROPPED, /* no exception; it holds something else */
    WRITE_FAULTED, /* #GP(0), and it holds what it held before */
    WRITE_OUTCOMES,
};

/* Reads a register, without the bits of counters that others use (arch/trace/foreign_counters.h); 0
 * if RDMSR faults. */
uint64_t read_ours(uint32_t number);

/* Writes and reads back. Fails the test on an exception other than #GP(0), or if a refused write
 * changed the register. */
enum write_outcome write_and_look(struct test_context *t, const char *name, uint32_t number,
                                  uint64_t value);
const char *write_outcome_text(enum write_outcome outcome);

/* The outcome as a choice's value. */
enum choice_value write_outcome_value(enum write_outcome outcome);

#endif
