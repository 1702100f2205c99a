/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural PEBS on the running processor (F22.30 to F22.36): one buffer at a physical address,
 * and a register for each counter that says what its records hold and what it starts again from.
 * Nothing of the DS save area is used. The memory is one for all processors, of which one uses it
 * at a time.
 *
 * Order of use: pebs_arch_prepare(), program the counters, pebs_arch_program(), then
 * IA32_PERF_GLOBAL_CTRL. To stop: IA32_PERF_GLOBAL_CTRL first (F22.26), then pebs_arch_stop().
 */
#ifndef ARCH_TRACE_PEBS_ARCH_H
#define ARCH_TRACE_PEBS_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/trace/pebs_format.h"
#include "arch/trace/pmu.h"

#define PEBS_ARCH_SIZE_CODES   5u       /* 0 to 4: 4 KiB to 64 KiB */
#define PEBS_ARCH_NO_THRESHOLD SIZE_MAX /* one that WR cannot reach */

/* IA32_PERF_GLOBAL_STATUS: WR has reached the threshold (F21.21, F22.31). */
#define PERF_GLOBAL_STATUS_ARCH_PEBS (1ull << 54)

/* Of a counter's CFG_C register, beside the groups (F22.33). */
#define PEBS_ARCH_ALLOW_IN_RECORD (1ull << 35) /* others' records may have this counter's value */
#define PEBS_ARCH_ENABLE          (1ull << 63)

struct pebs_arch_layout {
    unsigned size_code; /* the buffer has 4 KiB << so much */
    size_t first;       /* where WR is to begin, a multiple of PEBS_ARCH_UNIT, as is */
    size_t threshold;   /* in bytes from the base; or PEBS_ARCH_NO_THRESHOLD */
    bool disabled;      /* EN clear */
    bool full;          /* FULL set */
};

/* IA32_PEBS_INDEX; both in bytes. */
struct pebs_arch_index {
    size_t write, threshold;
    bool enabled, full;
};

bool pebs_arch_enumerated(void); /* IA32_PERF_CAPABILITIES[11:8] = FH, and leaf 23H (F22.3) */

/* By bits of the global registers, those of CPUID.23H.5 that nobody else uses (F21.10). */
uint64_t pebs_arch_counters(void);

/* The bits 63:32 of CFG_C that CPUID.23H.4 says may be set, at their place, and the enable bit. */
uint64_t pebs_arch_config_bits(void);

/* Poisons the memory and writes both registers. NULL, or the reason why not. */
const char *pebs_arch_prepare(const struct pebs_arch_layout *layout);

/* IA32_PEBS_INDEX alone, as prepare() would write it; the memory stays. */
struct exception pebs_arch_write_index(const struct pebs_arch_layout *layout);
struct pebs_arch_index pebs_arch_index(void);

/* Physical, of the buffer. */
uint64_t pebs_arch_base(void);

/* CFG_C of the counter: PEBS_ARCH_… bits, and a reset value, of which bits 31:0 are written. */
struct exception pebs_arch_program(struct counter counter, uint64_t config, uint64_t reset);

/*
 * IA32_PEBS_INDEX is 0, and so is CFG_C of every counter with PEBS. The records can be read then:
 * those that lie between where WR began and where it was. Whether it is so: pebs_arch_is_off().
 */
void pebs_arch_stop(void);
bool pebs_arch_is_off(void);

/* How many there are. */
size_t pebs_arch_records(void);

/* One of them; false where there is none, or none can be read. */
bool pebs_arch_decode(size_t slot, struct pebs_arch_record *record);

/* Bytes from the base to the end of so many records. */
size_t pebs_arch_end_of(size_t records);

/* Looks for a byte touched outside of the first so many records. NULL, or where (static text). */
const char *pebs_arch_find_stray_write(size_t records);

/* The same, outside of the whole buffer. */
const char *pebs_arch_find_write_outside(void);

#endif
