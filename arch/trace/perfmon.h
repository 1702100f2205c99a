/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes CPUID.0AH and CPUID.23H (F1.8 to F1.11, F21.7 to F21.10). Leaf 23H, if present, describes
 * the processor that reads it, and takes precedence. On a hybrid leaf 0AH is the same on all cores,
 * and has what they have in common (F21.6). Pure.
 */
#ifndef ARCH_TRACE_PERFMON_H
#define ARCH_TRACE_PERFMON_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/insn.h"

/* Sub-leaves of leaf 23H: bits of EAX of sub-leaf 0 (F21.8). */
#define PERFMON_OWN_COUNTERS (1u << 1)
#define PERFMON_OWN_RELOADS  (1u << 2)
#define PERFMON_OWN_EVENTS   (1u << 3)
#define PERFMON_OWN_PEBS     (1u << 4 | 1u << 5)
#define PERFMON_OWN_LEAVES   6u

/* Newer bits of IA32_PERFEVTSELx that exist: EBX of sub-leaf 0 (F21.8). */
#define PERFMON_SELECT_UNIT_MASK_2  (1u << 0) /* bits 47:40 */
#define PERFMON_SELECT_EQUAL        (1u << 1) /* bit 36 */
#define PERFMON_SELECT_NO_USER_READ (1u << 2) /* bit 37: RDPMC is for CPL 0 only */

/* Bitmaps of counters. */
struct perfmon_pair {
    uint32_t general, fixed;
};

/* Fields of a missing sub-leaf are 0. */
struct perfmon_own {
    uint32_t leaves, select_bits;          /* PERFMON_OWN_…, PERFMON_SELECT_… */
    uint32_t slots;                        /* top-down slots a cycle; 0: use fixed counter 3 */
    struct perfmon_pair counters;          /* sub-leaf 1 (F21.9) */
    struct perfmon_pair reloaded, reloads; /* sub-leaf 2: can be reloaded; can reload others */
    uint32_t events;                       /* sub-leaf 3: architectural events */
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

/* With version 0, no architectural performance monitoring, all other fields are 0 too. */
struct perfmon_identity perfmon_decode(struct cpuid_result leaf);

/*
 * Existing counters: bit n for counter n, below 32.
 *
 * Leaf 0AH enumerates a fixed counter by the count in EDX or, from version 5 on, by the bitmap in
 * ECX. Early Core parts of version 2 may have more than EDX says (F1.13); these are not used.
 */
uint32_t perfmon_general_bitmap(const struct perfmon_identity *perfmon);
uint32_t perfmon_fixed_bitmap(const struct perfmon_identity *perfmon);
unsigned perfmon_count(uint32_t bitmap); /* number of set bits */
bool perfmon_general_exists(const struct perfmon_identity *perfmon, unsigned number);
bool perfmon_fixed_exists(const struct perfmon_identity *perfmon, unsigned number);

/* Does leaf 23H exist (F21.7)? features: CPUID.07H.0 and 07H.1, zeros if missing. */
bool perfmon_has_own(const struct cpuid_result features[2], uint32_t max_leaf);

/* Decodes sub-leaves 0 to 5 of leaf 23H; reads only those that sub-leaf 0 lists. */
struct perfmon_own perfmon_decode_own(const struct cpuid_result leaves[PERFMON_OWN_LEAVES]);

/*
 * Is the chip hybrid without leaf 23H? Leaf 0AH then has what the kinds have in common, which may
 * be less than this core has (F21.35, F24.5).
 */
bool perfmon_is_in_doubt(const struct cpuid_result features[2], uint32_t max_leaf);

/* One past the highest counter; there may be gaps below (F21.11). */
unsigned perfmon_general_limit(const struct perfmon_identity *perfmon);
unsigned perfmon_fixed_limit(const struct perfmon_identity *perfmon);

/* Does this architectural event exist, by its bit in EBX of leaf 0AH, within the enumerated length
 * (F1.9), or in leaf 23H? */
bool perfmon_event_available(const struct perfmon_identity *perfmon, unsigned event);

#endif
