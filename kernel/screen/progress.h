/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes on, for the person at the screen. The log has none of it. */
#ifndef KERNEL_SCREEN_PROGRESS_H
#define KERNEL_SCREEN_PROGRESS_H

#include <stdint.h>

#include "kernel/screen/dashboard.h"
#include "kernel/report/selection.h"

/* These tests will run, in this order, behind those that were told before; all: with what is
 * declared of their suites; place: what stands behind the names of suites. */
void progress_plan(const struct selection *chosen, const struct selection *all, const char *place);

/* Now they begin. */
void progress_start(uint64_t repetitions);

/* The next one begins, or its next repetition. What is skipped need not begin. */
void progress_begin(const struct test *test, uint64_t repetition);

/* From now on a soak is shown, by this: test: that runs here, or NULL. */
void progress_begin_soak(void (*show)(const struct test *test));

/* In one: the next test begins, or what another one does goes on: test NULL. */
void progress_soak(const struct test *test);

const struct progress *progress(void);

#endif
