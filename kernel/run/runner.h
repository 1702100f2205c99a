/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects the tests that the command line names, runs them, and comes to a verdict. */
#ifndef KERNEL_RUN_RUNNER_H
#define KERNEL_RUN_RUNNER_H

#include "kernel/report/ktap.h"
#include "kernel/settings.h"
#include "kernel/report/test.h"
#include "kernel/report/verdict.h"

/*
 * Prints the plan and everything behind it but the last two lines, for which it fills *totals.
 * A selection that cannot run gives VERDICT_ERROR with its "# error:" line.
 */
enum verdict runner_run(const struct options *options, struct ktap_totals *totals);

/* The same in the world of a member (kernel/run/crew.h), for its part of the plan; without a
 * verdict. soak: microseconds that it has for one. false: the plan, which the processor that booted
 * has made of the same options, could not be made here.
 */
bool runner_run_member(const struct options *options, uint64_t soak);

/* What is done so far, for a panic. */
const struct ktap_totals *runner_totals(void);

#endif
