/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUID.0AH and CPUID.23H, decoded. Pure: the same leaves give the same answer everywhere (F1.8 to
 * F1.11, F21.7 to F21.10). Leaf 23H says what the processor that reads it has, and then is what
 * counts; on a hybrid leaf 0AH is the same on all, what their cores have in common (F21.6).
 */
#ifndef ARCH_TRACE_PERFMON_H
#define ARCH_TRACE_PERFMON_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/insn.h"

/* Sub-leaves of leaf 23H, as bits of EAX of the first (F21.8). */
#define PERFMON_OWN_COUNTERS (1u << 1)
#define PERFMON_OWN_RELOADS  (1u << 2)
#define PERFMON_OWN_EVENTS   (1u << 3)
#define PERFMON_OWN_PEBS     (1u << 4 | 1u << 5)
#define PERFMON_OWN_LEAVES   6u

/* Which newer bits of IA32_PERFEVTSELx there are: EBX of the first (F21.8). */
#define PERFMON_SELECT_UNIT_MASK_2  (1u << 0) /* bits 47:40 */
#define PERFMON_SELECT_EQUAL        (1u << 1) /* bit 36 */
#define PERFMON_SELECT_NO_USER_READ (1u << 2) /* bit 37: RDPMC is for CPL 0 alone */

/* Bitmaps of counters. */
struct perfmon_pair {
    uint32_t general, fixed;
};

/* A member whose sub-leaf is not there is 0. */
struct perfmon_own {
    uint32_t leaves, select_bits;          /* PERFMON_OWN_…, PERFMON_SELECT_… */
    uint32_t slots;                        /* in a cycle; 0: fixed counter 3 counts them */
    struct perfmon_pair counters;          /* sub-leaf 1 (F21.9) */
    struct perfmon_pair reloaded, reloads; /* sub-leaf 2: can be; whose overflow may do it */
    uint32_t events;                       /* sub-leaf 3: the architectural ones that are there */
    uint32_t pebs_groups;                  /* sub-leaf 4, EBX (F21.10) */
    struct perfmon_pair pebs, distributed; /* sub-leaf 5: with PEBS, with PDist */
};

struct perfmon_identity { /* all 0 without the leaf */
    uint8_t version;
    uint8_t counters, counter_bits;
    uint8_t fixed_counters, fixed_counter_bits;
    uint32_t event_mask_length, events_unavailable; /* EAX[31:24], EBX */
    uint32_t fixed_bitmap;                          /* ECX, version 5 on */
    struct perfmon_own own;                         /* all 0 without leaf 23H */
};

/* Version 0, which is no architectural performance monitoring, leaves all the rest 0 too. */
struct perfmon_identity perfmon_decode(struct cpuid_result leaf);

/*
 * The counters, bit n for counter n; of more than 32 the first 32.
 *
 * Of leaf 0AH a fixed one is named by either register, the bitmap only from version 5 on. Early
 * Core parts of version 2 may have more than EDX says (F1.13); what is not enumerated is not relied
 * on.
 */
uint32_t perfmon_general_bitmap(const struct perfmon_identity *perfmon);
uint32_t perfmon_fixed_bitmap(const struct perfmon_identity *perfmon);
unsigned perfmon_count(uint32_t bitmap); /* its bits that are set */
bool perfmon_general_exists(const struct perfmon_identity *perfmon, unsigned number);
bool perfmon_fixed_exists(const struct perfmon_identity *perfmon, unsigned number);

/* Whether leaf 23H is there (F21.7). features: CPUID.07H.0 and 07H.1, all 0 without them. */
bool perfmon_has_own(const struct cpuid_result features[2], uint32_t max_leaf);

/* Sub-leaves 0 to 5 of leaf 23H; what is there by sub-leaf 0 alone is read. */
struct perfmon_own perfmon_decode_own(const struct cpuid_result leaves[PERFMON_OWN_LEAVES]);

/*
 * Where a processor has cores of several kinds and no leaf 23H, leaf 0AH is what the kinds have in
 * common, which may be less than this core has (F21.35, F24.5).
 */
bool perfmon_is_in_doubt(const struct cpuid_result features[2], uint32_t max_leaf);

/* One past the highest counter; there may be gaps below it (F21.11). */
unsigned perfmon_general_limit(const struct perfmon_identity *perfmon);
unsigned perfmon_fixed_limit(const struct perfmon_identity *perfmon);

/* Architectural event by its bit of leaf 0AH's EBX, where one past the enumerated ones is no event
 * (F1.9), or of leaf 23H. */
bool perfmon_event_available(const struct perfmon_identity *perfmon, unsigned event);

#endif
