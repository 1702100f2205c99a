/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Precise event-based sampling on the running processor (F3.60 to F3.74): its buffer, reset values
 * and enables, which counters and events can do it, and the records.
 *
 * Order of use: bts_prepare() first where both buffers are wanted (it clears the whole management
 * area), pebs_prepare(), program the counters, pebs_enable(), IA32_PERF_GLOBAL_CTRL. To stop:
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

/* A threshold no index can reach, one record above the absolute maximum; or an index between two
 * records. */
#define PEBS_NO_THRESHOLD SIZE_MAX

/* Bits of IA32_PEBS_ENABLE: general-purpose counter i is bit i, fixed counter i is bit 32 + i. */
#define PEBS_GENERAL(number) (1ull << (number))
#define PEBS_FIXED(number)   (1ull << (32 + (number)))

#define PEBS_GENERAL_RESETS 16 /* as many counters of either kind as this kernel programs */
#define PEBS_FIXED_RESETS   16

struct pebs_layout {
    size_t records;                          /* absolute maximum = base + so many records (F3.21) */
    size_t threshold;                        /* in records from the base, or PEBS_NO_THRESHOLD */
    uint64_t reset[PEBS_GENERAL_RESETS];     /* counter values: minus the period, masked to width */
    uint64_t fixed_reset[PEBS_FIXED_RESETS]; /* from format 4 on */
    uint64_t data_config;                    /* MSR_PEBS_DATA_CFG; 0 before format 4 */
};

/*
 * Poisons the PEBS buffer and its surroundings, adds the PEBS fields of the layout to the DS save
 * area and points IA32_DS_AREA at it; the BTS fields stay as they are. PEBS must be off. NULL, or
 * the reason why not.
 */
const char *pebs_prepare(const struct pebs_layout *layout);

/* The reason why pebs_prepare() would refuse the layout, or NULL. Touches nothing. */
const char *pebs_refusal(const struct pebs_layout *layout);

/* As enumerated by IA32_PERF_CAPABILITIES[6] (F1.30). The format is pebs_format(). */
bool pebs_is_trap_like(void);

/* The records of this processor. */
struct pebs_kind pebs_kind(void);

/* The groups of data that MSR_PEBS_DATA_CFG can ask for: all its bits but the reserved ones. */
uint64_t pebs_data_config_bits(void);

/* Bytes of one record in the layout prepared last. */
size_t pebs_record_size(void);

/* Records of this data configuration that the buffer memory holds, a spare one beyond the absolute
 * maximum kept. */
size_t pebs_records_max(uint64_t data_config);

/* The index field, in records from the base; PEBS_NO_THRESHOLD when it is off a record boundary. */
size_t pebs_index(void);

/* Index at or past the threshold (F5.21). False while no layout was prepared. */
bool pebs_threshold_reached(void);

/* Makes the next record go to the base again, as a handler that has drained the buffer does. */
void pebs_rewind(void);

/* The record in this slot of the buffer, whether or not one was stored there. */
void pebs_decode(size_t slot, struct pebs_record *record);
const void *pebs_record_bytes(size_t slot);

/* True when all of the record's bytes are still poison. */
bool pebs_record_is_poison(size_t slot);

/* Bits of IA32_PEBS_ENABLE that counters of this processor have, by family and format (F3.60). */
uint64_t pebs_counters(void);

/*
 * What else F3.60 says of that register's bits: those that give a counter its load latency (Nehalem
 * to the last cores of perfmon version 4), and those that it gives no meaning to. The others may be
 * there or not.
 */
uint64_t pebs_latency_bits(void);
uint64_t pebs_reserved_bits(void);

/*
 * The microcode revision that this processor must have for PEBS to be tried at all, or 0: on Sandy
 * Bridge with an older one the system may hang when PEBS is switched on or off (BJ106, F22.41).
 */
uint32_t pebs_microcode_wanted(void);

/* Why no program can rely on PEBS here, whatever is enumerated, or NULL (F22.42). */
const char *pebs_unusable(void);

/* Goldmont and what came after it sample every event; so does format 4 (F1.31, F22.17). */
bool pebs_samples_every_event(void);

/*
 * May this general-purpose counter store the record of the event that overflows it, instead of the
 * next one's: by a reduced skid (Goldmont and Tremont, PMC0) or a precise distribution (Golden Cove
 * and newer: PMC0, from Crestmont on PMC1)? No core before that has it (F22.19). Leaf 23H, where it
 * tells of PEBS, says which ones (F21.10).
 */
bool pebs_may_store_at_overflow(unsigned number);

/* Sets IA32_PEBS_ENABLE to the mask, or to 0; both return what it was. */
uint64_t pebs_enable(uint64_t mask);
uint64_t pebs_disable(void);

/* The reset slot of a counter given by its IA32_PEBS_ENABLE bit; for use between two runs. */
void pebs_set_reset(uint64_t counter_bit, uint64_t value);

/* Where that slot lies, in bytes from the start of the management area. */
size_t pebs_reset_offset(uint64_t counter_bit);

/* Absolute maximum and threshold of this layout, which pebs_refusal() must not refuse, for use
 * between two runs. The rest stays as pebs_prepare() left it. */
void pebs_set_limits(const struct pebs_layout *layout);

/*
 * Index, absolute maximum and threshold in bytes from the base, which need be no record's boundary,
 * for use between pebs_prepare() with a layout that has as much room, and a run.
 */
struct pebs_fields {
    size_t index, absolute_maximum, threshold;
};
void pebs_set_fields(const struct pebs_fields *fields);

/* The index field, in bytes from the base. */
uint64_t pebs_index_bytes(void);

/* True when no byte from the first up to the end was touched, both from the base. */
bool pebs_bytes_are_poison(size_t first, size_t end);

/* Copies so many bytes of records from there to the base, where pebs_decode() looks for them. */
void pebs_bring_down(size_t first, size_t length);

/*
 * Adaptive records (format 4) want a bit beside each counter's event, which pmu_program() leaves
 * clear: this sets it for every counter of the mask, after pmu_program() (F3.48). Nothing before
 * format 4.
 */
void pebs_make_adaptive(uint64_t mask);

/*
 * Looks for a byte touched outside the first so many records of the PEBS buffer: canary pages, the
 * rest of the buffer memory, management area fields that only software writes. NULL, or what was
 * touched (static text).
 */
const char *pebs_find_stray_write(size_t records);

#endif
