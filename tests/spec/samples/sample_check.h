/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which PEBS records must a run of the workload `registers` leave, and what must be in them? The
 * counters' periods give the events that store records, an event's number gives its instruction,
 * and the instruction gives the whole register state. The known steps are those from the first LEA
 * to the last JMP of the workload: register_states has the state before each of their instructions.
 */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_CHECK_H
#define TESTS_SPEC_SAMPLES_SAMPLE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tests/spec/samples/sample_events.h"
#include "tests/spec/samples/sampling.h"

/*
 * How many instructions may run between an overflow and the arming of PEBS. The next event after
 * the arming stores the record: F3.62 says "the next occurrence" and names no time for the arming.
 * PEBS is always armed before the workload's next branch (registers.h), but not before its next
 * instruction.
 */
#define SAMPLE_SKID_LIMIT 64

/* How many events a whole run makes. The number of branches is exact. A counter of instructions may
 * differ from it by the slack of starting and stopping (COUNT_SLACK). */
uint64_t sample_events_in_all(enum pmu_event event);

/* The number, from 1, of the first event in the known steps. */
uint64_t sample_first_event(enum pmu_event event);

/* The instruction that makes event `number`, as an index of register_states. SIZE_MAX if it is
 * outside the known steps. */
size_t sample_cause_of_event(enum pmu_event event, uint64_t number);

/* The number of the event that the record in a slot names as its cause. 0 if that is outside the
 * known steps. */
uint64_t sample_event_of_slot(enum pmu_event event, size_t slot);

/* What one record must say. */
struct sample_expected {
    size_t cause;    /* the instruction, an index of register_states */
    uint64_t bits;   /* IA32_PEBS_ENABLE bits of the counters that caused it */
    uint64_t others; /* bits of the other sampling counters */
};

/* Checks everything that the record says against the state at the instruction that caused it. */
bool sample_check_record(struct test_context *t, const struct sampling *sampling,
                         const struct pebs_record *record, const struct sample_expected *expected);

/* The instruction that the record names by IP or eventing IP, as an index of register_states.
 * SIZE_MAX if it is outside the known steps. */
size_t sample_cause_of_record(const struct pebs_record *record);

/*
 * Checks all records of a run with one sampling counter, in ring 0 or 3. They must come at the
 * events that the counter's periods give (for instructions up to SAMPLE_SKID_LIMIT late). Each must
 * have the right contents, and there must be as many as fit. Returns the number of the event that
 * stored the last one; 0 after a test_fail().
 */
uint64_t sample_check_all(struct test_context *t, const struct sampling *sampling);

/* The number of the event that stored the last record of a run in ring 0. For branches it follows
 * from the periods. For instructions it is the one that the record names; if that is outside the
 * known steps, the result is the first event after them. */
uint64_t sample_last_event(const struct sampling *sampling);

/* Checks that the counter holds its reset value plus the events since the last reload. */
bool sample_check_reload(struct test_context *t, const struct sampling *sampling,
                         uint64_t last_event);

#endif
