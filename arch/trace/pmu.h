/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural performance monitoring, versions 1 to 6: enumerates, programs, reads and stops
 * counters (F1.8 to F1.14, F6.1 to F6.51, F21.13). Tests handle the effects of a freeze; nothing
 * here writes IA32_DEBUGCTL.
 */
#ifndef ARCH_TRACE_PMU_H
#define ARCH_TRACE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"

/* Bits of IA32_PERF_GLOBAL_STATUS besides those of the counters (F6.6). */
#define PERF_GLOBAL_METRICS        (1ull << 48) /* IA32_PERF_GLOBAL_CTRL has it too (F6.5) */
#define PERF_GLOBAL_STATUS_LBR_FRZ (1ull << 58)
#define PERF_GLOBAL_STATUS_CTR_FRZ (1ull << 59)
#define PERF_GLOBAL_STATUS_OVF_BUF (1ull << 62)
#define PERF_GLOBAL_STATUS_COND    (1ull << 63)

/* The architectural events in the order of their bits in CPUID.0AH:EBX (F1.9), then model-specific
 * events, which CPUID does not enumerate. */
enum pmu_event {
    PMU_CORE_CYCLES,
    PMU_INSTRUCTIONS,
    PMU_REFERENCE_CYCLES,
    PMU_LLC_REFERENCES,
    PMU_LLC_MISSES,
    PMU_BRANCHES,
    PMU_BRANCH_MISPREDICTS,
    PMU_SLOTS, /* several a cycle; a processor without it counts another event, or nothing */
    /* Slots that are lost, one event for each cause; and slots that retire (F21.4). */
    PMU_BACKEND_BOUND,
    PMU_BAD_SPECULATION,
    PMU_FRONTEND_BOUND,
    PMU_RETIRING,
    PMU_LBR_INSERTS,
    PMU_ARCHITECTURAL_EVENTS,
    /* From Sandy Bridge on: retired branches that PEBS can sample. On older processors the same
     * encoding is another event (F3.61). */
    PMU_BRANCHES_PRECISE = PMU_ARCHITECTURAL_EVENTS,
    PMU_EVENT_COUNT,
};

#define PMU_GENERAL_MAX  32u /* bits in the global registers */
#define PMU_FIXED_MAX    16u /* fields of IA32_FIXED_CTR_CTRL */
#define PMU_COUNTERS_MAX (PMU_GENERAL_MAX + PMU_FIXED_MAX)

struct counter {
    bool fixed; /* IA32_FIXED_CTRn, else IA32_PMCn */
    unsigned number;
};

/* Which rings count, and what an overflow does. */
#define COUNTER_OS  1u /* CPL = 0 */
#define COUNTER_USR 2u /* CPL > 0 */
#define COUNTER_PMI 4u /* IA32_PERFEVTSELx bit 20; a fixed counter's PMI bit */

unsigned pmu_version(void); /* 0: no architectural counters */
/* One past the highest general-purpose and fixed counter, counters that others use
 * (foreign_counters.h) included. There may be gaps below: pmu_counter_enumerated(). */
unsigned pmu_general_count(void);
unsigned pmu_fixed_count(void);
/*
 * Some counters may exist although CPUID does not enumerate them. If so, these functions return how
 * many may exist from counter 0 on, enumerated ones included, and their bits in the global
 * registers; otherwise 0. Early Core parts have more fixed counters than they enumerate (F1.13),
 * and a hybrid's core may have more than leaf 0AH says (F21.35).
 */
unsigned pmu_general_in_doubt(void);
unsigned pmu_fixed_in_doubt(void);
uint64_t pmu_in_doubt_bits(void);
bool pmu_counter_enumerated(struct counter counter);
bool pmu_counter_exists(struct counter counter); /* it exists, and nobody else uses it */

/* Lists every counter for which pmu_counter_exists() is true, general-purpose counters first, at
 * most PMU_COUNTERS_MAX. Returns their number. */
unsigned pmu_counters(struct counter *list);

unsigned pmu_general_usable(void); /* how many of them are general-purpose counters */

/* The first usable general-purpose counter from number on; PMU_GENERAL_MAX if there is none. */
unsigned pmu_general_from(unsigned number);
#define PMU_EACH_GENERAL(i)                                                                        \
    for (unsigned i = pmu_general_from(0); i < PMU_GENERAL_MAX; i = pmu_general_from(i + 1))

/* "pmc0", "fixed2" */
void pmu_counter_name(struct counter counter, char *text, size_t size);
/*
 * MSR number of the counter (IA32_PMCn, IA32_FIXED_CTRn), and of a general-purpose counter's select
 * (IA32_PERFEVTSELn). A counter that these do not reach has only the registers of its block (below,
 * F21.14).
 */
uint32_t pmu_counter_register(struct counter counter);
uint32_t pmu_select_register(unsigned number);

unsigned pmu_width(struct counter counter);        /* bits */
uint64_t pmu_counter_mask(struct counter counter); /* all ones of its width */

