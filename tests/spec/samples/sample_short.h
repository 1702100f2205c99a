/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One record of a short run (tests/workloads/armed_write.h), for sweeps. */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_SHORT_H
#define TESTS_SPEC_SAMPLES_SAMPLE_SHORT_H

#include <stdbool.h>
#include "tests/spec/samples/sampling.h"

/* A sampling in which PMC0 overflows at the first jump, or at an instruction before the second. It
 * stores one record; the threshold is never reached. The write changes nothing. */
struct sampling sample_short(enum pmu_event event);

/* Adds another counter that overflows at the same event. */
struct sampling_counter *sample_short_add(struct sampling *sampling, struct counter counter,
                                          uint64_t reset);

/* Checks the counter's value after a restart at its reset value: exactly for branches, otherwise
 * within bounds. The run has one record, or a few from several counters. */
bool sample_short_expect_reload(struct test_context *t, const struct sampling *sampling,
                                const struct sampling_counter *item);

#endif
