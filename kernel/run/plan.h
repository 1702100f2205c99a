/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All tests, the chosen ones, and which processor runs which (kernel/run/workers.h). */
#ifndef KERNEL_RUN_PLAN_H
#define KERNEL_RUN_PLAN_H

#include <stdbool.h>
#include "kernel/report/context.h"
#include "kernel/report/selection.h"
#include "kernel/settings.h"

/* others: number of workers. If no plan is possible, returns false and writes a sentence to error
 * (SELECTION_ERROR_SIZE bytes). */
bool plan_make(const struct options *options, unsigned others, char *error);

const struct selection *plan_all(void);
const struct selection *plan_chosen(void);

/*
 * Tests for the processor that booted. If processors run one after another, plan_first() has all
 * chosen tests, or none if cpu=LIST does not name this processor. If all run at once (cpu=all,
 * cpu=pair, or an endless soak), plan_is_at_once() is true: then plan_first() has the tests for
 * only this processor, and plan_together() those that it runs while the workers run theirs.
 */
const struct selection *plan_first(void);
const struct selection *plan_together(void);
bool plan_is_at_once(void);

/* The tests from which the processor that booted draws in a soak; and how many processors have a
 * soak. */
const struct selection *plan_soaked(void);
unsigned plan_soaks(const struct options *options);

/*
 * Tests that compare processors (compares_places of their suite). They run after all others,
 * whether chosen or not. Without workers the list is empty: then they count as ordinary tests, and
 * skip.
 */
const struct selection *plan_last(void);

/* Tests for this worker, in its order. Valid until the next call. */
const struct selection *plan_of_worker(unsigned number);

/* All tests that the running processor could run. The caller reports those of them that were not
 * chosen. */
const struct selection *plan_all_here(void);

/* Number of tests of all processors, soaks included. */
unsigned plan_count(const struct options *options);

/* Would the runner skip the test on this processor before the test writes anything, by its needs or
 * by what only reads can tell? If true, writes the reason to `why`. If false, the test may still
 * skip itself later. */
bool test_would_skip(const struct test *test, char *why, size_t size);

/* Runs the body, or skips it. The test's needs must be met. */
void test_run_body(struct test_context *t);

#endif
