/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of tests/spec/samples/sampling.h with architectural PEBS, and what sampling.c does for both
 * kinds.
 */
#ifndef TESTS_SPEC_SAMPLES_SAMPLING_ARCH_H
#define TESTS_SPEC_SAMPLES_SAMPLING_ARCH_H

#include "tests/run/run.h"
#include "tests/spec/samples/sampling.h"

/* What a run has, whichever kind of PEBS it is with, but for armed and ahead. metrics: whether
 * records are to have them: off they need not be there (F21.22). */
struct run sampling_run_of(const struct sampling *sampling, bool metrics, struct pmi_log *log);

/* Fills in what such a run left, but for status and index; the counters stay. */
void sampling_collect(struct sampling *sampling, const struct observation *seen);

/* Runs, fills in the results, and switches everything off. Returns why it could not be set up, or
 * NULL.
 */
const char *sampling_arch_run(struct test_context *t, struct sampling *sampling);

#endif
