/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a test as often as asked, and again if it was disturbed. */
#ifndef KERNEL_RUN_ATTEMPTS_H
#define KERNEL_RUN_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/report/context.h"

struct attempts {
    uint64_t seed;
    uint64_t first, count; /* first repetition, and their number */
    bool are_drawn;        /* in a soak: only this repetition is named */
    uint64_t timeout;      /* seconds */
};

/* Runs a test whose needs are met. cpu_label: suffix of kernel/machine/cpu_label.h, which must
 * outlive the call. The result is valid until the next call. */
struct test_context *attempts_run(const struct test *test, const struct attempts *attempts,
                                  const char *cpu_label);

/* For a panic: names the running test, "suite.test, subtest x", or NULL; and prints its notes. */
const char *attempts_current(void);
void attempts_print_notes(void);

#endif
