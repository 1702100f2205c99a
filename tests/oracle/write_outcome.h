/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a write to a register that may refuse it. */
#ifndef TESTS_ORACLE_WRITE_OUTCOME_H
#define TESTS_ORACLE_WRITE_OUTCOME_H

#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/oracle/choices.h"

/* What became of a write to a register. */
enum write_outcome {
    WRITE_STUCK,   /* the register holds what was written */
    WRITE_DROPPED, /* no exception; it holds something else */
    WRITE_FAULTED, /* #GP(0), and it holds what it held before */
    WRITE_OUTCOMES,
};

/* By RDMSR; 0 where that faults. Without the bits of counters that others use (arch/trace/taken.h).
 */
uint64_t read_ours(uint32_t number);

/* Writes and reads back. Fails the test when the exception is another one, or comes with a change.
 */
enum write_outcome write_and_look(struct test_context *t, const char *name, uint32_t number,
                                  uint64_t value);
const char *write_outcome_text(enum write_outcome outcome);

/* The same as a choice's value. */
enum choice_value write_outcome_value(enum write_outcome outcome);

#endif
