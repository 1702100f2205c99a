/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events does PEBS store records for on this processor? The manual has a list for each model
 * (F3.61), so candidates are tried once, on PMC0. Instructions are tried on the other counters too,
 * up to the first that samples them, because Golden Cove's PMC0 does not (F22.22). If PMC0 samples
 * no event, pebs.some_event_stores_records fails and the other tests skip.
 */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_EVENTS_H
#define TESTS_SPEC_SAMPLES_SAMPLE_EVENTS_H

#include <stdbool.h>
#include "tests/spec/samples/sampling.h"

/* The counter that samples the event: for instructions the first that does, once tried. All
 * counters after it must do so too. */
struct counter sample_counter(enum pmu_event event);

/* A sampling of that counter by the event with periods that suit the workload:
 * SAMPLE_DEFAULT_RECORDS records, however late they come. The threshold is never reached. */
#define SAMPLE_DEFAULT_RECORDS 6
struct sampling sample_default(enum pmu_event event);

/* Does the processor store records for the event? Learns the spacing of records; logs an
 * observation if it stores none. */
bool sample_event_works(struct test_context *t, enum pmu_event event);

/* An event that PMC0 samples. sample_branches(): branches retired. sample_best_event(): one whose
 * truth is exact (branches, else instructions). sample_any_event(): any (instructions, else
 * branches). PMU_EVENT_COUNT if none works. */
enum pmu_event sample_branches(struct test_context *t);
bool sample_has_branches(struct test_context *t); /* false after a test_skip() */
enum pmu_event sample_best_event(struct test_context *t);
enum pmu_event sample_any_event(struct test_context *t);

#define SAMPLE_NO_BRANCHES                                                                         \
    "IA32_PEBS_ENABLE: PMC0 stores no record for branches retired (C4H/00H, C4H/04H)"
#define SAMPLE_NO_INSTRUCTIONS                                                                     \
    "IA32_PEBS_ENABLE: no counter stores a record for instructions retired (C0H/00H)"

/* The candidates as text: "C0H/00H, …" */
const char *sample_candidates(void);

/* False after a test_skip() if the event is PMU_EVENT_COUNT: nothing can be sampled. */
bool sample_is_possible(struct test_context *t, enum pmu_event event);

#endif
