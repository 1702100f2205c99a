/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress of the run, for the screen only. */
#ifndef KERNEL_SCREEN_PROGRESS_H
#define KERNEL_SCREEN_PROGRESS_H

#include <stdint.h>

#include "kernel/screen/dashboard.h"
#include "kernel/report/selection.h"

/* Appends these tests, in this order, to those that will run. all has the suites' declarations;
 * cpu_label: suffix of the suites' names. */
void progress_plan(const struct selection *chosen, const struct selection *all,
                   const char *cpu_label);

/* The tests begin. */
void progress_start(uint64_t repetitions);

/* A test, or its next repetition, begins. Skipped tests need not call it. */
void progress_begin(const struct test *test, uint64_t repetition);

/* From now on show draws a soak; test: the one running here, or NULL. */
void progress_begin_soak(void (*show)(const struct test *test));

/* In a soak: the next test begins here; with test NULL, only other processors progress. */
void progress_soak(const struct test *test);

const struct progress *progress(void);

#endif
