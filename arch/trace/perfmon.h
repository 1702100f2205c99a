/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID.0AH, decoded. Pure: the same leaf gives the same answer everywhere (F1.8 to F1.11). */
#ifndef ARCH_TRACE_PERFMON_H
#define ARCH_TRACE_PERFMON_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/insn.h"

struct perfmon_identity { /* all 0 without the leaf */
    uint8_t version;
    uint8_t counters, counter_bits;
    uint8_t fixed_counters, fixed_counter_bits;
    uint32_t event_mask_length, events_unavailable; /* EAX[31:24], EBX */
    uint32_t fixed_bitmap;                          /* ECX, version 5 on */
};

/* Version 0, which is no architectural performance monitoring, leaves all the rest 0 too. */
struct perfmon_identity perfmon_decode(struct cpuid_result leaf);

/*
 * Named by either register, the bitmap only from version 5 on. Early Core parts of version 2 may
 * have more than EDX says (F1.13); what is not enumerated is not relied on.
 */
bool perfmon_fixed_exists(const struct perfmon_identity *perfmon, unsigned number);

/*
 * Where a processor has cores of several kinds, or leaf 23H, leaf 0AH may be what the kinds have in
 * common, less than this core has (F21.35). features: CPUID.07H.0 and 07H.1, all 0 without them.
 */
bool perfmon_is_in_doubt(const struct cpuid_result features[2], uint32_t max_leaf);

/* One past the highest fixed counter; there may be gaps below it. */
unsigned perfmon_fixed_limit(const struct perfmon_identity *perfmon);

/* Architectural event by its bit of EBX. A bit past the enumerated ones is no event (F1.9). */
bool perfmon_event_available(const struct perfmon_identity *perfmon, unsigned event);

#endif
