// SPDX-License-Identifier: GPL-2.0-or-later
/* Which event does a counter count, and how many of them did a cycle bring? */
#ifndef EVENT_H
#define EVENT_H

#include "counter.h"

/* The architectural events, numbered as CPUID enumerates them (F1.9, F21.4); then some others. */
enum event {
    EVENT_CYCLES,
    EVENT_INSTRUCTIONS,
    EVENT_REFERENCE_CYCLES,
    EVENT_CACHE_REFERENCES,
    EVENT_CACHE_MISSES,
    EVENT_BRANCHES,
    EVENT_MISPREDICTS,
    EVENT_SLOTS,
    EVENT_SLOTS_BACKEND,
    EVENT_SLOTS_BAD,
    EVENT_SLOTS_FRONTEND,
    EVENT_SLOTS_RETIRING,
    EVENT_LBR_INSERTS,
    EVENT_ARCHITECTURAL,
    EVENT_MICRO_OPERATIONS = EVENT_ARCHITECTURAL,
    EVENT_CONDITIONAL,
    EVENT_CONDITIONAL_TAKEN,
    EVENT_NOT_TAKEN,
    EVENT_TAKEN,
    EVENT_CALLS,
    EVENT_RETURNS,
    EVENT_INDIRECT, /* jumps and calls */
    EVENT_FAR,
    EVENT_NONE,
};

/* The architectural events that this core counts, as bits. */
uint32_t event_counted(const struct ds_profile *profile);

/* The event that this counter is set to count; EVENT_NONE if it never happens in this model. */
enum event event_of(const struct ds_cpu *cpu, unsigned number);

/* Does PEBS of this family sample the event of general-purpose counter `number` (F3.61)? */
bool event_is_precise(const struct ds_cpu *cpu, unsigned number);

/* How often the event happened in this cycle. */
unsigned event_times(const struct ds_profile *profile, const struct counter_cycle *cycle,
                     enum event event);

#endif
