/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes of PEBS records of formats 0 to 6, 64-bit layouts (F3.40 to F3.48, F22.1 to F22.15), and
 * decoding to one common view. Pure.
 */
#ifndef ARCH_TRACE_PEBS_FORMAT_H
#define ARCH_TRACE_PEBS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/trace/lbr_format.h"

#define PEBS_FORMAT_ADAPTIVE  4u    /* lower formats have a fixed layout each */
#define PEBS_FORMAT_SLOTS     5u    /* from here on 32 + 16 reset slots (F22.1) */
#define PEBS_FORMAT_COUNTERS  6u    /* from here on records may have counter values (F22.2) */
#define PEBS_FORMATS          7u    /* 0 to 6 are known */
#define PEBS_RECORD_BYTES_MAX 1456u /* format 6, every group, 32 LBR entries, every counter */
#define PEBS_LBR_ENTRIES_MAX  32u
#define PEBS_FORMAT_ARCH      15u /* architectural PEBS, without DS area (F22.3) */

/* MSR_PEBS_DATA_CFG: the groups after the basic one (F3.46, F22.6). */
#define PEBS_DATA_MEMORY 1u
#define PEBS_DATA_GPRS   2u
#define PEBS_DATA_XMM    4u
#define PEBS_DATA_LBRS   8u
/* Number of LBR entries, 1 to 32. */
#define PEBS_DATA_LBR_ENTRIES(count) ((uint64_t)((count)-1) << 24)
/* Only format 6. COUNTERS: values of the counters in the masks GENERAL and FIXED. METRICS:
 * PERF_METRICS, and the slots counter that goes with it. */
#define PEBS_DATA_COUNTERS      16u
#define PEBS_DATA_METRICS       32u
#define PEBS_DATA_GENERAL(mask) ((uint64_t)(mask) << 32)
#define PEBS_DATA_FIXED(mask)   ((uint64_t)(mask) << 48)
#define PEBS_GENERAL_VALUES     16u /* bits of the mask GENERAL */
#define PEBS_FIXED_VALUES       8u  /* bits of the mask FIXED */
#define PEBS_METRICS_THERE      3u  /* metrics_word of a record with metrics (F22.8) */

/* General registers by their number in instruction encodings. */
enum {
    GPR_RAX,
    GPR_RCX,
    GPR_RDX,
    GPR_RBX,
    GPR_RSP,
    GPR_RBP,
    GPR_RSI,
    GPR_RDI,
    GPR_R8, /* R9 to R15 follow */
    GPR_COUNT = 16,
};

extern const char *const gpr_names[GPR_COUNT]; /* "RAX", … */

/* Fields whose has_… flag is false are 0. */
struct pebs_record {
    size_t size;       /* bytes; of an adaptive record up to the end of its last group */
    bool has_state_ip; /* the record stores IP and flags */
    uint64_t ip;       /* trap-like: the next instruction; fault-like: this one (F3.62) */
    uint64_t flags;
    bool has_gprs;
    uint64_t gpr[GPR_COUNT];
    bool has_global_status; /* formats 1, 2: IA32_PERF_GLOBAL_STATUS before the assist (F3.43) */
    uint64_t global_status;
    bool has_applicable; /* from format 3 on: counters that caused it (F3.45) */
    uint64_t applicable;
    bool has_eventing_ip; /* the instruction that caused the event (F3.44) */
    uint64_t eventing_ip;
    bool has_tsc;
    uint64_t tsc;
    bool has_memory;
    uint64_t address, data_source, latency, transaction;
    bool has_format; /* adaptive: the record has its configuration and size (F3.46) */
    uint64_t format_config;
    size_t format_size;
    uint64_t retire_latency; /* cycles; if pebs_kind.timed (F22.11) */
    uint64_t beside_config;  /* bits 47:32 of the first quadword, if not timed */
    bool has_xmm;
    uint64_t xmm[16][2]; /* low half first */
    size_t lbr_count;    /* adaptive: entry 0 is the newest */
    struct {
        uint64_t from, to, info;
    } lbr[PEBS_LBR_ENTRIES_MAX];
    bool has_counters; /* values of counters, as stored with the record (F22.8) */
    uint32_t general_mask, fixed_mask, metrics_word;
    uint64_t general[PEBS_GENERAL_VALUES], fixed[PEBS_FIXED_VALUES]; /* by counter */
    uint64_t slots, metrics;                                         /* if PEBS_METRICS_THERE */
};

