/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many records a buffer holds: the absolute maximum as this processor reads it (F3.22). */
#ifndef TESTS_ORACLE_LIMIT_H
#define TESTS_ORACLE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"

/*
 * Records that a buffer of this layout holds before it is full. The first call measures how the
 * processor reads the absolute maximum. Fails the test if that is none of the three readings, and
 * assumes the middle one.
 */
size_t limit_capacity(struct test_context *t, size_t records, bool maximum_plus_one);

/* The same without measuring: by the reading learnt so far, or else the middle one. */
size_t limit_known_capacity(size_t records, bool maximum_plus_one);

/* Stores more records than any reading has room for, in circular mode. Returns how many the buffer
 * then holds. */
size_t limit_measure(struct test_context *t, size_t records, bool maximum_plus_one);

#endif
