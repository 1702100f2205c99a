/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters that sample, one after another or all in one run. */
#ifndef TESTS_ORACLE_SAMPLE_COUNTERS_H
#define TESTS_ORACLE_SAMPLE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/run/sampling.h"

/* Does the counter exist, with a bit in IA32_PEBS_ENABLE? */
bool sample_counter_samples(struct counter counter);

/* Those with a reset slot, general-purpose ones first; at most PMU_COUNTERS_MAX. Returns how many.
 */
unsigned sample_counters(struct counter *list);

/* The event of a counter whose truth is known; PMU_EVENT_COUNT: none, and then
 * sample_skip_counter() says so. */
enum pmu_event sample_exact_event(struct test_context *t, struct counter counter);
void sample_skip_counter(struct test_context *t, struct counter counter);

/* The default sampling of one counter, not run: of its event, whether the truth is known or not;
 * and of the one whose truth is known. False after a test_skip(). */
bool sample_of_counter(struct test_context *t, struct counter counter, struct sampling *sampling);
bool sample_of_exact_counter(struct test_context *t, struct counter counter,
                             struct sampling *sampling);

/* The latter, and run. False after a test_skip() or test_fail(). */
bool sample_run_counter(struct test_context *t, struct counter counter, struct sampling *sampling);

/*
 * After a run of one fixed counter that left no record: fails where one is missing, else skips with
 * that reason. It is missing where the counter overflowed long before the end, and a
 * general-purpose counter stores records for the same event: that events which are not precise are
 * sampled at all is open (F1.31).
 */
void sample_judge_none(struct test_context *t, const struct sampling *sampling, const char *reason);

/* One that samples only where PEBS is extended: fixed, or PMC4 and above (F3.60, F22.17). */
bool sample_counter_is_extended(struct counter counter);

/* A subtest for each counter that samples: of an extended one it is about PEBS-6 first, which the
 * test has to name, too. */
void sample_each_counter(struct test_context *t, const char *claim,
                         void (*check)(struct test_context *t, struct counter counter));

/* The same, and each of them is about that claim. */
void sample_each_counter_of(struct test_context *t, const char *claim,
                            void (*check)(struct test_context *t, struct counter counter));

/* Makes it a sampling of all general-purpose counters, one record each, whose first overflows are
 * so many events apart. */
void sampling_add_all(struct sampling *sampling, enum pmu_event event, uint64_t apart);

/* Their bits of IA32_PEBS_ENABLE. */
uint64_t sampling_bits(const struct sampling *sampling);

/* After a run of several that count branches and were apart: each its own record, named as its own,
 * and each counter reloaded from its own slot. */
void sample_check_apart(struct test_context *t, const struct sampling *sampling);

/* One of them: reloaded at the event of that number. */
bool sample_check_reload_of(struct test_context *t, const struct sampling *sampling,
                            unsigned number, uint64_t last_event);

#endif