/* Kind of records, from IA32_PERF_CAPABILITIES (F1.30, F1.31). */
struct pebs_kind {
    unsigned format;
    bool registers; /* [7]; if clear, records of formats 0 to 3 have only IP and flags */
    bool timed;     /* [17]; bits 47:32 of an adaptive record are the retire latency */
};

/* Bytes of a record; 0 for an unknown format. data_config: MSR_PEBS_DATA_CFG, from format 4 on. */
size_t pebs_format_size(unsigned format, uint64_t data_config);

/*
 * Returns the bits of data_config that an adaptive record repeats in its first quadword. The masks
 * of counters are not among them; the record's counter group has them (F22.12).
 */
uint64_t pebs_format_said(const struct pebs_kind *kind, uint64_t data_config);

/*
 * Decodes the record that begins at `bytes`, and reads at most PEBS_RECORD_BYTES_MAX bytes. An
 * adaptive record itself says which groups it has (F22.9). Returns false for an unknown format.
 */
bool pebs_format_decode(const struct pebs_kind *kind, const void *bytes,
                        struct pebs_record *record);

/* Groups that architectural PEBS shares: registers in the adaptive order (F22.36), and counters
 * with their header (F22.8), from which their size in bytes follows. */
#define PEBS_COUNTERS_HEADER_BYTES 16u
void pebs_format_decode_gprs(const void *bytes, struct pebs_record *record);
size_t pebs_format_counters_size(const void *bytes);
void pebs_format_decode_counters(const void *bytes, struct pebs_record *record);

/*
 * Decodes records of architectural PEBS (F22.34 to F22.36) to the common view. A record consists of
 * fragments, each with a header that has its length and groups. Pure.
 */

#define PEBS_ARCH_UNIT 16u /* bytes, the unit of IA32_PEBS_INDEX (F22.31) */

/*
 * Groups of data. A counter's CFG_C requests them, and a fragment's header lists them, by the same
 * bits (F22.33, F22.34). Only headers have the basic group.
 */
#define PEBS_ARCH_GENERAL    (1ull << 36)
#define PEBS_ARCH_FIXED      (1ull << 37)
#define PEBS_ARCH_METRICS    (1ull << 38)
#define PEBS_ARCH_LBRS(code) ((uint64_t)(code) << 40) /* 1: 8 entries, 2: 16, 3: all */
#define PEBS_ARCH_VECTORS    (0xffull << 48)
#define PEBS_ARCH_XMM        (1ull << 49)
#define PEBS_ARCH_GPRS       (1ull << 61)
#define PEBS_ARCH_AUX        (1ull << 62)
#define PEBS_ARCH_BASIC      (1ull << 63)
#define PEBS_ARCH_COUNTERS   (PEBS_ARCH_GENERAL | PEBS_ARCH_FIXED | PEBS_ARCH_METRICS)
#define PEBS_ARCH_GROUPS                                                                           \
    (PEBS_ARCH_COUNTERS | PEBS_ARCH_LBRS(3) | PEBS_ARCH_VECTORS | PEBS_ARCH_GPRS | PEBS_ARCH_AUX | \
     PEBS_ARCH_BASIC)

/* Entries of an LBR group with this `code`, as in PEBS_ARCH_LBRS(). depth: entries of the stack. */
unsigned pebs_arch_lbr_entries(unsigned code, unsigned depth);

struct pebs_arch_record {
    struct pebs_record common; /* size: of all fragments; eventing_ip: of the basic group */
    uint64_t groups;           /* of all fragments */
    unsigned fragments;
    bool whole;       /* no group runs past its fragment, and the basic group is there */
    size_t padding;   /* bytes after the groups, in all fragments */
    bool is_64_bits;  /* the first header's bit 30 */
    bool has_latency; /* common.retire_latency is valid */
    /* Header of the LBR group: IA32_LBR_CTL, depth, last-exception record (F22.35). */
    uint64_t lbr_control, lbr_depth;
    struct lbr_raw last_exception;
};

/*
 * Decodes the record that begins at `bytes`, and reads at most `length` bytes. Returns false if no
 * record begins there, or if it does not end within them. depth: entries of the LBR stack.
 */
bool pebs_arch_format_decode(const void *bytes, size_t length, unsigned depth,
                             struct pebs_arch_record *record);

#endif
