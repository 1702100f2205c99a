/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells which LBR stack a model without architectural LBRs has (F8.1). Decodes the registers of an
 * entry in every format of IA32_PERF_CAPABILITIES[5:0] (F8.10 to F8.17), in the architectural one
 * (F20.21), and in the packed form of processors before Intel 64 (LBR-5). Pure. The numbers are
 * usable from assembly.
 */
#ifndef ARCH_TRACE_LBR_FORMAT_H
#define ARCH_TRACE_LBR_FORMAT_H

#define LBR_DEPTH_MAX 32

/* MSR numbers of entry 0, by family (F8.1, F8.14). */
#define LBR_STACK_LOW_FROM  0x40
#define LBR_STACK_LOW_TO    0x60
#define LBR_STACK_HIGH_FROM 0x680
#define LBR_STACK_HIGH_TO   0x6c0
#define LBR_STACK_INFO      0xdc0
#define LBR_STACK_ARCH_INFO 0x1200 /* of architectural LBRs, like the next two (F20.9) */
#define LBR_STACK_ARCH_FROM 0x1500
#define LBR_STACK_ARCH_TO   0x1600

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "arch/cpu/identity/models.h"

struct lbr_stack {
    bool architectural; /* entry 0 is always the newest, and the depth can be set (F20.10) */
    uint8_t depth;      /* entries, a power of two; LBR_DEPTH_MAX if architectural */
    bool packed;        /* FROM and TO share one 64-bit MSR, 32 bits each (LBR-5) */
    bool has_select;    /* MSR_LBR_SELECT exists */
    bool no_call_stack; /* its bit 9 is reserved, as before Haswell (F8.20) */
    bool misprediction; /* FROM[63] tells mispredictions although format 1 is enumerated (L19) */
    bool flag_is_open;  /* no text says whether FROM[63] does so with format 1 (F8.18) */
    uint32_t from, to;  /* MSR numbers of entry 0; to is 0 when packed */
    uint32_t info;      /* MSR number of entry 0's INFO, of formats 5, 7, architectural; 0: none */
    uint32_t top_of_stack;     /* MSR number; its value counts modulo depth */
    uint32_t ler_from, ler_to; /* MSR numbers of the last-exception record (F8.31) */
    uint32_t ler_info;         /* MSR number; 0: none */
};

/* NULL if the kernel knows no stack of this processor. */
const struct lbr_stack *lbr_stack_of(const struct cpu_identity *identity);

/* MSR_LBR_SELECT: a set bit suppresses (F8.20). IA32_LBR_CTL says the same by clear bits (F20.14).
 */
#define LBR_SELECT_CPL_EQ_0      0x001u
#define LBR_SELECT_CPL_NEQ_0     0x002u
#define LBR_SELECT_JCC           0x004u
#define LBR_SELECT_NEAR_REL_CALL 0x008u
#define LBR_SELECT_NEAR_IND_CALL 0x010u
#define LBR_SELECT_NEAR_RET      0x020u
#define LBR_SELECT_NEAR_IND_JMP  0x040u
#define LBR_SELECT_NEAR_REL_JMP  0x080u
#define LBR_SELECT_FAR_BRANCH    0x100u
#define LBR_SELECT_EN_CALLSTACK  0x200u /* enables: call-stack mode, from format 4 on (F8.20) */

/* Setting of that mode for all rings: records only calls and returns (F8.21). */
#define LBR_SELECT_CALL_STACK                                                                      \
    (LBR_SELECT_EN_CALLSTACK | LBR_SELECT_JCC | LBR_SELECT_NEAR_IND_JMP |                          \
     LBR_SELECT_NEAR_REL_JMP | LBR_SELECT_FAR_BRANCH)

enum lbr_format { /* enumerated values (F8.10) */
                  LBR_FORMAT_32 = 0,
                  LBR_FORMAT_LINEAR = 1,
                  LBR_FORMAT_EIP = 2,
                  LBR_FORMAT_EIP_FLAGS = 3,     /* misprediction in FROM[63] */
                  LBR_FORMAT_EIP_FLAGS_TSX = 4, /* and in-transaction, abort in FROM[62:61] */
                  LBR_FORMAT_EIP_INFO = 5,      /* flags and cycles in MSR_LBR_INFO */
                  LBR_FORMAT_LINEAR_CYCLES = 6, /* misprediction in FROM[63], cycles in TO[63:48] */
                  LBR_FORMAT_INFO_NO_TSX = 7,
                  LBR_FORMATS,
                  LBR_FORMAT_ARCHITECTURAL = 64, /* our number; nothing enumerates it (F20.8) */
};

struct lbr_raw { /* one entry, as read; info is 0 if there is none */
    uint64_t from, to, info;
};

/* Addresses are linear; offsets in a flat segment are the same (F4.16). */
struct lbr_entry {
    uint64_t from, to;
    bool has_misprediction, mispredicted;
    bool has_tsx, in_transaction, transaction_abort;
    bool has_cycles;        /* architectural: the entry says that they are valid (F20.23) */
    uint16_t cycles;        /* core cycles since the entry before, saturating */
    bool upper_half_absent; /* bits 63:32 of from and to may be missing */
    bool has_type;          /* architectural: has BR_TYPE and event counts */
    uint8_t type;           /* LBR_TYPE_…, or a number for other branches */
    uint8_t events[4];      /* of PMC0 to PMC3 since the entry before, up to 3 (F20.24) */
};

/* BR_TYPE (F20.22). */
enum lbr_type {
    LBR_TYPE_JCC = 0,
    LBR_TYPE_NEAR_IND_JMP = 1,
    LBR_TYPE_NEAR_REL_JMP = 2,
    LBR_TYPE_NEAR_IND_CALL = 3,
    LBR_TYPE_NEAR_REL_CALL = 4,
    LBR_TYPE_NEAR_RET = 5,
    LBR_TYPE_OTHER = 8, /* and all above; 6 and 7 are reserved */
};

/* An unknown format is read as LBR_FORMAT_LINEAR. */
struct lbr_entry lbr_decode(enum lbr_format format, const struct lbr_raw *raw);

/* Decodes LBR_FORMAT_LINEAR of a processor for which no text says whether FROM[63] tells
 * mispredictions. FROM[63] counts as a flag, not as part of the address, if it differs from bit 47;
 * mispredicted then has the flag, but has_misprediction stays false. */
struct lbr_entry lbr_decode_open_flag(const struct lbr_raw *raw);

/* Decodes a packed entry: FROM in bits 31:0, TO in bits 63:32. */
struct lbr_entry lbr_decode_packed(uint64_t value);

#endif
#endif
