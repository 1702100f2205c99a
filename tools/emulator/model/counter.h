// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The counters: which there are, what each counts, and when it overflows.
 * A counter's number is its bit in IA32_PERF_GLOBAL_CTRL: general-purpose from 0, fixed from 32.
 */
#ifndef COUNTER_H
#define COUNTER_H

#include "debug_store.h"

#define COUNTER_FIXED   32                            /* number of the first fixed counter */
#define COUNTER_GENERAL ((1ull << COUNTER_FIXED) - 1) /* bits of all general-purpose ones */

#define PERFEVTSEL_USR      (1ull << 16)
#define PERFEVTSEL_OS       (1ull << 17)
#define PERFEVTSEL_EDGE     (1ull << 18)
#define PERFEVTSEL_PIN      (1ull << 19)
#define PERFEVTSEL_INT      (1ull << 20)
#define PERFEVTSEL_ANY      (1ull << 21)
#define PERFEVTSEL_EN       (1ull << 22)
#define PERFEVTSEL_INV      (1ull << 23)
#define PERFEVTSEL_CMASK    (0xffull << 24)
#define PERFEVTSEL_IN_TX    (1ull << 32)
#define PERFEVTSEL_IN_TXCP  (1ull << 33)
#define PERFEVTSEL_ADAPTIVE (1ull << 34)
#define PERFEVTSEL_LOG      (1ull << 35) /* into INFO of architectural LBRs (F20.24) */
#define PERFEVTSEL_EQ       (1ull << 36)
#define PERFEVTSEL_USER_OFF (1ull << 37) /* RDPMC in ring 3 does not read it (F21.19) */
#define PERFEVTSEL_UMASK_2  (0xffull << 40)

/* One counter's field of IA32_FIXED_CTR_CTRL; the adaptive bit stands 32 bits above it. */
#define FIXED_FIELD_WIDTH 4
#define FIXED_OS          1ull
#define FIXED_USR         2ull
#define FIXED_ANY         4ull
#define FIXED_PMI         8ull
#define FIXED_ADAPTIVE    (1ull << 32)
#define FIXED_USER_OFF    (1ull << 33)

/* What happened in the cycle of one instruction. */
struct counter_cycle {
    uint8_t cpl;
    bool branch, mispredicted;
    uint8_t instructions; /* retired in it: one */
    uint8_t extra;        /* counted in addition, though they are no instructions or branches */
    bool taken;           /* its branch was taken; kind: enum ds_branch_kind */
    uint8_t kind;
    uint8_t inserts; /* entries made in the architectural LBR stack */
};

/* The lowest counter of a non-empty set. */
static inline unsigned counter_first(uint64_t counters)
{
    return (unsigned)__builtin_ctzll(counters);
}

/* The first returns the bits of all counters, the second all value bits of one. */
uint64_t counter_existing(const struct ds_profile *profile);
uint64_t counter_value_bits(const struct ds_profile *profile, unsigned number);

/* Are AnyThread bits deprecated? Earlier processors of the kind had them (F21.3). */
bool counter_any_thread_deprecated(const struct ds_profile *profile);

/* Do AnyThread bits exist? So from version 3 on, no longer in version 5 (F1.12). */
bool counter_any_thread(const struct ds_profile *profile);

/* The architectural events that this processor does not count, as bits of CPUID.0AH:EBX (F1.9). */
uint32_t counter_missing_events(const struct ds_profile *profile);

/* Bits 31:0 sign-extended, which a write stores in a counter without full-width writes (F6.22). */
static inline uint64_t counter_extended(uint64_t value)
{
    return (uint64_t)(int64_t)(int32_t)value;
}

/* The counter's value, of either kind. */
uint64_t *counter_value(struct ds_cpu *cpu, unsigned number);

/* Index of the counter in arrays: general-purpose ones first, then fixed ones. */
static inline unsigned counter_place(unsigned number)
{
    return number < COUNTER_FIXED ? number : DS_GENERAL_COUNTERS_MAX + number - COUNTER_FIXED;
}

/* The counter starts from its present value; notes the period to its overflow. */
void counter_loaded(struct ds_cpu *cpu, unsigned number);

/* The period, in events, that the counter last started with. */
uint64_t counter_period(const struct ds_cpu *cpu, unsigned number);

/* The counter's field of IA32_FIXED_CTR_CTRL, shifted down to bit 0: bits FIXED_…. */
uint64_t counter_fixed_field(const struct ds_cpu *cpu, unsigned number);

/* To be called after any change of enables or of the counter freeze (F6.20). */
void counter_refresh(struct ds_cpu *cpu);

/* Does the counter's overflow signal a PMI, by PERFEVTSEL.INT or the fixed PMI bit (F6.40)? */
bool counter_signals(const struct ds_cpu *cpu, unsigned number);

/* The counters among these whose overflow signals a PMI. */
uint64_t counter_signalling(const struct ds_cpu *cpu, uint64_t counters);

/* Is it a general-purpose counter whose event PEBS of this family samples (F3.61)? */
bool counter_is_precise(const struct ds_cpu *cpu, unsigned number);

/* Are the counter's records to be adaptive (F3.48)? */
bool counter_is_adaptive(const struct ds_cpu *cpu, unsigned number);

/* Counts one more instruction at this CPL without a cycle. Returns the counters that wrapped. */
uint64_t counter_one_more(struct ds_cpu *cpu, unsigned cpl);

/* Counts the cycle on every counter that is on. *hit: the counters that moved. Returns those that
 * wrapped. */
uint64_t counter_cycle(struct ds_cpu *cpu, const struct counter_cycle *cycle, uint64_t *hit);

/* These counters have wrapped: reloads the counters that name one of them as their cause
 * (F21.15). */
void counter_reload_others(struct ds_cpu *cpu, uint64_t wrapped);

#endif
