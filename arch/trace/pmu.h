/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The architectural performance-monitoring unit, versions 1 to 6: which counters and events there
 * are, how to program, read and stop them (F1.8 to F1.14, F6.1 to F6.51, F21.13). Register effects
 * of a freeze are left to the tests; nothing here writes IA32_DEBUGCTL.
 */
#ifndef ARCH_TRACE_PMU_H
#define ARCH_TRACE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"

/* IA32_PERF_GLOBAL_STATUS, beside the counters' bits (F6.6). */
#define PERF_GLOBAL_METRICS        (1ull << 48) /* of control and status (F6.5, F6.6) */
#define PERF_GLOBAL_STATUS_LBR_FRZ (1ull << 58)
#define PERF_GLOBAL_STATUS_CTR_FRZ (1ull << 59)
#define PERF_GLOBAL_STATUS_OVF_BUF (1ull << 62)
#define PERF_GLOBAL_STATUS_COND    (1ull << 63)

/* In the order of CPUID.0AH:EBX (F1.9); then those that belong to the model and are not enumerated.
 */
enum pmu_event {
    PMU_CORE_CYCLES,
    PMU_INSTRUCTIONS,
    PMU_REFERENCE_CYCLES,
    PMU_LLC_REFERENCES,
    PMU_LLC_MISSES,
    PMU_BRANCHES,
    PMU_BRANCH_MISPREDICTS,
    PMU_SLOTS, /* several at once; processors without it count something else, or nothing */
    /* Of those slots which are lost, and why, and in which something retires (F21.4). */
    PMU_BACKEND_BOUND,
    PMU_BAD_SPECULATION,
    PMU_FRONTEND_BOUND,
    PMU_RETIRING,
    PMU_LBR_INSERTS,
    PMU_ARCHITECTURAL_EVENTS,
    /* The branches retired that PEBS can sample from Sandy Bridge on; something else on others
     * (F3.61). */
    PMU_BRANCHES_PRECISE = PMU_ARCHITECTURAL_EVENTS,
    PMU_EVENT_COUNT,
};

#define PMU_GENERAL_MAX  32u /* as many as the global registers have bits for */
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
/* One past the highest general-purpose and fixed counter, those of others (taken.h) too; there may
 * be gaps below: pmu_counter_enumerated(). */
unsigned pmu_general_count(void);
unsigned pmu_fixed_count(void);
/*
 * Early parts of the Core microarchitecture enumerate fewer fixed counters than they have (F1.13),
 * and leaf 0AH of a hybrid may tell of fewer than this core has (F21.35): the first so many may be
 * there whatever it says; their bits of the global registers.
 */
unsigned pmu_general_in_doubt(void);
unsigned pmu_fixed_in_doubt(void);
uint64_t pmu_in_doubt_bits(void);
bool pmu_counter_enumerated(struct counter counter);
bool pmu_counter_exists(struct counter counter); /* and nobody else uses it */

/* Every counter of which that is so, general-purpose ones first; at most PMU_COUNTERS_MAX. Returns
 * how many. */
unsigned pmu_counters(struct counter *list);

unsigned pmu_general_usable(void); /* general-purpose ones among them */

/* The first general-purpose one of them whose number is no less; PMU_GENERAL_MAX: none. */
unsigned pmu_general_from(unsigned number);
#define PMU_EACH_GENERAL(i)                                                                        \
    for (unsigned i = pmu_general_from(0); i < PMU_GENERAL_MAX; i = pmu_general_from(i + 1))

/* "pmc0", "fixed2" */
void pmu_counter_name(struct counter counter, char *text, size_t size);
/* IA32_PMCn or IA32_FIXED_CTRn, and a general-purpose counter's IA32_PERFEVTSELn; where these names
 * have no room for it, the registers of its block (F21.14, below). */
uint32_t pmu_counter_register(struct counter counter);
uint32_t pmu_select_register(unsigned number);

unsigned pmu_width(struct counter counter);        /* bits */
uint64_t pmu_counter_mask(struct counter counter); /* all ones of its width */

/* The counter's bit in GLOBAL_CTRL, GLOBAL_STATUS and their relatives: n, or 32 + n. */
uint64_t pmu_global_bit(struct counter counter);
uint64_t pmu_all_counters(void); /* those bits for every counter that exists */
uint64_t pmu_enumerated(void);   /* the same, with the counters that others use */

