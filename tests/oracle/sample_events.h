/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events does PEBS store records for here? The manual has a list for each model (F3.61), so
 * candidates are tried, once, on PMC0; instructions on the others, too, one after another to the
 * first that samples them: Golden Cove does not on PMC0 (F22.22). That PMC0 samples none of them is
 * said by the test pebs.some_event_stores_records; the others skip.
 */
#ifndef TESTS_ORACLE_SAMPLE_EVENTS_H
#define TESTS_ORACLE_SAMPLE_EVENTS_H

#include <stdbool.h>
#include "tests/run/sampling.h"

/* The counter that samples the event; of instructions, once they were tried, the first that does.
 * It is held to that those behind it do, too. */
struct counter sample_counter(enum pmu_event event);

/* Sampling of that counter by the event with periods that suit the workload: SAMPLE_DEFAULT_RECORDS
 * records, however late they come; no threshold to reach. */
#define SAMPLE_DEFAULT_RECORDS 6
struct sampling sample_default(enum pmu_event event);

/* Does it store anything for the event? The spacing of records is learnt from it; that it does
 * not is observed. */
bool sample_event_works(struct test_context *t, enum pmu_event event);

/* The event for branches retired, the one for what must be exact (branches, else instructions), and
 * the one for what must be sampled only (the other way round), each on PMC0. PMU_EVENT_COUNT: none
 * works. */
enum pmu_event sample_branches(struct test_context *t);
enum pmu_event sample_best_event(struct test_context *t);
enum pmu_event sample_any_event(struct test_context *t);

#define SAMPLE_NO_BRANCHES                                                                         \
    "IA32_PEBS_ENABLE: PMC0 stores no record for branches retired (C4H/00H, C4H/04H)"
#define SAMPLE_NO_INSTRUCTIONS                                                                     \
    "IA32_PEBS_ENABLE: no counter stores a record for instructions retired (C0H/00H)"

/* All that are tried: "C0H/00H, …" */
const char *sample_candidates(void);

/* False after test_skip() for PMU_EVENT_COUNT; then nothing can be sampled. */
bool sample_is_possible(struct test_context *t, enum pmu_event event);

#endif
