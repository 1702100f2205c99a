/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural last-branch records: probing (F20.1), and their own registers IA32_LBR_CTL and
 * IA32_LBR_DEPTH. arch/trace/lbr.h reads the stack, and arch/trace/debugctl.h switches recording,
 * for both kinds of LBRs. The bits are usable from assembly.
 */
#ifndef ARCH_TRACE_LBR_ARCH_H
#define ARCH_TRACE_LBR_ARCH_H

/* Bits of IA32_LBR_CTL. A set bit records a kind or ring (F20.13, F20.14). */
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
#include "arch/cpu/ground/exception.h"
#include "arch/trace/lbr_format.h"

/* What CPUID.1CH enumerates (F20.2, F20.3). The functions that take it (lbr_leaf.c) are pure. */
struct lbr_leaf {
    uint8_t depths;      /* bit n: a depth of LBR_DEPTH_STEP * (n + 1) entries */
    bool lost_when_deep; /* records may be lost in C-states deeper than C1 */
    bool linear;         /* addresses include the segment's base */
    bool filters_rings, filters_kinds, has_call_stack;
    bool has_misprediction, has_cycles, has_type; /* in INFO */
    uint8_t event_counters;                       /* bit n: INFO can log PMCn's events (F20.24) */
};

struct lbr_leaf lbr_leaf_decode(struct cpuid_result leaf);

/* Largest and smallest depth up to LBR_DEPTH_MAX, in entries; 0 if none is enumerated. */
unsigned lbr_leaf_largest(const struct lbr_leaf *leaf);
unsigned lbr_leaf_smallest(const struct lbr_leaf *leaf);
bool lbr_leaf_has_depth(const struct lbr_leaf *leaf, uint64_t depth);

/*
 * Converts a filter (LBR_SELECT_… bits) to bits of IA32_LBR_CTL without LBREn, and back. If CPUID
 * does not enumerate filtering by ring or by kind, the bits of that filter are clear in both
 * results.
 */
uint64_t lbr_leaf_filter(const struct lbr_leaf *leaf, uint64_t left_out);
uint64_t lbr_leaf_left_out(const struct lbr_leaf *leaf, uint64_t control);

/* Defined bits of an entry's INFO (F20.3, F20.21, F20.25). transactions: CPUID has RTM. */
uint64_t lbr_leaf_info(const struct lbr_leaf *leaf, bool transactions);

/* The same for IA32_LER_INFO, which has fewer (F20.34). */
uint64_t lbr_leaf_last_exception_info(const struct lbr_leaf *leaf, bool transactions);

/* The enumeration, even if the registers do not answer; NULL if there is none. */
const struct lbr_leaf *lbr_arch(void);

/* Defined bits of an entry's INFO, and of IA32_LER_INFO (F20.21, F20.34). Needs lbr_arch(). */
uint64_t lbr_arch_info(void);
uint64_t lbr_arch_last_exception_info(void);

/* Probes FEATURE_ARCH_LBR and FEATURE_LBR_CALL_STACK, for arch/trace/features_probe.c. only_reads:
 * writes no register, and assumes that trial writes would succeed. */
void lbr_arch_probe(bool only_reads);

/* The architectural LBRs in the form of a model's stack, with LBR_DEPTH_MAX as its depth. In place
 * of a top of stack, which they lack, it names IA32_LBR_DEPTH; lbr_capture() ignores what that
 * holds. */
const struct lbr_stack *lbr_arch_stack(void);

/* Present number of entries; the smallest enumerated one if IA32_LBR_DEPTH holds no legal depth. */
unsigned lbr_arch_depth(void);

/*
 * Writes IA32_LBR_DEPTH, which clears every entry (F20.17). depth: in entries; 0 stands for the
 * largest. Later calls of lbr_clear() on this processor use the same depth.
 */
struct exception lbr_arch_set_depth(unsigned depth);

/* Value of IA32_LBR_CTL for the filter that the running processor's lbr_select() set last; on: with
 * LBREn. */
uint64_t lbr_arch_control(bool on);

/* Reads IA32_LBR_CTL; 0 without architectural LBRs. */
uint64_t lbr_arch_read_control(void);

/* For branch-free code: the MSR whose bit 0 switches recording. */
extern uint32_t lbr_switch;

/*
 * Architectural last-branch records by XSAVES and XRSTORS: component 15 holds all their registers
 * (F20.36).
 */

/* Layout of the component in memory. */
struct lbr_image {
    uint64_t control, depth;
    uint64_t ler_from, ler_to, ler_info;
    struct lbr_raw entries[LBR_DEPTH_MAX];
};

_Static_assert(sizeof(struct lbr_image) == 808, "CPUID.0DH.15:EAX");

/* Enable and disable component 15 on the running processor. Both need FEATURE_LBR_XSAVES.
 * with_vectors: x87, SSE and AVX states are saved and restored with it; needs avx_exists(). */
void lbr_xsave_begin(bool with_vectors);
void lbr_xsave_end(void);

/* Saves all registers to the image. *used: the processor reports that the component is in use, in
 * the format that was asked for; if it is not in use, nothing is written. Returns the exception, if
 * any. */
struct exception lbr_xsaves(struct lbr_image *image, bool *used);

/* Restores the registers from the image; NULL: from one without the component. Returns the
 * exception, if any. */
struct exception lbr_xrstors(const struct lbr_image *image);

/* Saves into the memory from which lbr_xrstors() restored last, and copies that to the image. The
 * processor may skip what it considers unchanged since XRSTORS. */
struct exception lbr_xsaves_again(struct lbr_image *image);

#endif
#endif
