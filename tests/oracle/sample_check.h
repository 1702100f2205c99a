/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PEBS records must a run of the workload `registers` leave, and what must be in them? The
 * counters' periods give the events that store records, an event's number gives its instruction,
 * and the instruction gives the whole register state.
 */
#ifndef TESTS_ORACLE_SAMPLE_CHECK_H
#define TESTS_ORACLE_SAMPLE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/oracle/sample_events.h"
#include "tests/run/sampling.h"

/*
 * How late a record may come: instructions from the overflow until PEBS is armed, so that the next
 * event stores it. F3.62 says "the next occurrence" and names no time for the arming. The
 * workload's branches are far enough apart for it (registers.h), its instructions are not.
 */
#define SAMPLE_SKID_LIMIT 64

/* Events of a whole run: branches exactly, instructions except for the slack of starting and
 * stopping. */
uint64_t sample_events_in_all(enum pmu_event event);

/* The number, from 1, of the event at the first instruction of the known steps. */
uint64_t sample_first_event(enum pmu_event event);

/* The instruction that makes event `number`, as an index of register_states; SIZE_MAX: none of the
 * known steps. */
size_t sample_cause_of_event(enum pmu_event event, uint64_t number);

/* The number of the event that the record in a slot names as its cause; 0: none of the known
 * steps. */
uint64_t sample_event_of_slot(enum pmu_event event, size_t slot);

/* What one record must say. */
struct sample_expected {
    size_t cause;    /* the instruction, an index of register_states */
    uint64_t bits;   /* IA32_PEBS_ENABLE bits of the counters that caused it */
    uint64_t others; /* bits of the other sampling counters */
};

/* Checks everything that the record says against the state at its cause. */
bool sample_check_record(struct test_context *t, const struct sampling *sampling,
                         const struct pebs_record *record, const struct sample_expected *expected);

/* The instruction that the record names by IP or eventing IP, as such an index; SIZE_MAX: none of
 * the known steps. */
size_t sample_cause_of_record(const struct pebs_record *record);

/*
 * Checks all records of a run with one sampling counter, in ring 0 or 3. They must come at the
 * events that its periods give (instructions up to SAMPLE_SKID_LIMIT late), each with the right
 * contents, as many as fit. Returns the number of the event that stored the last one; 0 after a
 * test_fail().
 */
uint64_t sample_check_all(struct test_context *t, const struct sampling *sampling);

/* The number of the event that stored the last record in ring 0. For branches the periods give it,
 * for instructions the record itself, or else it is the first after the known steps. */
uint64_t sample_last_event(const struct sampling *sampling);

/* Checks that the counter holds its reset value plus the events since the last reload. */
bool sample_check_reload(struct test_context *t, const struct sampling *sampling,
                         uint64_t last_event);

#endif
