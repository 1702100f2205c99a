/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of architectural PEBS (F22.34 to F22.36): fragments, each with a header that says how
 * long it is and which groups are in it. Read as the same common view as other records. Pure.
 */
#ifndef ARCH_TRACE_PEBS_ARCH_FORMAT_H
#define ARCH_TRACE_PEBS_ARCH_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/lbr_format.h"
#include "arch/trace/pebs_format.h"

#define PEBS_ARCH_UNIT 16u /* bytes: what IA32_PEBS_INDEX counts in (F22.31) */

/*
 * Groups of data, at the same bits in a counter's CFG_C register, which asks for them, and in the
 * header of a fragment, which has them (F22.33, F22.34). The basic group stands in headers alone.
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

/* Entries of the LBR group by its code, on a stack of that depth. */
unsigned pebs_arch_lbr_entries(unsigned code, unsigned depth);

struct pebs_arch_record {
    struct pebs_record common; /* size: of all fragments; eventing_ip: what the basic group says */
    uint64_t groups;           /* of all fragments */
    unsigned fragments;
    bool whole;     /* each group ended in its fragment, and the first fragment has the basic one */
    size_t padding; /* bytes behind the groups, of all fragments */
    bool is_64_bits; /* the first header's bit 30 */
    bool has_latency;
    uint64_t lbr_control, lbr_depth; /* what stands ahead of the LBR entries: IA32_LBR_CTL, …, */
    struct lbr_raw last_exception;   /* and the last-exception record (F22.35) */
};

/*
 * Reads one record from at most so many bytes. False: none begins there, or one does not end there.
 * depth: of the LBR stack.
 */
bool pebs_arch_format_decode(const void *bytes, size_t length, unsigned depth,
                             struct pebs_arch_record *record);

#endif
