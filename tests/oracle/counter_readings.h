/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How this processor decides what the manual leaves open about the counters' registers. Each answer
 * is learnt the first time it is seen, printed as "# observed:", and from then on held to.
 */
#ifndef TESTS_ORACLE_COUNTER_READINGS_H
#define TESTS_ORACLE_COUNTER_READINGS_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/test.h"

/* What became of a write to a register. */
enum write_outcome {
    WRITE_STUCK,   /* the register holds what was written */
    WRITE_DROPPED, /* no exception; it holds something else */
    WRITE_FAULTED, /* #GP(0), and it holds what it held before */
    WRITE_OUTCOMES,
};

/* Writes and reads back. Fails the test when the exception is another one, or comes with a change.
 */
enum write_outcome write_and_look(struct test_context *t, const char *name, uint32_t number,
                                  uint64_t value);
const char *write_outcome_text(enum write_outcome outcome);

enum counter_reading {
    READING_ALIAS_ABOVE_WIDTH, /* writes to IA32_A_PMCx of bits above the counter's width, F6.22 */
    READING_FIXED_ABOVE_WIDTH, /* the same of IA32_FIXED_CTRx */
    READING_STATUS_SET_COND,   /* bit 63 of IA32_PERF_GLOBAL_STATUS_SET, F6.8 */
    READING_STATUS_SET_PMI,    /* an overflow bit set by software and the counter's PMI, F6.8 */
    READING_IN_USE_PMI,        /* bit of IA32_PERF_GLOBAL_INUSE for the PMI, F6.9 */
    COUNTER_READINGS,
};

/* The first answer is learnt and printed as "what: answer", any other fails the test. */
void counter_reading_hold(struct test_context *t, enum counter_reading reading, const char *what,
                          const char *answer);

#endif
