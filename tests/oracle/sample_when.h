/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which event stores a counter's record, and where does its next period begin? "The next occurrence
 * of the event after the overflow" (F3.62) is what the manual says. Counters with a precise
 * distribution, or with a reduced skid, store the record of the very event that overflows them:
 * some of some models, and some of them only with long periods (F22.19, F22.20). So it is learnt
 * for each counter and each kind of period, from branches, whose number is known without doubt.
 */
#ifndef TESTS_ORACLE_SAMPLE_WHEN_H
#define TESTS_ORACLE_SAMPLE_WHEN_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/run/sampling.h"

/* Periods, in events, that are long enough for a precise distribution (F22.20). */
#define SAMPLE_LONG_PERIOD 128

/* Learns what is not known yet of the sampling's counters that count branches, by runs of their
 * own: ahead of the run that must be judged by it. */
void sample_learn_when(struct test_context *t, const struct sampling *sampling);

/*
 * Of record number so much of a counter, from 0: events from the overflow to the one that stores
 * it, 0 or 1; from the record before to this one (number > 0); the number of the event that stores
 * it.
 */
uint64_t sample_delay(const struct sampling_counter *item, size_t number);
uint64_t sample_spacing(const struct sampling_counter *item, size_t number);
uint64_t sample_storing_event(const struct sampling_counter *item, size_t number);

/* Those of the general-purpose counters, bits of IA32_PEBS_ENABLE, that store their first record at
 * the overflow: with this event, events to the first overflow, and the layout's reset values. */
uint64_t sample_at_overflow(struct test_context *t, enum pmu_event event, uint64_t counters,
                            uint64_t first, const struct pebs_layout *layout);

/* Records by the event of that number, itself included. */
size_t sample_records_by(const struct sampling_counter *item, uint64_t last);

/* Events that the counter has counted since its reload for the record that the event stored, up to
 * the last. */
uint64_t sample_counted_since(const struct sampling_counter *item, uint64_t event, uint64_t last);

#endif
