/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the rows of Table 17-6 that store promise beside the selection of records: BTINT clear, a
 * circle; BTINT set, an interrupt when the buffer is nearly full.
 */
#ifndef TESTS_ORACLE_ROW_CHECK_H
#define TESTS_ORACLE_ROW_CHECK_H

#include "tests/run/run.h"

/* The program begins with IA32_DEBUGCTL as before, and ends with after. */
struct row_run {
    const struct program *program;
    uint64_t before, after;
    size_t records;   /* of the buffer */
    size_t threshold; /* records; for row_check_nearly_full() */
};

/* The newest records are in the buffer, each in its slot; no interrupt. Goes by after. */
void row_check_circular(struct test_context *t, const struct row_run *row);

/* One interrupt, not before the threshold; the trace holds it as well. Selected as before says. */
void row_check_nearly_full(struct test_context *t, const struct row_run *row);

#endif
