/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reference says what the registers, the branch trace store and the counters of a processor
 * must be after each step of a walk, as far as the manual says. The caller reports every write and
 * every transfer in order; the reference keeps the state and accesses no register.
 *
 * Unknowns are explicit: a value is MAYBE where the manual leaves it open or does not name the
 * instruction at which it happens, and a count is an interval. After a step the walk adopts what
 * was observed, so nothing stays open.
 */
#ifndef TESTS_WALK_REFERENCE_H
#define TESTS_WALK_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pmu.h"
#include "tests/spec/store.h"
#include "tests/workloads/workload.h"

#define REFERENCE_AREAS         2
#define REFERENCE_COUNTERS      16
#define REFERENCE_TRANSFERS_MAX 1400 /* of one step */

#define SEVERAL_SOURCES 255 /* as freeze_source, instead of a counter's number */

struct reference_counter {
    struct counter counter;
    enum pmu_event event;
    unsigned flags;                     /* COUNTER_…; 0: off */
    uint64_t low, high;                 /* bounds of the value; beyond its width it has wrapped */
    unsigned wrapped_low, wrapped_high; /* overflows in this step, at least and at most */
    bool lbr_forestalled,
        counters_forestalled; /* a write came while it was in doubt whether this counter had
                                 overflowed, so its overflow may not freeze */
};

/* What a transfer of this step must have recorded. */
struct reference_event {
    struct transfer transfer;
    enum maybe stored; /* in the branch trace store */
    enum maybe in_lbr; /* in the LBR stack, if MSR_LBR_SELECT does not filter it out */
    uint64_t place;    /* address of its record, if stored */
    uint64_t debugctl; /* while it happened */
};

struct reference {
    /* The processor: what it enumerates, and its choices. */
    bool has_global, streamlined; /* IA32_PERF_GLOBAL_CTRL exists; freezes set a status bit */
    enum maybe lbr_streamlined;   /* likewise for the LBR stack; MAYBE on Goldmont (D 12) */
    enum maybe tr_feeds[2];     /* does TR without LBR update the LBR stack? [0] with BTS clear, [1]
                                   with BTS set (D 9) */
    bool lbr_undefined_with_tr; /* Core (F2.8) */

    uint64_t debugctl, control, status;
    uint64_t select, pebs_enable;
    struct store areas[REFERENCE_AREAS];
    unsigned area; /* index of the one that IA32_DS_AREA points at */
    struct reference_counter counters[REFERENCE_COUNTERS];
    unsigned counter_count;
    enum maybe pending;    /* is the interrupt, in the local APIC? */
    enum maybe lvt_masked; /* is its LVT entry? */
    bool unmasked_while_pending;

    /* This step: reference_begin_step() clears what stands from here to `events`. */
    size_t event_count;
    enum maybe lbr_cleared, control_cleared; /* by a legacy freeze */
    uint64_t status_open;                    /* bits of `status` that are unknown */
    bool lvt_was_open; /* surely unmasked when the first request came, which may have masked it */
    bool bts_unknown, lbr_unknown; /* nothing can be said about this step */
    bool lbr_in_doubt;       /* an entry may be missing since the stack last began to record */
    uint64_t since_overflow; /* instructions since an overflow that surely freezes; 0: none */
    bool lbr_freezes, counters_freeze; /* the overflow of since_overflow freezes them: no write can
                                          have forestalled it */
    uint64_t since_doubt;  /* instructions since a freeze may have been requested last; 0: none */
    bool store_may_freeze; /* the branch trace store may have requested a freeze, which comes after
                              an unknown delay */
    enum maybe lbr_frozen, counters_frozen;
    unsigned freeze_source; /* the counter that may have frozen the others, from 1; 0: none */
    bool asked_here;        /* the first request for the interrupt came in this step */
    bool others_asked;      /* another cause than a counter may have requested the interrupt */
    bool too_long;          /* events[] has no room for all transfers */
    struct reference_event events[REFERENCE_TRANSFERS_MAX]; /* the last member */
};

/* Code that ran in one ring. low, high: bounds of its number of instructions. */
struct reference_stretch {
    unsigned ring;
    uint64_t low, high;
    uint64_t slow;     /* how many of them are slow: RDMSR */
    uint64_t branches; /* lower and upper bound of what counters of branches count in it */
    uint64_t branches_high;
};

void reference_begin_step(struct reference *r);

/* Call these in the order in which things happen. */
void reference_write_debugctl(struct reference *r, uint64_t value);
void reference_write_control(struct reference *r, uint64_t value);
void reference_clear_status(struct reference *r, uint64_t bits);
void reference_set_status(struct reference *r, uint64_t bits);
void reference_unmask(struct reference *r);
void reference_transfer(struct reference *r, const struct transfer *transfer);
void reference_execute(struct reference *r, const struct reference_stretch *stretch);

/* The interrupt was taken while everything was off. */
void reference_take(struct reference *r);

/* The interrupt was taken while everything except IA32_PERF_GLOBAL_CTRL was off, so the counters
 * counted its routine. */
void reference_take_unseen(struct reference *r);

/* The interrupt was taken at `rip`, with IA32_DEBUGCTL on. maybe_later: the program passes `rip`
 * several times, and perhaps the interrupt came only at a later pass, so records and entries are
 * unknown. */
void reference_interrupt(struct reference *r, uint64_t rip, unsigned ring, bool maybe_later);

/* reference_bts.c: the branch trace store's part. */
void reference_store(struct reference *r, struct reference_event *event);

/* reference_counters.c: counts a stretch on the counters. */
void reference_count(struct reference *r, const struct reference_stretch *stretch);

/* An interrupt came that only a counter can have requested. If just one counter may have wrapped,
 * it is now sure to have wrapped. */
void reference_confirm(struct reference *r);

/* A step begins: no counter has wrapped in it. */
void reference_begin_counters(struct reference *r);

/* A write came after counters may have wrapped, so their freeze of the LBR stack or of the counters
 * may not show. */
void reference_forestall(struct reference *r, bool of_lbr, bool of_counters);

/* May a counter that interrupts have wrapped, but not surely? */
bool reference_is_in_doubt(const struct reference *r);

/* The status is cleared. A counter that may have wrapped before that may instead wrap after it, and
 * set its bit again. Returns the status bits of such counters. */
uint64_t reference_settle_counters(struct reference *r);

/* A counter that interrupts overflowed, or the BTS threshold was reached. That requests the
 * interrupt (reference_request()) and the freeze (reference_freeze()); reference_overflow() does
 * both. */
void reference_overflow(struct reference *r, enum maybe surely);
void reference_request(struct reference *r, enum maybe surely);
void reference_freeze(struct reference *r, enum maybe surely);

#endif
