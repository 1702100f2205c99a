/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PEBS records of formats 0 to 4, 64-bit layouts (F3.40 to F3.48): how long one is and what it
 * says, as one common view. Pure.
 */
#ifndef ARCH_TRACE_PEBS_FORMAT_H
#define ARCH_TRACE_PEBS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEBS_FORMAT_ADAPTIVE  4u    /* formats below have one fixed layout each */
#define PEBS_FORMATS          5u    /* 0 to 4 are known here */
#define PEBS_RECORD_BYTES_MAX 1232u /* format 4, every group, 32 LBR entries */
#define PEBS_LBR_ENTRIES_MAX  32u

/* MSR_PEBS_DATA_CFG: the groups after the basic one (F3.46). */
#define PEBS_DATA_MEMORY 1u
#define PEBS_DATA_GPRS   2u
#define PEBS_DATA_XMM    4u
#define PEBS_DATA_LBRS   8u
/* So many LBR entries, 1 to 32. */
#define PEBS_DATA_LBR_ENTRIES(count) ((uint64_t)((count)-1) << 24)

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

/* What a has_… flag says is absent reads as 0. */
struct pebs_record {
    size_t size;       /* bytes */
    bool has_state_ip; /* ip and flags below are the stored state's */
    uint64_t ip;       /* trap-like: the next instruction; fault-like: this one (F3.62) */
    uint64_t flags;
    bool has_gprs;
    uint64_t gpr[GPR_COUNT];
    bool has_global_status; /* formats 1, 2: IA32_PERF_GLOBAL_STATUS before the assist (F3.43) */
    uint64_t global_status;
    bool has_applicable; /* formats 3, 4: counters that caused this record (F3.45) */
    uint64_t applicable;
    bool has_eventing_ip; /* the instruction that caused the event (F3.44) */
    uint64_t eventing_ip;
    bool has_tsc;
    uint64_t tsc;
    bool has_memory;
    uint64_t address, data_source, latency, transaction;
    bool has_format; /* adaptive: the record says its own configuration and size (F3.46) */
    uint64_t format_config;
    size_t format_size;
    bool has_xmm;
    uint64_t xmm[16][2]; /* low half first */
    size_t lbr_count;    /* adaptive: entry 0 is the newest */
    struct {
        uint64_t from, to, info;
    } lbr[PEBS_LBR_ENTRIES_MAX];
};

/* Bytes of a record; data_config counts from format 4 on. 0: no such format. */
size_t pebs_format_size(unsigned format, uint64_t data_config);

/*
 * Reads one record. registers: IA32_PERF_CAPABILITIES[7], without it fixed layouts hold only IP and
 * flags (F1.30). False: no such format.
 */
bool pebs_format_decode(unsigned format, uint64_t data_config, bool registers, const void *bytes,
                        struct pebs_record *record);

#endif
