/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters: who counts what ran (F6.20), who has wrapped by now (F6.40). A count is an
 * interval: of some code it is not known how many instructions it retires, and a freeze does not
 * come at a known instruction.
 */
#include "tests/oracle/reference.h"

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
    uint64_t bit = PERF_GLOBAL_STATUS_CTR_FRZ;

    if (r->status_open & bit)
        return MAYBE;
    if (r->status & bit)
        return YES;
    return r->control_cleared;
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

static void advance(struct reference *r, struct reference_counter *c, uint64_t low, uint64_t high)
{
    unsigned width = pmu_width(c->counter);
    unsigned times_low, times_high;

    c->low += low;
    c->high += high;
    times_low = (unsigned)(c->low >= SLACK_LOW ? (c->low - SLACK_LOW) >> width : 0);
    times_high = (unsigned)((c->high + SLACK_LOW) >> width);
    if (times_high > c->wrapped_high)
        c->wrapped_high = times_high;
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
        surely = frozen == NO && is_frozen(r) == NO;
        advance(r, c, surely || stops_itself(r, c) ? low : 0, high);
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

/* Where only an interrupt tells that it has wrapped, it may have come out of one turn of the same
 * code or another: before a write, or behind it. */
static bool is_in_doubt(const struct reference_counter *c)
{
    return c->wrapped_high > c->wrapped_low || c->low >> pmu_width(c->counter) < c->wrapped_low;
}

bool reference_is_in_doubt(const struct reference *r)
{
    for (unsigned i = 0; i < r->counter_count; i++)
        if (is_in_doubt(&r->counters[i]))
            return true;
    return false;
}

bool reference_settle_counters(struct reference *r)
{
    bool may_freeze = false;

    for (unsigned i = 0; i < r->counter_count; i++) {
        struct reference_counter *c = &r->counters[i];

        if (!is_in_doubt(c))
            continue;
        c->wrapped_low = c->wrapped_high;
        r->overflows_in_doubt |= pmu_global_bit(c->counter);
        may_freeze |= (c->flags & COUNTER_PMI) != 0;
    }
    return may_freeze;
}
