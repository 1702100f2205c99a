/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/reference.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/pmi.h"
#include "tests/spec/choices/choices.h"

/* Instructions from an overflow on in which a freeze may still be on its way (F7.6): of those that
 * are fast several retire in a cycle, one that takes its time stands for many of them. */
#define FREEZE_SKID 400
#define SLOW_ONE    16

/* The routine, and what it calls (F5.20). */
#define ROUTINE_INSTRUCTIONS 20000

static enum maybe bit_of(const struct reference *r, uint64_t bit)
{
    if (r->status_open & bit)
        return MAYBE;
    return r->status & bit ? YES : NO;
}

static void look_at_status(struct reference *r)
{
    r->lbr_frozen = bit_of(r, PERF_GLOBAL_STATUS_LBR_FRZ);
    r->counters_frozen = bit_of(r, PERF_GLOBAL_STATUS_CTR_FRZ);
}

void reference_begin_step(struct reference *r)
{
    const size_t step = offsetof(struct reference, event_count);

    __builtin_memset((uint8_t *)r + step, 0, offsetof(struct reference, events) - step);
    look_at_status(r);
    reference_begin_counters(r);
    for (unsigned i = 0; i < REFERENCE_AREAS; i++)
        r->areas[i].as = store_readings();
}

/* --- what an overflow does --- */

void reference_request(struct reference *r, enum maybe surely)
{
    if (r->lvt_masked == YES)
        return;
    r->asked_here |= r->pending == NO;
    maybe_raise(&r->pending, r->lvt_was_open || r->lvt_masked == NO ? surely : MAYBE);
    /* Masked from now on, or when the interrupt is taken (F5.12). One that may have come alone did
     * not mask it surely: what comes next interrupts, or that one did. */
    r->lvt_was_open = r->lvt_was_open || r->lvt_masked == NO;
    r->lvt_masked = MAYBE;
}

static void freeze_lbr(struct reference *r, enum maybe surely)
{
    if (r->lbr_streamlined == MAYBE) {
        r->lbr_unknown = true;
        r->lbr_frozen = maybe_most(r->lbr_frozen, MAYBE);
        r->status_open |= PERF_GLOBAL_STATUS_LBR_FRZ;
        maybe_raise(&r->lbr_cleared, MAYBE);
    } else if (r->lbr_streamlined == NO) {
        maybe_raise(&r->lbr_cleared, surely);
    } else if (surely == YES) {
        r->status |= PERF_GLOBAL_STATUS_LBR_FRZ;
        r->status_open &= ~PERF_GLOBAL_STATUS_LBR_FRZ;
        r->lbr_frozen = YES;
    } else if (r->lbr_frozen == NO) {
        r->status_open |= PERF_GLOBAL_STATUS_LBR_FRZ;
        r->lbr_frozen = MAYBE;
    }
}

static void freeze_counters(struct reference *r, enum maybe surely)
{
    if (!r->streamlined) {
        maybe_raise(&r->control_cleared, surely);
    } else if (surely == YES) {
        r->status |= PERF_GLOBAL_STATUS_CTR_FRZ;
        r->status_open &= ~PERF_GLOBAL_STATUS_CTR_FRZ;
        r->counters_frozen = YES;
    } else if (r->counters_frozen == NO) {
        r->status_open |= PERF_GLOBAL_STATUS_CTR_FRZ;
        r->counters_frozen = MAYBE;
    }
}

