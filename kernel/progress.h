/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes on, for the person at the screen. The log has none of it. */
#ifndef KERNEL_PROGRESS_H
#define KERNEL_PROGRESS_H

#include <stdint.h>

#include "kernel/test.h"

struct progress {
    unsigned suite, suites, number, tests; /* numbers from 1: suite 8 of 23, test 3 of 12 */
    unsigned failed;                       /* tests so far */
    const struct test *test;
    uint64_t repetition, repetitions; /* from 0 */
    uint64_t started;                 /* TSC */
};

void progress_show(const struct progress *progress);

#endif
