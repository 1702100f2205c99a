/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many records a buffer holds: the absolute maximum as this processor reads it (F3.22). */
#ifndef TESTS_ORACLE_LIMIT_H
#define TESTS_ORACLE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"

/*
 * Records that a buffer of this layout holds before it is full. The reading is measured the first
 * time anybody asks. Fails the test, and goes on with the middle reading, when the processor keeps
 * none of the three.
 */
size_t limit_capacity(struct test_context *t, size_t records, bool maximum_plus_one);

/* The same where nothing is to be measured, by what is known: the middle reading if that is
 * nothing.
 */
size_t limit_known_capacity(size_t records, bool maximum_plus_one);

/* Records found written after one more than the buffer could hold by any reading; circular mode. */
size_t limit_measure(struct test_context *t, size_t records, bool maximum_plus_one);

#endif
