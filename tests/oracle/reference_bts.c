/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The branch trace store: where a record goes, and what reaching the threshold does. */
#include "arch/trace/debugctl.h"
#include "arch/trace/ds.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/mode.h"
#include "tests/oracle/reference.h"
#include "tests/oracle/transfer_choices.h"

/* Is there room for a record at the index? The three readings of the absolute maximum (F3.22). */
static bool fits(const struct reference_area *area)
{
    switch (choice_of(CHOICE_LIMIT)) {
    case VALUE_INDEX_BELOW:
        return area->index < area->maximum;
    case VALUE_FITS_STRICTLY:
        return area->index + BTS_RECORD_SIZE < area->maximum;
    default:
        return area->index + BTS_RECORD_SIZE <= area->maximum;
    }
}

/* Table 17-6, and what it leaves open as this processor was seen to read it. */
static enum maybe is_stored(const struct reference *r, const struct transfer *transfer)
{
    switch (mode_judge(r->debugctl, transfer)) {
    case MODE_STORES:
        return YES;
    case MODE_SKIPS:
        return NO;
    default:
        break;
    }
    switch (stored_choice(r->debugctl, transfer->kind)) {
    case VALUE_YES:
        return YES;
    case VALUE_NO:
        return NO;
    default:
        return MAYBE;
    }
}

/* What may filter records besides Table 17-6 (F8.20, F7.2), unless it was seen not to. */
static bool may_be_filtered(const struct reference *r)
{
    bool by_select = r->select && choice_of(CHOICE_SELECT_FILTERS_BTS) != VALUE_NO;
    bool by_freeze =
        r->lbr_frozen != NO && choice_of(CHOICE_FREEZE_STOPS_BTS) != VALUE_NO && r->streamlined;

    return by_select || by_freeze;
}

/* The index has reached the threshold by a record (F5.1): does that interrupt? */
static enum maybe interrupts(const struct reference *r, const struct reference_area *area,
                             bool shows)
{
    bool prevented = area->threshold > area->maximum && area->index <= area->maximum;

    if (area->index < area->threshold || prevented)
        return NO;
    if (!(r->debugctl & DEBUGCTL_BTINT)) /* one text has it that this is not enough: D 4 */
        return choice_of(CHOICE_BTINT_CLEAR_INTERRUPTS) == VALUE_NO ? NO : MAYBE;
    if (area->threshold > area->maximum) /* the index has crossed the maximum by part of a record */
        return MAYBE;
    /* Of the records behind the first one nothing is said: F5.3. */
    return shows && !area->reached ? YES : MAYBE;
}

/* Whether the index goes back at once, F3.25a; and F5.5: with BTINT set, of a processor that goes
 * on at the base, nobody has said. */
static bool is_wrap_open(const struct reference *r)
{
    bool eager = choice_of(CHOICE_WRAP) == VALUE_EAGER;

    return choice_of(CHOICE_WRAP) == VALUE_UNKNOWN || (eager && r->debugctl & DEBUGCTL_BTINT);
}

static void ask(struct reference *r, enum maybe asks)
{
    if (asks == NO)
        return;
    r->others_asked = true;
    reference_request(r, asks);
    if (choice_of(CHOICE_BTS_FREEZES) == VALUE_NO)
        return;
    r->freeze_source = SEVERAL_SOURCES;
    r->store_may_freeze = true;
    reference_freeze(r, MAYBE); /* how many records later, nobody says: F3.23 */
}

/* The index is not known: this record may be the one that reaches the threshold, or any. */
static void store_somewhere(struct reference *r, struct reference_area *area)
{
    bool prevented =
        area->threshold > area->maximum && choice_of(CHOICE_LIMIT) != VALUE_INDEX_BELOW;
    bool silent =
        !(r->debugctl & DEBUGCTL_BTINT) && choice_of(CHOICE_BTINT_CLEAR_INTERRUPTS) == VALUE_NO;

    area->reached = true;
    ask(r, prevented || silent ? NO : MAYBE);
}

static void store_at_index(struct reference *r, struct reference_area *area,
                           struct reference_event *event)
{
    bool full_wraps = choice_of(CHOICE_FULL) == VALUE_WRAPS;
    bool circular = !(r->debugctl & DEBUGCTL_BTINT) || full_wraps;
    bool eager = choice_of(CHOICE_WRAP) == VALUE_EAGER;
    bool at_end;
    enum maybe asks;

    if (!fits(area)) {
        if (!circular) {
            event->stored = NO;
            return;
        }
        area->index = area->base;
    }
    event->place = area->index;
    area->index += BTS_RECORD_SIZE;
    at_end = !fits(area);
    /* An index that goes back at once never shows at the end (F3.25a). */
    asks = interrupts(r, area, !(at_end && (eager || full_wraps)));
    if (area->index >= area->threshold)
        area->reached = true;
    if (at_end && eager && circular)
        area->index = area->base;
    if (at_end && circular && is_wrap_open(r))
        r->bts_unknown = true;
    ask(r, r->bts_unknown && asks == YES ? MAYBE : asks);
}

void reference_store(struct reference *r, struct reference_event *event)
{
    struct reference_area *area = &r->areas[r->area];

    event->stored = is_stored(r, &event->transfer);
    if (event->stored == NO)
        return;
    if (event->stored == MAYBE || may_be_filtered(r))
        r->bts_unknown = true;
    if (!fits(area) && r->debugctl & DEBUGCTL_BTINT && choice_of(CHOICE_FULL) == VALUE_UNKNOWN)
        r->bts_unknown = true;
    if (r->bts_unknown)
        store_somewhere(r, area);
    else
        store_at_index(r, area, event);
}