/* The counter's bit in the global registers (IA32_PERF_GLOBAL_CTRL, IA32_PERF_GLOBAL_STATUS and
 * others): bit n, for a fixed counter bit 32 + n. */
uint64_t pmu_global_bit(struct counter counter);
uint64_t pmu_all_counters(void); /* the bits of every existing counter */
uint64_t pmu_enumerated(void);   /* of every enumerated one, even if others use it */

/* Does CPUID say that general-purpose counters can count the event? Always true for model-specific
 * events. */
bool pmu_event_available(enum pmu_event event);
bool pmu_event_is_branches(enum pmu_event event); /* counts retired branches */
const char *pmu_event_name(enum pmu_event event);
/* A fixed counter's event (F6.4, F21.12). PMU_EVENT_COUNT if the event is unknown. Lost slots count
 * as unknown too, because a workload may lose none. */
enum pmu_event pmu_fixed_event(unsigned number);

/* IA32_PERFEVTSELx for this event and these flags, enable bit set (F6.2, F6.25). */
uint64_t pmu_event_select(enum pmu_event event, unsigned flags);
/* The counter's field of IA32_FIXED_CTR_CTRL, shifted to its place, and the field's mask (F6.3). */
uint64_t pmu_fixed_field(unsigned number, unsigned flags);
uint64_t pmu_fixed_field_mask(unsigned number);

/* Removes the bits of counters that others use from bits of the global registers. */
uint64_t pmu_ours(uint64_t bits);

/*
 * The same for the fields of IA32_FIXED_CTR_CTRL: pmu_ours_fixed() removes those of counters that
 * others use. pmu_fixed_control_with() adds their present fields to ours, so that a write does not
 * change them.
 */
uint64_t pmu_ours_fixed(uint64_t control);
uint64_t pmu_fixed_control_with(uint64_t ours);

/* Writes the event select, with the enable bit, or the fixed control field. flags: COUNTER_…. The
 * counter must be disabled globally. pmu_program_off() writes 0. */
void pmu_program(struct counter counter, enum pmu_event event, unsigned flags);
void pmu_program_off(struct counter counter);

/* Writes the full width through IA32_A_PMCn, if it exists; otherwise value must be a sign-extended
 * 32-bit number. */
void pmu_write(struct counter counter, uint64_t value);
/* Writes -period, so that the counter overflows after period events. */
void pmu_write_period(struct counter counter, uint64_t period);
uint64_t pmu_read(struct counter counter); /* by RDMSR */

/* IA32_PERF_GLOBAL_CTRL. What is read lacks the bits of counters that others use. Version 1 has no
 * such register: a read then returns all counters enabled, and a write does nothing. */
uint64_t pmu_global_control(void);
void pmu_set_global_control(uint64_t bits);

/* The first reads IA32_PERF_GLOBAL_STATUS. The others clear or set bits of it, by the registers
 * 390H and 391H (version 4). In version 1 it reads as 0, and clearing does nothing. */
uint64_t pmu_status(void);
void pmu_status_clear(uint64_t bits);
struct exception pmu_status_set(uint64_t bits);

/* Status bits that counters cause: overflows, freezes, DS buffer (F6.6). CondChgd and bits of other
 * facilities may change at any time (F6.43). */
uint64_t pmu_status_mask(void);

/* Zeroes controls, selects, counters and status (F14.16). */
void pmu_reset(void);
/* Is nothing enabled or selected, and no status bit set? If not, writes to `why` what is, at most
 * size bytes. */
bool pmu_is_quiet(char *why, size_t size);

/*
 * From version 6 on each counter has a block of four registers: the counter, its control, and two
 * more (F21.13). If a register of the block has an older name as well, such as IA32_PMCn, both
 * numbers reach the same register. Auto counter reload uses the last two. Leaf 23H enumerates it,
 * also in versions below 6 (F21.15).
 */
enum pmu_block_part {
    PMU_BLOCK_CTR,   /* IA32_PMC_GPn_CTR, IA32_PMC_FXn_CTR */
    PMU_BLOCK_CFG_A, /* of a general-purpose counter: its IA32_PERFEVTSELn */
    PMU_BLOCK_CFG_B, /* counters whose overflow reloads this one */
    PMU_BLOCK_CFG_C, /* bits 31:0: the reload value */
};

bool pmu_has_blocks(void);

/* MSR number of this part of the counter's block. */
uint32_t pmu_block_register(struct counter counter, enum pmu_block_part part);

/* Counters that can be reloaded, and counters whose overflow can reload others, as bits of the
 * global registers. */
uint64_t pmu_reloadable(void);
uint64_t pmu_reloading(void);

/*
 * From now on each overflow of a counter of `by` (bits of the global registers) loads the low 32
 * bits of value into this counter. pmu_reload_off() ends that; it does nothing if the counter
 * cannot be reloaded.
 */
void pmu_reload(struct counter counter, uint64_t by, uint64_t value);
void pmu_reload_off(struct counter counter);

#endif
