/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a row of Table 17-6 that stores promises about the end of the buffer. With BTINT clear the
 * buffer is circular; with BTINT set an interrupt comes when it is nearly full.
 */
#ifndef TESTS_ORACLE_ROW_CHECK_H
#define TESTS_ORACLE_ROW_CHECK_H

#include "tests/run/run.h"

/* The program begins with `before` in IA32_DEBUGCTL, and ends with `after`. */
struct row_run {
    const struct program *program;
    uint64_t before, after;
    size_t records;   /* size of the buffer */
    size_t threshold; /* in records; for row_check_nearly_full() */
};

/* The newest records under `after` must be in the buffer, each in its slot, and no interrupt may
 * come. */
void row_check_circular(struct test_context *t, const struct row_run *row);

/* One interrupt must come, not before the threshold, and the trace must have it. Selects records by
 * `before`. */
void row_check_nearly_full(struct test_context *t, const struct row_run *row);

#endif
