/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long runs in which every record is compared. A generated program runs pass after pass without a
 * stop. The interrupt at the threshold switches to another buffer and compares the full one with
 * the interpreter (bulk_compare.h). Memory and the cost of a record do not grow with the length of
 * the run.
 *
 *     const struct bulk_settings settings = {.seed = test_seed(t), .shape = GENERATED_SHAPES,
 *                                            .records = 1000000};
 *     struct bulk_totals totals = {0};
 *
 *     if (bulk_run(t, &settings, &totals)) …
 */
#ifndef TESTS_RANDOM_BULK_RUN_H
#define TESTS_RANDOM_BULK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/random/generator.h"

struct bulk_settings {
    uint64_t seed;              /* of the first program; gives those of the others */
    enum generated_shape shape; /* GENERATED_SHAPES: each program's seed decides */
    uint64_t off_bits;          /* BTS_OFF_OS, BTS_OFF_USR, or 0 */
    bool circular;              /* no interrupts; compares what the buffer holds at the end */
    size_t buffer_records;      /* until the interrupt, or in the circle; 0: the most */
    uint64_t records; /* approximate transfers of all programs together, which without OFF bits are
                         records */
    uint64_t program_records; /* the same of one program; 0: all in one program */
    uint64_t microseconds;    /* no program begins after that time; 0: no limit */
};

/* Totals; bulk_run() adds to them. */
struct bulk_totals {
    uint64_t records; /* compared */
    uint64_t transfers, interrupts, programs;
};

/* The largest buffer_records. */
#define BULK_BUFFER_RECORDS_MAX 900u

/*
 * Returns false after the findings of the first program with a difference. Ends early, with
 * success, if the test has used half of its time.
 */
bool bulk_run(struct test_context *t, const struct bulk_settings *settings,
              struct bulk_totals *totals);

#endif
