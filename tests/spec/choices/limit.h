/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many records a buffer holds: the absolute maximum as this processor reads it (F3.22). */
#ifndef TESTS_SPEC_CHOICES_LIMIT_H
#define TESTS_SPEC_CHOICES_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/* Bytes from an address below 2^46 to a canonical one of the upper half: a threshold there is above
 * any maximum of the lower one. */
#define DS_TO_UPPER_HALF 0xffff900000000000ull

#define LIMIT_RECORDS 8 /* of the buffers in which the runs are that learn */

/* Runs so many transfers in such a buffer with interrupts held off; as run_program(). */
bool limit_run(struct test_context *t, size_t transfers, uint64_t debugctl, size_t threshold,
               struct observation *got);

/* Measures how the processor reads the absolute maximum, unless that is known. Fails the test if it
 * is none of the three readings. */
void limit_learn(struct test_context *t);

/* Sees whether a full buffer drops what comes with BTINT set (F5.5), unless that is known. */
void limit_learn_full(struct test_context *t);

/*
 * Records that a buffer of this layout holds before it is full, by limit_learn(); by the middle
 * reading where none is known.
 */
size_t limit_capacity(struct test_context *t, size_t records, bool maximum_plus_one);

#endif
