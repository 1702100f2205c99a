/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mode filters the truth: which transfers does a setting of Table 17-6's five bits store?
 *
 * The manual settles transfers inside one ring. It does not say which ring decides for a transfer
 * that changes ring while one of BTS_OFF_OS and BTS_OFF_USR is set (F4.30, F4.33), nor whether
 * debug exceptions are stored (F4.7). These are open, and tests/spec/choices/choices.h keeps how
 * this processor reads them.
 */
#ifndef TESTS_SPEC_MODE_H
#define TESTS_SPEC_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/spec/maybe.h"
#include "tests/workloads/workload.h"

/* Rows of Table 17-6 in the manual's order, from 1. */
struct mode_row {
    const char *claim;   /* "T17-6.4" */
    uint64_t care;       /* the bits that the row does not mark X */
    uint64_t value;      /* the value of those bits */
    bool stores;         /* branch records reach the buffer */
    bool interrupts;     /* an interrupt comes when the buffer is nearly full */
    const char *meaning; /* short */
};

#define MODE_ROWS 9
extern const struct mode_row mode_rows[MODE_ROWS];

/* The first row that the setting matches, or NULL; mode_count_rows() says how many it matches. */
const struct mode_row *mode_row_of(uint64_t debugctl);
unsigned mode_count_rows(uint64_t debugctl);

/* Does the setting store the transfer? MAYBE: the manual leaves it open. */
enum maybe mode_judge(uint64_t debugctl, const struct transfer *transfer);

#endif