/* For a general-purpose counter: enumerated; of the model's own events only trying can tell: true.
 */
bool pmu_event_available(enum pmu_event event);
bool pmu_event_is_branches(enum pmu_event event); /* one of those that count branches retired */
const char *pmu_event_name(enum pmu_event event);
/* What a fixed counter counts (F6.4, F21.12); PMU_EVENT_COUNT where that is not known, or slots
 * that are lost, of which a workload may have none. */
enum pmu_event pmu_fixed_event(unsigned number);

/* IA32_PERFEVTSELx for this event and these flags, enable bit set (F6.2, F6.25). */
uint64_t pmu_event_select(enum pmu_event event, unsigned flags);
/* The counter's field of IA32_FIXED_CTR_CTRL in its place, and all of that field (F6.3). */
uint64_t pmu_fixed_field(unsigned number, unsigned flags);
uint64_t pmu_fixed_field_mask(unsigned number);

/* Bits of the global registers without those of counters that others use. */
uint64_t pmu_ours(uint64_t bits);

/* IA32_FIXED_CTR_CTRL without the fields of such counters; and a value to write to it: these bits
 * of ours, and those fields as they are now. */
uint64_t pmu_ours_fixed(uint64_t control);
uint64_t pmu_fixed_control_with(uint64_t ours);

/* Event select or fixed control field, with the enable bit; the counter must be disabled globally.
 */
void pmu_program(struct counter counter, enum pmu_event event, unsigned flags);
void pmu_program_off(struct counter counter);

/* Full width; uses IA32_A_PMCn where it exists, else the value must be a sign-extended 32-bit one.
 */
void pmu_write(struct counter counter, uint64_t value);
/* So that the counter overflows after so many events: writes -period. */
void pmu_write_period(struct counter counter, uint64_t period);
uint64_t pmu_read(struct counter counter); /* by RDMSR */

/* IA32_PERF_GLOBAL_CTRL but for counters that others use; version 1 has none: reads as all counters
 * enabled, writes do nothing. */
uint64_t pmu_global_control(void);
void pmu_set_global_control(uint64_t bits);

/* IA32_PERF_GLOBAL_STATUS and its clear (390H) and set (391H, version 4) registers; 0 in version 1.
 */
uint64_t pmu_status(void);
void pmu_status_clear(uint64_t bits);
struct exception pmu_status_set(uint64_t bits);

/* Status bits that say something of the counters: overflows, freezes, DS buffer (F6.6). CondChgd
 * and the bits of other facilities come and go as they like (F6.43). */
uint64_t pmu_status_mask(void);

/* Everything off and zero: controls, selects, counters, status (F14.16). */
void pmu_reset(void);
/* Nothing enabled or selected and no status bit set; else says what, in at most size bytes. */
bool pmu_is_quiet(char *why, size_t size);

/*
 * From version 6 on each counter has a block of four registers: the counter, its control, and two
 * more (F21.13). What a block and an older register both name is one and the same. Auto counter
 * reload is programmed there alone, in any version whose leaf 23H tells of it (F21.15).
 */
enum pmu_block_part {
    PMU_BLOCK_CTR,   /* IA32_PMC_GPn_CTR, IA32_PMC_FXn_CTR */
    PMU_BLOCK_CFG_A, /* of a general-purpose counter: its IA32_PERFEVTSELn */
    PMU_BLOCK_CFG_B, /* counters whose overflow reloads this one */
    PMU_BLOCK_CFG_C, /* bits 31:0: the reload value */
};

bool pmu_has_blocks(void);

/* The counter's register of that part. */
uint32_t pmu_block_register(struct counter counter, enum pmu_block_part part);

/* By bits of the global registers: counters that can be reloaded, and those whose overflow can do
 * that. */
uint64_t pmu_reloadable(void);
uint64_t pmu_reloading(void);

/* Each overflow of one of those counters, global bits, puts the low 32 bits of this value into the
 * counter. Off: none does; nothing happens where the counter cannot be reloaded. */
void pmu_reload(struct counter counter, uint64_t by, uint64_t value);
void pmu_reload_off(struct counter counter);

#endif
