/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a test as often as asked, and again if it was disturbed. */
#ifndef KERNEL_RUN_ROUNDS_H
#define KERNEL_RUN_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/report/context.h"

struct rounds {
    uint64_t seed;
    uint64_t first, count; /* first repetition, and their number */
    bool are_drawn;        /* in a soak: only this repetition is named */
    uint64_t timeout;      /* seconds */
};

/* Runs a test whose needs are met. place: suffix of kernel/machine/place.h, which must outlive the
 * call. The result is valid until the next call. */
struct test_context *rounds_run(const struct test *test, const struct rounds *rounds,
                                const char *place);

/* For a panic: names the running test, "suite.test, subtest x", or NULL; and prints its notes. */
const char *rounds_current(void);
void rounds_print_notes(void);

#endif
