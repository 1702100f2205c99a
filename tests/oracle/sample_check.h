/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PEBS records must a run of the workload `registers` leave, and what must be in them? From
 * the counters' periods follow the events that store records, from an event's number the
 * instruction, from the instruction the whole register state.
 */
#ifndef TESTS_ORACLE_SAMPLE_CHECK_H
#define TESTS_ORACLE_SAMPLE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/oracle/sample_events.h"
#include "tests/run/sampling.h"

/*
 * How late a record may come: instructions between the overflow and the moment from which on the
 * next event stores it. F3.62 says "the next occurrence" and names no time for the arming; branches
 * of the workload are far enough apart for that (registers.h), instructions are not.
 */
#define SAMPLE_SKID_LIMIT 64

/* Events between the start of counting and the end: branches exactly; instructions but for the
 * slack of starting and stopping. */
uint64_t sample_events_in_all(enum pmu_event event);

/* The number of the event, from 1, that the first instruction of the known steps makes. */
uint64_t sample_first_event(enum pmu_event event);

/* An instruction by its number among register_states; SIZE_MAX: none that the event makes. */
size_t sample_cause_of_event(enum pmu_event event, uint64_t number);

/* The event that the record in a slot blames: the other way round. 0: none of the known steps. */
uint64_t sample_event_of_slot(enum pmu_event event, size_t slot);

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
 * All records of a run with one sampling counter, in ring 0 or 3: they come at the events that its
 * periods tell, instructions up to SAMPLE_SKID_LIMIT late, from the first to the last, each with
 * the right contents, as many as fit. Returns the number of the event that
 * stored the last one; 0 after a test_fail().
 */
uint64_t sample_check_all(struct test_context *t, const struct sampling *sampling);

/* The event that stored the last of one or more records in ring 0: branches by the periods,
 * instructions by what the record says, or the first after the known steps. */
uint64_t sample_last_event(const struct sampling *sampling);

/* The counter after the run: its reset value and the events since the last reload. */
bool sample_check_reload(struct test_context *t, const struct sampling *sampling,
                         uint64_t last_event);

#endif
