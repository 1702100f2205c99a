/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PEBS records must a run of the workload `registers` leave, and what must be in them? From
 * the counters' periods follow the events that store records, from an event's number the
 * instruction, from the instruction the whole register state.
 */
#ifndef TESTS_EXPECT_SAMPLE_CHECK_H
#define TESTS_EXPECT_SAMPLE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/expect/sampling.h"

/* Events between the start of counting and the end: branches exactly; instructions but for the
 * slack of starting and stopping. */
uint64_t sample_events_in_all(enum pmu_event event);

/* The number of the event, from 1, that the first instruction of the known steps makes. */
uint64_t sample_first_event(enum pmu_event event);

/* An instruction by its number among register_states; SIZE_MAX: none that the event makes. */
size_t sample_cause_of_event(enum pmu_event event, uint64_t number);

/* Events from one record to the next. Needs the spacing settled, see sample_best_event(). */
uint64_t sample_spacing(const struct sampling_counter *item);

/* What must be known of one record. */
struct sample_expected {
    size_t cause;    /* the instruction, a number among register_states */
    uint64_t bits;   /* IA32_PEBS_ENABLE bits of the counters that caused it */
    uint64_t others; /* bits of the other sampling counters */
};

/* Everything that the record says, against the state at the cause. */
bool sample_check_record(struct test_context *t, const struct sampling *sampling,
                         const struct pebs_record *record, const struct sample_expected *expected);

/* The instruction that the record blames, by IP or eventing IP; SIZE_MAX: none of the known steps.
 */
size_t sample_cause_of_record(const struct pebs_record *record);

/*
 * All records of a run with one sampling counter: they come at the events that its periods tell,
 * from the first to the last, each with the right contents, as many as fit. Learns the spacing.
 * Returns the number of the event that stored the last one; 0 after a test_fail().
 */
uint64_t sample_check_all(struct test_context *t, const struct sampling *sampling);

/* The counter after the run: its reset value and the events since the last reload. */
bool sample_check_reload(struct test_context *t, const struct sampling *sampling,
                         uint64_t last_event);

/* Sampling of PMC0 by the event with periods that suit the workload; no threshold to reach. */
struct sampling sample_default(enum pmu_event event);

/*
 * Does PMC0 store records for the event (F3.61)? Tried once, and the spacing of records learnt from
 * it; that it does not is observed. PMU_INSTRUCTIONS is precise by every manual.
 */
bool sample_event_works(struct test_context *t, enum pmu_event event);

/* The event for what must be exact: branches, or instructions where those store nothing. */
enum pmu_event sample_best_event(struct test_context *t);

#endif
