/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One record of a short run (tests/workloads/armed_write.h), for sweeps. */
#ifndef TESTS_ORACLE_SAMPLE_SHORT_H
#define TESTS_ORACLE_SAMPLE_SHORT_H

#include <stdbool.h>
#include "tests/run/sampling.h"

#define SAMPLE_SHORT_NEVER 0x7fffffff /* events: no second record */

/* PMC0 overflows at the first jump, or at an instruction before the second: one record, and no
 * threshold to reach. The write is one that changes nothing. */
struct sampling sample_short(enum pmu_event event);

/* Adds another counter that overflows at the same event. */
struct sampling_counter *sample_short_add(struct sampling *sampling, struct counter counter,
                                          uint64_t reset);

/* That counter after the run, with one record stored or, of several counters, at most a few: it
 * began again at its reset value; with branches alone exactly there. */
bool sample_short_expect_reload(struct test_context *t, const struct sampling *sampling,
                                const struct sampling_counter *item);

#endif
