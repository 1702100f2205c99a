/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Precise event-based sampling on the running processor (F3.60 to F3.74): buffer, reset values,
 * enables, usable counters and events, and records.
 *
 * To start: bts_prepare() first if both buffers are used (it clears the whole management area),
 * then pebs_prepare(), program the counters, pebs_enable(), IA32_PERF_GLOBAL_CTRL. To stop:
 * IA32_PERF_GLOBAL_CTRL first (F3.69), then pebs_disable().
 */
#ifndef ARCH_TRACE_PEBS_H
#define ARCH_TRACE_PEBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/trace/features.h"
#include "arch/trace/pebs_format.h"
#include "arch/trace/trace_state.h"

/* In pebs_layout: the threshold lies one record above the absolute maximum, where no index gets.
 * From pebs_index(): the index is off a record boundary. */
#define PEBS_NO_THRESHOLD SIZE_MAX

/* Bits of IA32_PEBS_ENABLE: general-purpose counter i is bit i, fixed counter i is bit 32 + i. */
#define PEBS_GENERAL(number) (1ull << (number))
#define PEBS_FIXED(number)   (1ull << (32 + (number)))

#define PEBS_GENERAL_RESETS 16 /* general-purpose counters that this kernel programs */
#define PEBS_FIXED_RESETS   16 /* fixed ones */

struct pebs_layout {
    size_t records;                          /* absolute maximum = base + so many records (F3.21) */
    size_t threshold;                        /* in records from the base, or PEBS_NO_THRESHOLD */
    uint64_t reset[PEBS_GENERAL_RESETS];     /* counter values: minus the period, masked to width */
    uint64_t fixed_reset[PEBS_FIXED_RESETS]; /* from format 4 on */
    uint64_t data_config;                    /* MSR_PEBS_DATA_CFG; 0 before format 4 */
};

/*
 * Poisons the PEBS buffer and its surroundings, adds the layout's PEBS fields to the DS save area
 * and points IA32_DS_AREA at it; keeps the BTS fields. From format 4 on it also writes
 * MSR_PEBS_DATA_CFG. PEBS must be off. Returns NULL, or the reason it refused.
 */
const char *pebs_prepare(const struct pebs_layout *layout);

/* Returns why pebs_prepare() would refuse the layout, or NULL. Writes nothing. */
const char *pebs_refusal(const struct pebs_layout *layout);

/* IA32_PERF_CAPABILITIES[6] (F1.30). pebs_format() has the format. */
bool pebs_is_trap_like(void);

/* The kind of this processor's records. */
struct pebs_kind pebs_kind(void);

/* All bits of MSR_PEBS_DATA_CFG that are not reserved. */
uint64_t pebs_data_config_bits(void);

/* Bytes of a record in the layout prepared last. */
size_t pebs_record_size(void);

/* Records of this data configuration that the buffer memory holds, besides a spare one beyond the
 * absolute maximum. */
size_t pebs_records_max(uint64_t data_config);

/* The index field, in records from the base; PEBS_NO_THRESHOLD if it is off a record boundary. */
size_t pebs_index(void);

/* Is the index at or past the threshold (F5.21)? False before a layout is prepared. */
bool pebs_threshold_reached(void);

/* Sets the index to the base, like a handler that drained the buffer. */
void pebs_rewind(void);

/* Both read record number `slot` of the buffer, even if no record was stored there. */
void pebs_decode(size_t slot, struct pebs_record *record);
const void *pebs_record_bytes(size_t slot);

/* Are all bytes of the record still poison? */
bool pebs_record_is_poison(size_t slot);

/* Bits of IA32_PEBS_ENABLE for this processor's counters, by family and format (F3.60). */
uint64_t pebs_counters(void);

/*
 * Bits of IA32_PEBS_ENABLE for load latency (Nehalem to the last cores of perfmon version 4), and
 * those that have no meaning (F3.60). Bits of which neither these functions nor pebs_counters()
 * tell may exist or not.
 */
uint64_t pebs_latency_bits(void);
uint64_t pebs_reserved_bits(void);

/*
 * Returns the microcode revision that PEBS needs, if this processor has an older one; otherwise 0.
 * Sandy Bridge with an older revision may hang when PEBS is switched on or off (BJ106, F22.41).
 */
uint32_t pebs_microcode_wanted(void);

/* Why PEBS is unreliable on this processor although it is enumerated, or NULL (F22.42). */
const char *pebs_unusable(void);

/* May PEBS sample events that are not precise, too? True for Goldmont and its successors, and from
 * format 4 on (F1.31, F22.17). */
bool pebs_samples_every_event(void);

/*
 * May this general-purpose counter store the record of the event that overflows it, instead of the
 * next event's? Goldmont and Tremont do (reduced skid, PMC0), and Golden Cove and newer (precise
 * distribution: PMC0, from Crestmont on PMC1), but no earlier core (F22.19). Leaf 23H, if it covers
 * PEBS, names the counters (F21.10).
 */
bool pebs_may_store_at_overflow(unsigned number);

/* Set IA32_PEBS_ENABLE to the mask, or to 0. Both return the old value. */
uint64_t pebs_enable(uint64_t mask);
uint64_t pebs_disable(void);

/* Writes a counter's reset slot, between runs. counter_bit: its IA32_PEBS_ENABLE bit. */
void pebs_set_reset(uint64_t counter_bit, uint64_t value);

/* Offset of a counter's reset slot, in bytes from the start of the management area. */
size_t pebs_reset_offset(uint64_t counter_bit);

/* Writes only absolute maximum and threshold, between runs. pebs_refusal() must accept the
 * layout. */
void pebs_set_limits(const struct pebs_layout *layout);

/*
 * Index, absolute maximum and threshold in bytes from the base. They may lie off record boundaries.
 * Call pebs_prepare() with a layout that has enough room, then pebs_set_fields(), then start the
 * run.
 */
struct pebs_fields {
    size_t index, absolute_maximum, threshold;
};
void pebs_set_fields(const struct pebs_fields *fields);

/* The index field, in bytes from the base. */
uint64_t pebs_index_bytes(void);

/* Is every byte in [first, end), counted from the base, still poison? */
bool pebs_bytes_are_poison(size_t first, size_t end);

/* Copies `length` bytes of records to the base, where pebs_decode() expects them. first: bytes from
 * the base. */
void pebs_bring_down(size_t first, size_t length);

/*
 * Sets the adaptive record bit of the mask's counters, in IA32_PERFEVTSELx or IA32_FIXED_CTR_CTRL
 * (F3.48). Call it after pmu_program(), which leaves that bit clear. Does nothing before format 4.
 */
void pebs_make_adaptive(uint64_t mask);

/*
 * Looks for a changed byte anywhere but in the first `records` records of the PEBS buffer: in the
 * canary pages, the rest of the buffer memory, and management area fields that only software
 * writes. Returns NULL, or what was changed (static text).
 */
const char *pebs_find_stray_write(size_t records);

#endif
