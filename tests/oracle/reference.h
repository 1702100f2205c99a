/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reference: what a processor's registers, its branch trace store and its counters must be
 * after each step of a walk, as the manual has it and no more. It is told every write and every
 * transfer in order and keeps the state; it touches no register.
 *
 * What cannot be known is said so: three-valued where the manual leaves it open or does not say to
 * the instruction when it happens, an interval for a count. After a step the walk adopts what was
 * seen, so that nothing stays open.
 */
#ifndef TESTS_ORACLE_REFERENCE_H
#define TESTS_ORACLE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/trace/pmu.h"
#include "tests/workloads/workload.h"

#define REFERENCE_AREAS         2
#define REFERENCE_COUNTERS      16
#define REFERENCE_TRANSFERS_MAX 1400 /* of one step */

#define SEVERAL_SOURCES 255 /* of a freeze */

enum maybe { NO, MAYBE, YES };

/* The four BTS fields of a buffer management area: linear addresses (F3.2). */
struct reference_area {
    uint64_t base, index, maximum, threshold;
    bool reached; /* a record was stored at or past the threshold since the fields were written */
};

struct reference_counter {
    struct counter counter;
    enum pmu_event event;
    unsigned flags;                     /* COUNTER_…; 0: off */
    uint64_t low, high;                 /* the value, not masked: past the width it has wrapped */
    unsigned wrapped_low, wrapped_high; /* overflows in this step, at least and at most */
    bool lbr_forestalled, counters_forestalled; /* by a write while one was in doubt: its freeze */
};

/* What a transfer of the step must have done. */
struct reference_event {
    struct transfer transfer;
    enum maybe stored; /* in the branch trace store */
    enum maybe in_lbr; /* in the stack, but for MSR_LBR_SELECT */
    uint64_t place;    /* where its record lies, if it is stored */
    uint64_t debugctl; /* while it happened */
};

struct reference {
    /* The processor, as it is enumerated and as it has shown to choose. */
    bool has_global, streamlined; /* IA32_PERF_GLOBAL_CTRL; freezes that set a status bit */
    enum maybe lbr_streamlined;   /* … of the LBR stack, MAYBE on Goldmont: D 12 */
    enum maybe tr_feeds[2];       /* TR alone updates the LBR stack: BTS clear, set (D 9) */
    bool lbr_undefined_with_tr;   /* Core (F2.8) */

    uint64_t debugctl, control, status;
    enum maybe lbr_cleared, control_cleared; /* by a legacy freeze of this step */
    uint64_t status_open;                    /* bits of which nothing is known */
    uint64_t select, pebs_enable;
    struct reference_area areas[REFERENCE_AREAS];
    unsigned area; /* that IA32_DS_AREA points at */
    struct reference_counter counters[REFERENCE_COUNTERS];
    unsigned counter_count;
    enum maybe pending;    /* the interrupt, in the local APIC */
    enum maybe lvt_masked; /* its LVT entry */
    bool unmasked_while_pending;
    bool lvt_was_open; /* … before the first request of this step that it may have let pass */

    /* This step. */
    size_t event_count;
    bool bts_unknown, lbr_unknown; /* of this step nothing can be said */
    bool lbr_in_doubt;             /* since the stack was last let go on: an entry may be missing */
    uint64_t since_overflow; /* instructions since one that surely freezes; 0: there was none */
    bool lbr_freezes, counters_freeze; /* it does, and nothing came between that may forestall it */
    uint64_t since_doubt;  /* instructions since a freeze that may have been asked for; 0: none */
    bool store_may_freeze; /* the branch trace store may have asked for one: nobody says how late */
    enum maybe lbr_frozen, counters_frozen;
    unsigned freeze_source; /* the counter that may have frozen the others, from 1; 0: none */
    bool asked_here;        /* the interrupt, first of all in this step */
    bool others_asked;      /* something else than a counter may have asked for the interrupt */
    bool too_long;
    struct reference_event events[REFERENCE_TRANSFERS_MAX]; /* the last member */
};

/* Instructions of a stretch of code in one ring, at least and at most. */
struct reference_stretch {
    unsigned ring;
    uint64_t low, high;
    uint64_t slow;     /* of them such as take their time: RDMSR */
    uint64_t branches; /* of them taken branches that retire */
    uint64_t branches_high;
};

void reference_begin_step(struct reference *r);

/* In the order in which they happen. */
void reference_write_debugctl(struct reference *r, uint64_t value);
void reference_write_control(struct reference *r, uint64_t value);
void reference_clear_status(struct reference *r, uint64_t bits);
void reference_set_status(struct reference *r, uint64_t bits);
void reference_unmask(struct reference *r);
void reference_transfer(struct reference *r, const struct transfer *transfer);
void reference_execute(struct reference *r, const struct reference_stretch *stretch);

/* The interrupt was taken while all was off, or all but IA32_PERF_GLOBAL_CTRL. */
void reference_take(struct reference *r);
void reference_take_unseen(struct reference *r);

/* The interrupt was taken at this place of the program, with IA32_DEBUGCTL on. Where it may have
 * been taken later, when the program came there again, no record and no entry is known. */
void reference_interrupt(struct reference *r, uint64_t rip, unsigned ring, bool maybe_later);

/* reference_bts.c: the branch trace store alone. */
void reference_store(struct reference *r, struct reference_event *event);

/* reference_counters.c: the counters alone; count what ran. */
void reference_count(struct reference *r, const struct reference_stretch *stretch);

/* An interrupt came that only a counter can have asked for: the one that may have wrapped has. */
void reference_confirm(struct reference *r);

/* The step begins: nothing has wrapped. */
void reference_begin_counters(struct reference *r);

/* A freeze of those that may have wrapped may not show: a write came between. */
void reference_forestall(struct reference *r, bool of_lbr, bool of_counters);

/* Whether one that interrupts may have wrapped, and not surely. */
bool reference_is_in_doubt(const struct reference *r);

/* The status is cleared: a counter that may have wrapped before it may as well do so behind it.
 * Returns the status bits of those. */
uint64_t reference_settle_counters(struct reference *r);

/* A counter that interrupts, or the BTS threshold, has its effect: freeze and interrupt. */
void reference_overflow(struct reference *r, enum maybe surely);
void reference_request(struct reference *r, enum maybe surely);
void reference_freeze(struct reference *r, enum maybe surely);

#endif
