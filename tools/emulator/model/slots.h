// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-down slots: how each place for a micro-operation was used, and PERF_METRICS, which has that
 * as fractions (F21.12, F21.16).
 *
 * The model has no pipeline. A cycle retires one micro-operation. Its other slots are bad
 * speculation if a branch was mispredicted, otherwise front-end bound; none is back-end bound.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "counter.h"

/* Uses of a slot, in the order of their fractions in PERF_METRICS. */
enum slot { SLOT_RETIRING, SLOT_BAD, SLOT_FRONTEND, SLOT_BACKEND };

unsigned slots_in_cycle(const struct ds_profile *profile);
unsigned slots_of(const struct ds_profile *profile, const struct counter_cycle *cycle,
                  enum slot slot);

#define SLOTS_COUNTER (COUNTER_FIXED + 3) /* fixed counter 3 (F6.4) */

/* Bit 48 of the global registers: PERF_METRICS (F21.21, F21.22). */
#define SLOTS_METRICS (1ull << 48)

/* Decides whether PERF_METRICS counts, by fixed counter 3's field and its own enable bit. To be
 * called after a change of either or of the counter freeze. */
void slots_refresh(struct ds_cpu *cpu);
void slots_cycle(struct ds_cpu *cpu, const struct counter_cycle *cycle);

/* The register: fractions of the slots since it was written, each in units of 1/255. */
uint64_t slots_metrics(const struct ds_cpu *cpu);
void slots_write_metrics(struct ds_cpu *cpu, uint64_t value);

#endif
