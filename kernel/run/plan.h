/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All tests, the chosen ones, and which processor runs which (kernel/run/workers.h). */
#ifndef KERNEL_RUN_PLAN_H
#define KERNEL_RUN_PLAN_H

#include <stdbool.h>

#include "kernel/settings.h"
#include "kernel/report/selection.h"

/* others: number of workers. Returns false and writes a sentence to error (SELECTION_ERROR_SIZE
 * bytes) if no plan is possible. */
bool plan_make(const struct options *options, unsigned others, char *error);

const struct selection *plan_all(void);
const struct selection *plan_chosen(void);

/*
 * Tests for the processor that booted: all chosen ones, or none (cpu=LIST). With cpu=all and
 * cpu=pair plan_is_at_once() is true; then plan_first() has those for it alone, and plan_together()
 * those that it runs while the workers run theirs.
 */
const struct selection *plan_first(void);
const struct selection *plan_together(void);
bool plan_is_at_once(void);

/* Tests that this processor draws from in a soak; and how many processors have a soak. */
const struct selection *plan_soaked(void);
unsigned plan_soaks(const struct options *options);

/* Suites that compare_places, to run after all others, whatever was chosen. If nothing is compared,
 * they are among the other tests and skip. */
const struct selection *plan_last(void);

/* Tests for this worker, in its order. Valid until the next call. */
const struct selection *plan_of_worker(unsigned number);

/* All tests that the running processor could run, to report those not chosen. */
const struct selection *plan_all_here(void);

/* Number of tests of all processors, soaks included. */
unsigned plan_count(const struct options *options);

#endif
