/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One test, as often as it is to run, and once more where something disturbed it. */
#ifndef KERNEL_RUN_ROUNDS_H
#define KERNEL_RUN_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/report/context.h"

struct rounds {
    uint64_t seed;
    uint64_t first, count; /* repetitions: from first on, so many */
    bool are_drawn;        /* in a soak: the first is not 0, and this one alone is to be named */
    uint64_t timeout;      /* seconds */
};

/* Whose needs are met. place: as kernel/machine/place.h has it; it must stay. What came of it
 * stands there until the next call. */
struct test_context *rounds_run(const struct test *test, const struct rounds *rounds,
                                const char *place);

/* For a panic: "suite.test, subtest x" of the test that runs, or NULL; and its notes, printed. */
const char *rounds_current(void);
void rounds_print_notes(void);

#endif
