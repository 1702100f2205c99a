/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mode is a filter over the truth: which transfers does a setting of the five bits of Table 17-6
 * store?
 *
 * Transfers inside one ring are settled by the manual. For those that change ring while one of
 * BTS_OFF_OS and BTS_OFF_USR is set the manual does not say which ring decides (F4.30, F4.33): they
 * are open, and so are debug exceptions (F4.7); tests/oracle/choices.h keeps how this processor
 * was seen to read it.
 */
#ifndef TESTS_ORACLE_MODE_H
#define TESTS_ORACLE_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/workloads/workload.h"

/* Rows of Table 17-6 in the manual's order, from 1. */
struct mode_row {
    const char *claim;   /* "T17-6.4" */
    uint64_t care;       /* the bits that the row does not mark X */
    uint64_t value;      /* what those bits are */
    bool stores;         /* branch records reach the buffer */
    bool interrupts;     /* an interrupt comes when the buffer is nearly full */
    const char *meaning; /* short */
};

#define MODE_ROWS 9
extern const struct mode_row mode_rows[MODE_ROWS];

/* The first row that the setting falls in, or NULL. mode_count_rows() says in how many it falls. */
const struct mode_row *mode_row_of(uint64_t debugctl);
unsigned mode_count_rows(uint64_t debugctl);

enum verdict_of_mode { MODE_STORES, MODE_SKIPS, MODE_OPEN };

enum verdict_of_mode mode_judge(uint64_t debugctl, const struct transfer *transfer);

#endif
