/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long runs, every record of which is compared. A generated program runs pass after pass without a
 * stop. The interrupt at the threshold turns to another buffer, compares the one that is full with
 * what the interpreter says (bulk_compare.h), and goes on: memory and the cost of a record are the
 * same after a thousand records and after ten million.
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
    uint64_t seed;              /* of the first program; the others follow from it */
    enum generated_shape shape; /* GENERATED_SHAPES: each program the one that its seed says */
    uint64_t off_bits;          /* BTS_OFF_OS, BTS_OFF_USR, or 0 */
    bool circular;         /* no interrupts: what is left in the buffer at the end is compared */
    size_t buffer_records; /* until the interrupt, or in the circle; 0: as many as is usual */
    uint64_t records;      /* transfers of all programs together, about: without OFF bits records */
    uint64_t program_records; /* of one program, without a stop; 0: all in one */
    uint64_t microseconds;    /* no program begins any more after that; 0: without such a limit */
};

/* Added to. */
struct bulk_totals {
    uint64_t records; /* compared */
    uint64_t transfers, interrupts, programs;
};

/* The most that buffer_records may be. */
#define BULK_BUFFER_RECORDS_MAX 900u

/*
 * False when something was wrong, with the findings of the first program in which it was. Ends
 * early, and well, where the test has taken half of its time.
 */
bool bulk_run(struct test_context *t, const struct bulk_settings *settings,
              struct bulk_totals *totals);

#endif
