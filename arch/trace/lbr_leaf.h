/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural last-branch records: what CPUID.1CH enumerates (F20.2, F20.3), the bits of
 * IA32_LBR_CTL and of INFO registers (F20.13, F20.21). Pure; usable from assembly for the bits.
 */
#ifndef ARCH_TRACE_LBR_LEAF_H
#define ARCH_TRACE_LBR_LEAF_H

/* Bits of IA32_LBR_CTL. A kind or ring is recorded where its bit is set (F20.13, F20.14). */
#define LBR_CTL_LBREN         0x000001
#define LBR_CTL_OS            0x000002u
#define LBR_CTL_USR           0x000004u
#define LBR_CTL_CALL_STACK    0x000008u
#define LBR_CTL_JCC           0x010000u
#define LBR_CTL_NEAR_REL_JMP  0x020000u
#define LBR_CTL_NEAR_IND_JMP  0x040000u
#define LBR_CTL_NEAR_REL_CALL 0x080000u
#define LBR_CTL_NEAR_IND_CALL 0x100000u
#define LBR_CTL_NEAR_RET      0x200000u
#define LBR_CTL_OTHER_BRANCH  0x400000u
#define LBR_CTL_RINGS         (LBR_CTL_OS | LBR_CTL_USR)
#define LBR_CTL_KINDS         0x7f0000u
#define LBR_CTL_ALL           0x7f000full

#define LBR_DEPTH_STEP 8u /* entries: each depth is a multiple (F20.2) */

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/insn.h"

struct lbr_leaf {
    uint8_t depths;      /* bit n: a depth of LBR_DEPTH_STEP * (n + 1) entries */
    bool lost_when_deep; /* records may be lost in C-states deeper than C1 */
    bool linear;         /* addresses have the segment's base in them */
    bool filters_rings, filters_kinds, has_call_stack;
    bool has_misprediction, has_cycles, has_type; /* in INFO */
    uint8_t event_counters;                       /* bit n: PMCn's events can be logged there */
};

/* Of CPUID.1CH. */
struct lbr_leaf lbr_leaf_decode(struct cpuid_result leaf);

/* Entries, of the depths up to LBR_DEPTH_MAX; 0: none is enumerated. */
unsigned lbr_leaf_largest(const struct lbr_leaf *leaf);
unsigned lbr_leaf_smallest(const struct lbr_leaf *leaf);
bool lbr_leaf_has_depth(const struct lbr_leaf *leaf, uint64_t depth);

/*
 * What is left out, as LBR_SELECT_… of arch/trace/lbr.h say it, to bits of IA32_LBR_CTL without
 * LBREn, and back. Bits of filters that are not enumerated stay clear.
 */
uint64_t lbr_leaf_filter(const struct lbr_leaf *leaf, uint64_t left_out);
uint64_t lbr_leaf_left_out(const struct lbr_leaf *leaf, uint64_t control);

/* Bits of an entry's INFO that mean something, the others are undefined (F20.3, F20.21, F20.25).
 * transactions: CPUID has RTM. */
uint64_t lbr_leaf_info(const struct lbr_leaf *leaf, bool transactions);

/* The same of IA32_LER_INFO, which has less (F20.34). */
uint64_t lbr_leaf_last_exception_info(const struct lbr_leaf *leaf, bool transactions);

#endif
#endif
