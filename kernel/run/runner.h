/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects the tests that the command line names, runs them, and returns a verdict. */
#ifndef KERNEL_RUN_RUNNER_H
#define KERNEL_RUN_RUNNER_H

#include "kernel/report/ktap.h"
#include "kernel/settings.h"

/*
 * Prints the plan and all that follows except what ktap_end() prints, for which it fills *totals. A
 * selection that cannot run gives an "# error:" line and VERDICT_ERROR.
 */
enum verdict runner_run(const struct options *options, struct ktap_totals *totals);

/* The same for a worker (kernel/run/workers.h) and its part of the plan, without a verdict. soak:
 * microseconds of its soak. Returns false if its plan could not be made, although the processor
 * that booted made one of the same options. */
bool runner_run_worker(const struct options *options, uint64_t soak);

/* Totals so far, for a panic. */
const struct ktap_totals *runner_totals(void);

#endif
