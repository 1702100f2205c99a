/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which event stores a counter's record, and where does its next period begin? The manual says the
 * next event after the overflow (F3.62). On some models, some counters with a precise distribution
 * or a reduced skid store the record at the overflowing event itself, some only with long periods
 * (F22.19, F22.20). So the answers are learnt for each counter and each kind of period, from
 * branches, whose number is known exactly.
 */
#ifndef TESTS_SPEC_SAMPLES_SAMPLE_WHEN_H
#define TESTS_SPEC_SAMPLES_SAMPLE_WHEN_H

#include <stdbool.h>
#include <stdint.h>
#include "tests/spec/samples/sampling.h"

/* In events. A period of this length or more is long enough for a precise distribution (F22.20). */
#define SAMPLE_LONG_PERIOD 128

/* Learns both answers, by runs of its own, for those of the sampling's counters that count
 * branches. To be called before the run that is judged by them. */
void sample_learn_when(struct test_context *t, const struct sampling *sampling);

/*
 * About a counter's record `number`, from 0. sample_delay(): events from the overflow to the event
 * that stores it, 0 or 1. sample_spacing(): events since the record before it (number > 0).
 * sample_storing_event(): the number of the event that stores it.
 */
uint64_t sample_delay(const struct sampling_counter *item, size_t number);
uint64_t sample_spacing(const struct sampling_counter *item, size_t number);
uint64_t sample_storing_event(const struct sampling_counter *item, size_t number);

/* Which of these general-purpose counters, bits of IA32_PEBS_ENABLE, store their first record at
 * the overflowing event? first: events to the overflow; layout: the reset values. */
uint64_t sample_at_overflow(struct test_context *t, enum pmu_event event, uint64_t counters,
                            uint64_t first, const struct pebs_layout *layout);

/* How many records are stored up to event `last`, inclusive. */
size_t sample_records_by(const struct sampling_counter *item, uint64_t last);

/* Events counted from the reload for the record that `event` stored, up to event `last`. */
uint64_t sample_counted_since(const struct sampling_counter *item, uint64_t event, uint64_t last);

#endif