/* Under these bits of IA32_DEBUGCTL. */
static void freeze_now(struct reference *r, uint64_t bits, enum maybe lbr, enum maybe counters)
{
    if (bits & DEBUGCTL_FREEZE_LBRS_ON_PMI)
        freeze_lbr(r, lbr);
    if (bits & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        freeze_counters(r, counters);
}

/*
 * It may come at once, and must have come a while later: reference_execute() makes it sure. With
 * the LVT entry masked nothing is said of it: what freezes is an interrupt (F7.5).
 */
void reference_freeze(struct reference *r, enum maybe surely)
{
    freeze_now(r, r->debugctl, MAYBE, MAYBE);
    r->since_doubt = 1;
    if (surely == YES && (!r->since_overflow || r->since_overflow >= FREEZE_SKID)) {
        r->since_overflow = 1;
        r->lbr_freezes = r->counters_freeze = true;
    }
}

void reference_overflow(struct reference *r, enum maybe surely)
{
    reference_request(r, surely);
    reference_freeze(r, r->lvt_was_open ? surely : MAYBE);
}

/* --- registers --- */

/* A freeze that was asked for, or may have been, may come now or later (F7.6). */
static bool may_freeze_yet(const struct reference *r)
{
    return r->store_may_freeze || reference_is_in_doubt(r) ||
           (r->since_doubt && r->since_doubt < FREEZE_SKID) ||
           (r->since_overflow && r->since_overflow < FREEZE_SKID);
}

/* A write of the register that it changes, or of what makes it come: whether it came before, or
 * comes behind, is not known; what it does is there, or is not. */
static void doubt_freeze(struct reference *r, uint64_t bits, bool of_lbr, bool of_counters)
{
    if (!may_freeze_yet(r))
        return;
    if (of_lbr)
        r->lbr_freezes = false;
    if (of_counters)
        r->counters_freeze = false;
    reference_forestall(r, of_lbr, of_counters);
    freeze_now(r, bits, MAYBE, MAYBE);
}

/* A stack that may have stopped goes on: there may be a gap in it. */
static void let_lbr_go_on(struct reference *r)
{
    r->lbr_unknown |= r->lbr_in_doubt;
    r->lbr_in_doubt = false;
}

void reference_write_debugctl(struct reference *r, uint64_t value)
{
    uint64_t before = r->debugctl, changed = before ^ value;

    if (r->lbr_streamlined != YES)
        let_lbr_go_on(r);
    r->debugctl = value;
    r->lbr_cleared = NO;
    doubt_freeze(r, before | value,
                 r->lbr_streamlined != YES || changed & DEBUGCTL_FREEZE_LBRS_ON_PMI,
                 changed & DEBUGCTL_FREEZE_PERFMON_ON_PMI);
}

void reference_write_control(struct reference *r, uint64_t value)
{
    r->control = value;
    r->control_cleared = NO;
    doubt_freeze(r, r->debugctl, false, !r->streamlined);
}

void reference_clear_status(struct reference *r, uint64_t bits)
{
    bool overflows = bits & pmu_all_counters();

    if (bits & PERF_GLOBAL_STATUS_LBR_FRZ)
        let_lbr_go_on(r);
    r->status &= ~bits;
    r->status_open &= ~bits;
    r->status_open |= reference_settle_counters(r);
    look_at_status(r);
    doubt_freeze(r, r->debugctl, overflows || bits & PERF_GLOBAL_STATUS_LBR_FRZ,
                 overflows || bits & PERF_GLOBAL_STATUS_CTR_FRZ);
}

static bool may_interrupt_by_set(uint64_t bits)
{
    const uint64_t of[] = {bits & UINT32_MAX, bits & ~(uint64_t)UINT32_MAX};

    return (of[0] && choice_of(CHOICE_SET_INTERRUPTS, 0) != VALUE_NO) ||
           (of[1] && choice_of(CHOICE_SET_INTERRUPTS, 1) != VALUE_NO);
}

void reference_set_status(struct reference *r, uint64_t bits)
{
    r->status |= bits;
    r->status_open &= ~bits;
    look_at_status(r);
    if (!may_interrupt_by_set(bits & pmu_all_counters()))
        return;
    r->freeze_source = SEVERAL_SOURCES;
    r->others_asked = true;
    reference_overflow(r, MAYBE);
}

/* F5.18: an overflow bit that is set may interrupt once more; F5.3: so may the threshold. */
void reference_unmask(struct reference *r)
{
    const struct store *area = &r->areas[r->area];
    bool overflowed = (r->status | r->status_open) & pmu_all_counters();

    r->unmasked_while_pending = r->pending != NO;
    r->lvt_masked = NO;
    r->lvt_was_open = false;
    if (overflowed || area->index >= area->threshold)
        maybe_raise(&r->pending, MAYBE);
}

static const struct reference_stretch routine = {.high = ROUTINE_INSTRUCTIONS,
                                                 .branches_high = ROUTINE_INSTRUCTIONS};

void reference_take_unseen(struct reference *r)
{
    reference_take(r);
    reference_execute(r, &routine);
}

/* F5.12: masked when it was asked for, or now. Both are so where nobody has unmasked it since;
 * where somebody has, what was asked for a moment ago may come as another one (F6.44, F3.23). */
static void take(struct reference *r)
{
    bool more = r->unmasked_while_pending && (r->others_asked || may_freeze_yet(r));

    r->lvt_masked = r->unmasked_while_pending ? MAYBE : YES;
    r->pending = more ? MAYBE : NO;
    r->unmasked_while_pending = false;
    r->lvt_was_open = false;
}

void reference_take(struct reference *r)
{
    if (r->pending == MAYBE && r->asked_here && !r->others_asked)
        reference_confirm(r);
    take(r);
}

/* --- what runs --- */

void reference_execute(struct reference *r, const struct reference_stretch *stretch)
{
    uint64_t time = stretch->low + stretch->slow * (SLOW_ONE - 1);

    reference_count(r, stretch);
    if (r->since_doubt)
        r->since_doubt += time;
    if (!r->since_overflow)
        return;
    if (r->since_overflow < FREEZE_SKID && r->since_overflow + time >= FREEZE_SKID)
        freeze_now(r, r->debugctl, r->lbr_freezes ? YES : MAYBE, r->counters_freeze ? YES : MAYBE);
    r->since_overflow += time;
}

static enum maybe tr_feeds(const struct reference *r)
{
    enum maybe feeds;

    if (!(r->debugctl & DEBUGCTL_TR))
        return NO;
    feeds = r->tr_feeds[(r->debugctl & DEBUGCTL_BTS) != 0];
    if (r->debugctl & (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR))
        return maybe_least(feeds, MAYBE); /* with branches that they skip? */
    return feeds;
}

/* F4.1, D 9; what TR feeds while the stack is frozen is nowhere said. */
static enum maybe reaches_lbr(struct reference *r)
{
    enum maybe by_lbr = r->debugctl & DEBUGCTL_LBR ? maybe_not(r->lbr_cleared) : NO;
    enum maybe by_tr = tr_feeds(r);

    if (r->lbr_undefined_with_tr && r->debugctl & DEBUGCTL_TR)
        r->lbr_unknown = true;
    if (by_tr != NO && (r->lbr_frozen != NO || r->lbr_cleared != NO))
        r->lbr_unknown = true;
    return maybe_least(maybe_most(by_lbr, by_tr), maybe_not(r->lbr_frozen));
}

void reference_transfer(struct reference *r, const struct transfer *transfer)
{
    struct reference_event *event = &r->events[r->event_count];

    if (r->event_count == REFERENCE_TRANSFERS_MAX) {
        r->too_long = true;
        return;
    }
    r->event_count++;
    *event = (struct reference_event){.transfer = *transfer, .debugctl = r->debugctl};
    event->in_lbr = reaches_lbr(r);
    r->lbr_in_doubt |= event->in_lbr == MAYBE;
    reference_store(r, event);
}

/*
 * The routine (arch/trace/pmi.h) clears TR before its first branch and sets it again behind its
 * last but IRET. An LBR stack that goes on meanwhile holds its branches. What another overflow
 * clears of IA32_DEBUGCTL between its reading and its writing comes back.
 */
void reference_interrupt(struct reference *r, uint64_t rip, unsigned ring, bool maybe_later)
{
    const struct transfer in = {.from = rip,
                                .to = (uint64_t)pmi_entry,
                                .kind = TRANSFER_INTERRUPT,
                                .from_ring = (uint8_t)ring};
    const struct transfer out = {
        .from = (uint64_t)pmi_iret, .to = rip, .kind = TRANSFER_IRET, .to_ring = (uint8_t)ring};
    bool records = r->debugctl & DEBUGCTL_LBR && r->lbr_cleared != YES && r->lbr_frozen != YES;

    if (maybe_later) {
        r->lbr_unknown = r->bts_unknown = true;
        take(r);
    } else {
        reference_take(r);
    }
    reference_transfer(r, &in);
    if (records || r->debugctl & DEBUGCTL_TR)
        r->lbr_unknown = r->lbr_unknown || records || tr_feeds(r) != NO;
    reference_execute(r, &routine);
    if (r->freeze_source == SEVERAL_SOURCES && r->lbr_streamlined != YES)
        r->lbr_freezes = false;
    reference_transfer(r, &out);
}
