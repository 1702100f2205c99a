/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which last-branch-record stack a processor has that has none of the architectural ones: F8.1.
 * Usable from assembly for the depth.
 */
#ifndef ARCH_TRACE_LBR_STACKS_H
#define ARCH_TRACE_LBR_STACKS_H

#define LBR_DEPTH_MAX 32

/* MSR numbers of entry 0, by family (F8.1, F8.14). */
#define LBR_STACK_LOW_FROM  0x40
#define LBR_STACK_LOW_TO    0x60
#define LBR_STACK_HIGH_FROM 0x680
#define LBR_STACK_HIGH_TO   0x6c0
#define LBR_STACK_INFO      0xdc0
#define LBR_STACK_ARCH_INFO 0x1200 /* architectural ones (F20.9) */
#define LBR_STACK_ARCH_FROM 0x1500
#define LBR_STACK_ARCH_TO   0x1600

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/identity/models.h"

struct lbr_stack {
    bool architectural; /* entry 0 is always the newest, and the depth can be set (F20.10) */
    uint8_t depth;      /* entries, a power of two */
    bool packed;        /* FROM and TO share one 64-bit MSR, 32 bits each (LBR-5) */
    bool has_select;    /* MSR_LBR_SELECT exists */
    bool no_call_stack; /* its bit 9 is reserved: before Haswell (F8.20) */
    bool misprediction; /* FROM[63] tells mispredictions though the format says plain (L19) */
    bool flag_is_open;  /* whether it does so where the format says plain is not written (F8.18) */
    uint32_t from, to;  /* MSR numbers of entry 0; to is 0 when packed */
    uint32_t info;      /* MSR number of MSR_LBR_INFO_0; 0: none; used by formats 5 and 7 alone */
    uint32_t top_of_stack;     /* MSR number; bits above the depth's are to be ignored */
    uint32_t ler_from, ler_to; /* MSR numbers of the last-exception record (F8.31) */
    uint32_t ler_info;         /* likewise; 0: none */
};

/* NULL: no stack that this kernel knows. */
const struct lbr_stack *lbr_stack_of(const struct cpu_identity *identity);

#endif
#endif
