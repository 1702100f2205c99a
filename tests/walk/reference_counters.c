/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters: who counts what ran (F6.20), who has wrapped by now (F6.40). A count is an
 * interval: of some code it is not known how many instructions it retires, and a freeze does not
 * come at a known instruction.
 */
#include "tests/walk/reference.h"

#include "arch/trace/debugctl.h"

/* A count may miss the truth by so many at either end of what is counted (F6.27). */
#define SLACK_LOW 4

static bool counts_at_all(const struct reference *r, const struct reference_counter *c,
                          unsigned ring)
{
    return c->flags & (ring ? COUNTER_USR : COUNTER_OS) && r->control & pmu_global_bit(c->counter);
}

static void count_events(const struct reference_counter *c, const struct reference_stretch *s,
                         uint64_t *low, uint64_t *high)
{
    switch (c->event) {
    case PMU_INSTRUCTIONS:
        *low = s->low;
        *high = s->high;
        break;
    case PMU_BRANCHES:
        *low = s->branches;
        *high = s->branches_high;
        break;
    default: /* cycles: some; nothing is known of how many */
        *low = 0;
        *high = 1ull << 36;
        break;
    }
}

/* A legacy freeze has taken the enable bits; or CTR_Frz is set (F7.2, F7.3). */
static enum maybe is_frozen(const struct reference *r)
{
    return r->counters_frozen == NO ? r->control_cleared : r->counters_frozen;
}

static bool may_wrap(const struct reference_counter *c, uint64_t high)
{
    return (c->high + high + SLACK_LOW) >> pmu_width(c->counter) > c->wrapped_high;
}

/* Another one that may overflow within the stretch, and stop this one in the midst of it. */
static bool may_be_stopped(const struct reference *r, const struct reference_counter *c,
                           const struct reference_stretch *stretch)
{
    if (!(r->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
        return false;
    for (unsigned i = 0; i < r->counter_count; i++) {
        const struct reference_counter *other = &r->counters[i];
        uint64_t low, high;

        if (other == c || !(other->flags & COUNTER_PMI) || !counts_at_all(r, other, stretch->ring))
            continue;
        count_events(other, stretch, &low, &high);
        if (may_wrap(other, high))
            return true;
    }
    return false;
}

/* Whose overflow it is that may have frozen the counters. */
static void note_source(struct reference *r, const struct reference_counter *c)
{
    unsigned number = 1 + (unsigned)(c - r->counters);

    r->freeze_source = !r->freeze_source || r->freeze_source == number ? number : SEVERAL_SOURCES;
}

static void overflow(struct reference *r, struct reference_counter *c, enum maybe surely)
{
    uint64_t bit = pmu_global_bit(c->counter);

    if (surely == YES) {
        r->status |= bit;
        r->status_open &= ~bit;
    } else if (!(r->status & bit)) {
        r->status_open |= bit;
    }
    if (!(c->flags & COUNTER_PMI))
        return;
    if (surely == MAYBE)
        note_source(r, c);
    reference_overflow(r, surely);
    if (surely != YES)
        return;
    r->lbr_freezes &= !c->lbr_forestalled;
    r->counters_freeze &= !c->counters_forestalled;
}

/* Until it has surely wrapped, a counter is not stopped by its own overflow. */
static bool stops_itself(const struct reference *r, const struct reference_counter *c)
{
    return r->freeze_source == 1 + (unsigned)(c - r->counters) && c->wrapped_high > c->wrapped_low;
}

/* stops: it counts no further, right there and not at the end of this stretch. */
static void wrap_surely(struct reference *r, struct reference_counter *c, unsigned times,
                        bool stops)
{
    if (stops)
        c->low = (uint64_t)times << pmu_width(c->counter);
    c->wrapped_low = times;
    overflow(r, c, YES);
}

/* Where only an interrupt tells that it has wrapped, it may have come out of one turn of the same
 * code or another: before a write, or behind it. */
static bool is_in_doubt(const struct reference_counter *c)
{
    return c->wrapped_high > c->wrapped_low || c->low >> pmu_width(c->counter) < c->wrapped_low;
}

static void advance(struct reference *r, struct reference_counter *c, uint64_t low, uint64_t high)
{
    unsigned width = pmu_width(c->counter);
    unsigned times_low, times_high;
    bool in_doubt = is_in_doubt(c);

    c->low += low;
    c->high += high;
    times_low = (unsigned)(c->low >= SLACK_LOW ? (c->low - SLACK_LOW) >> width : 0);
    times_high = (unsigned)((c->high + SLACK_LOW) >> width);
    if (times_high > c->wrapped_high)
        c->wrapped_high = times_high;
    if (c->flags & COUNTER_PMI && (in_doubt || is_in_doubt(c)))
        r->since_doubt = 1; /* it may have come in this stretch */
    if (c->wrapped_high > c->wrapped_low)
        overflow(r, c, MAYBE);
    if (times_low > c->wrapped_low)
        wrap_surely(r, c, times_low, stops_itself(r, c));
}

void reference_count(struct reference *r, const struct reference_stretch *stretch)
{
    enum maybe frozen = is_frozen(r);

    for (unsigned i = 0; i < r->counter_count; i++) {
        struct reference_counter *c = &r->counters[i];
        uint64_t low, high;
        bool surely;

        if (!counts_at_all(r, c, stretch->ring) || frozen == YES)
            continue;
        count_events(c, stretch, &low, &high);
        surely = (frozen == NO && is_frozen(r) == NO) || stops_itself(r, c);
        advance(r, c, surely && !may_be_stopped(r, c, stretch) ? low : 0, high);
    }
}

void reference_confirm(struct reference *r)
{
    struct reference_counter *only = NULL;

    for (unsigned i = 0; i < r->counter_count; i++) {
        struct reference_counter *c = &r->counters[i];

        if (!(c->flags & COUNTER_PMI) || c->wrapped_high == 0)
            continue;
        if (only || c->wrapped_low)
            return; /* several may have asked, or one that is known to have wrapped */
        only = c;
    }
    if (only)
        wrap_surely(r, only, only->wrapped_low + 1, false);
}

void reference_begin_counters(struct reference *r)
{
    for (unsigned i = 0; i < r->counter_count; i++) {
        struct reference_counter *c = &r->counters[i];

        c->wrapped_low = c->wrapped_high = 0;
        c->lbr_forestalled = c->counters_forestalled = false;
    }
}

void reference_forestall(struct reference *r, bool of_lbr, bool of_counters)
{
    for (unsigned i = 0; i < r->counter_count; i++) {
        struct reference_counter *c = &r->counters[i];

        c->lbr_forestalled |= of_lbr && is_in_doubt(c);
        c->counters_forestalled |= of_counters && is_in_doubt(c);
    }
}

bool reference_is_in_doubt(const struct reference *r)
{
    for (unsigned i = 0; i < r->counter_count; i++)
        if (r->counters[i].flags & COUNTER_PMI && is_in_doubt(&r->counters[i]))
            return true;
    return false;
}

uint64_t reference_settle_counters(struct reference *r)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < r->counter_count; i++) {
        struct reference_counter *c = &r->counters[i];

        if (!is_in_doubt(c))
            continue;
        c->wrapped_low = c->wrapped_high;
        bits |= pmu_global_bit(c->counter);
    }
    return bits;
}
