/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters that sample, one after another or all in one run. */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_COUNTERS_H
#define TESTS_SPEC_SAMPLES_SAMPLE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/spec/samples/sampling.h"

/* Does the counter exist, with a bit in IA32_PEBS_ENABLE? */
bool sample_counter_samples(struct counter counter);

/* Writes the counters that sample to `list`, general-purpose ones first, at most PMU_COUNTERS_MAX.
 * Returns how many. */
unsigned sample_counters(struct counter *list);

/* An event of the counter whose truth is known, or PMU_EVENT_COUNT; sample_skip_counter() then
 * skips with the reason. */
enum pmu_event sample_exact_event(struct test_context *t, struct counter counter);
void sample_skip_counter(struct test_context *t, struct counter counter);

/* Prepare the default sampling of one counter without running it: the first by any event, the
 * second by one whose truth is known. False after a test_skip(). */
bool sample_of_counter(struct test_context *t, struct counter counter, struct sampling *sampling);
bool sample_of_exact_counter(struct test_context *t, struct counter counter,
                             struct sampling *sampling);

/* Calls sample_of_exact_counter() and runs what it prepared. False after a test_skip() or
 * test_fail(). */
bool sample_run_counter(struct test_context *t, struct counter counter, struct sampling *sampling);

/*
 * Judges a run of one fixed counter that left no record: fails the test if one is missing,
 * otherwise skips it with the reason. A record is missing if the counter overflowed long before the
 * end and a general-purpose counter stores records for the same event. Otherwise the event may be
 * one that is not precise, and whether those are sampled is open (F1.31).
 */
void sample_judge_none(struct test_context *t, const struct sampling *sampling, const char *reason);

/* Does the counter sample only if PEBS is extended? Fixed counters and PMC4 and above do (F3.60,
 * F22.17). */
bool sample_counter_is_extended(struct counter counter);

/* A subtest for each counter that samples. For an extended one its first claim is `extended`. The
 * test must declare both. */
void sample_each_counter(struct test_context *t, const char *claim, const char *extended,
                         void (*check)(struct test_context *t, struct counter counter));

/* Replaces the sampling's counters by all general-purpose ones, for one record each, with first
 * overflows `apart` events apart. */
void sampling_add_all(struct sampling *sampling, enum pmu_event event, uint64_t apart);

/* After a run of sampling_add_all() by branches: each counter must have its own record, which names
 * it, and be reloaded from its own slot. */
void sample_check_apart(struct test_context *t, const struct sampling *sampling);

/* Checks that counter `number` of the sampling was reloaded at event `last_event`. */
bool sample_check_reload_of(struct test_context *t, const struct sampling *sampling,
                            unsigned number, uint64_t last_event);

#endif
