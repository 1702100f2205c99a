/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress of the run, for the screen only. */
#ifndef KERNEL_SCREEN_PROGRESS_H
#define KERNEL_SCREEN_PROGRESS_H

#include <stdint.h>

#include "kernel/screen/dashboard.h"
#include "kernel/report/selection.h"

/* Appends the chosen tests, in their order, to those that will run. all: every test and the suites'
 * declarations. cpu_label: suffix of the suites' names. */
void progress_plan(const struct selection *chosen, const struct selection *all,
                   const char *cpu_label);

/* The tests begin. */
void progress_start(uint64_t repetitions);

/* A test, or its next repetition, begins. Skipped tests need not call it. */
void progress_begin(const struct test *test, uint64_t repetition);

/* From now on the screen shows a soak. show() draws it; its argument is the test that runs on this
 * processor, or NULL. */
void progress_begin_soak(void (*show)(const struct test *test));

/* Call it during a soak, with the test that begins on this processor, or with NULL if only other
 * processors may have progressed. */
void progress_soak(const struct test *test);

const struct progress *progress(void);

#endif
