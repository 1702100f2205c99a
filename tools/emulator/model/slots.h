// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-down slots: what became of each place for a micro-operation, and PERF_METRICS, which tells it
 * as fractions (F21.12, F21.16).
 *
 * A model without a pipeline knows this much: a cycle retires one micro-operation. The other slots
 * of a cycle are bad speculation where a branch was mispredicted, else the front end's fault; none
 * ever waits for the back end, for there is nothing to wait for.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "counter.h"

/* By the place of its fraction in PERF_METRICS. */
enum slot { SLOT_RETIRING, SLOT_BAD, SLOT_FRONTEND, SLOT_BACKEND };

unsigned slots_in_cycle(const struct ds_profile *profile);
unsigned slots_of(const struct ds_profile *profile, const struct counter_cycle *cycle,
                  enum slot slot);

#define SLOTS_COUNTER (COUNTER_FIXED + 3) /* fixed counter 3 (F6.4) */

/* Bit 48 of the global registers: PERF_METRICS (F21.21, F21.22). */
#define SLOTS_METRICS (1ull << 48)

/* PERF_METRICS counts by the field of fixed counter 3 and its own enable; to be called after any
 * change of either or of the counter freeze. */
void slots_refresh(struct ds_cpu *cpu);
void slots_cycle(struct ds_cpu *cpu, const struct counter_cycle *cycle);

/* The register: fractions of the slots since it was written, each in units of 1/255. */
uint64_t slots_metrics(const struct ds_cpu *cpu);
void slots_write_metrics(struct ds_cpu *cpu, uint64_t value);

#endif
