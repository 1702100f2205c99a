/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural PEBS on the running processor (F22.30 to F22.36). It has one buffer at a physical
 * address, and for each counter a register CFG_C with the record groups and the reload value. It
 * does not use the DS save area. All processors share the memory; one uses it at a time.
 *
 * To start: pebs_arch_prepare(), program the counters, pebs_arch_program(), IA32_PERF_GLOBAL_CTRL.
 * To stop: IA32_PERF_GLOBAL_CTRL first (F22.26), then pebs_arch_stop().
 */
#ifndef ARCH_TRACE_PEBS_ARCH_H
#define ARCH_TRACE_PEBS_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pebs_format.h"
#include "arch/trace/pmu.h"

#define PEBS_ARCH_SIZE_CODES   5u       /* 0 to 4: 4 KiB to 64 KiB */
#define PEBS_ARCH_NO_THRESHOLD SIZE_MAX /* a threshold behind the buffer, where WR does not get */

/* IA32_PERF_GLOBAL_STATUS: WR, where the next record goes, is at or past the threshold (F22.31). */
#define PERF_GLOBAL_STATUS_ARCH_PEBS (1ull << 54)

/* Bits of a counter's CFG_C register besides the groups (F22.33). */
#define PEBS_ARCH_ALLOW_IN_RECORD (1ull << 35) /* other records may have its value */
#define PEBS_ARCH_ENABLE          (1ull << 63)

struct pebs_arch_layout {
    unsigned size_code; /* the buffer has 4 KiB << size_code */
    size_t first;       /* initial WR; bytes, as a multiple of PEBS_ARCH_UNIT */
    size_t threshold;   /* likewise; or PEBS_ARCH_NO_THRESHOLD */
    bool disabled;      /* write EN as 0 */
    bool full;          /* write FULL as 1 */
};

/* IA32_PEBS_INDEX; write and threshold in bytes. */
struct pebs_arch_index {
    size_t write, threshold;
    bool enabled, full;
};

bool pebs_arch_enumerated(void); /* IA32_PERF_CAPABILITIES[11:8] = FH, and leaf 23H (F22.3) */

/* Counters of CPUID.23H.5 that nobody else uses (F21.10), as bits of the global registers. */
uint64_t pebs_arch_counters(void);

/* Bits 63:32 of CFG_C that CPUID.23H.4 allows, in place, and the enable bit. */
uint64_t pebs_arch_config_bits(void);

/* Poisons the memory, and writes IA32_PEBS_BASE and IA32_PEBS_INDEX. Returns NULL, or the reason it
 * failed. */
const char *pebs_arch_prepare(const struct pebs_arch_layout *layout);

/* Writes only IA32_PEBS_INDEX, as pebs_arch_prepare() would. */
struct exception pebs_arch_write_index(const struct pebs_arch_layout *layout);
struct pebs_arch_index pebs_arch_index(void);

/* Physical address of the buffer. */
uint64_t pebs_arch_base(void);

/* Writes the counter's CFG_C. config: PEBS_ARCH_… bits. reset: the counter's value after a record,
 * of which bits 31:0 are written. */
struct exception pebs_arch_program(struct counter counter, uint64_t config, uint64_t reset);

/*
 * Zeroes IA32_PEBS_INDEX and the CFG_C of every counter with PEBS. The records from the initial to
 * the last WR can then be read. pebs_arch_is_off() tells whether EN and these CFG_C are 0.
 */
void pebs_arch_stop(void);
bool pebs_arch_is_off(void);

/* Number of records, after pebs_arch_stop(). */
size_t pebs_arch_records(void);

/* Decodes record number `slot`. Returns false if it is missing or not well formed. */
bool pebs_arch_decode(size_t slot, struct pebs_arch_record *record);

/* Bytes from the base to the end of the first `records` records. */
size_t pebs_arch_end_of(size_t records);

/* Looks for a changed byte outside the first `records` records. Returns NULL, or where it is
 * (static text). */
const char *pebs_arch_find_stray_write(size_t records);

/* The same, outside the whole buffer. */
const char *pebs_arch_find_write_outside(void);

#endif
