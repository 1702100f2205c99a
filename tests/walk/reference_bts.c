/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The branch trace store: where a record goes, and what reaching the threshold does. */
#include "arch/trace/debugctl.h"
#include "arch/trace/ds.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/choices/transfer_choices.h"
#include "tests/walk/reference.h"

static void ask(struct reference *r, enum maybe asks)
{
    if (asks == NO)
        return;
    r->others_asked = true;
    reference_request(r, asks);
    if (!freeze_by_bts(~0ull, VALUE_YES) && !freeze_by_bts(~0ull, VALUE_UNKNOWN))
        return;
    r->freeze_source = SEVERAL_SOURCES;
    r->store_may_freeze = true;
    reference_freeze(r, MAYBE); /* how many records later, nobody says: F3.23 */
}

/* The index is not known: this record may be the one that reaches the threshold, or any. */
static void store_somewhere(struct reference *r, struct store *area)
{
    bool prevented =
        area->threshold > area->maximum && choice_of(CHOICE_LIMIT) != VALUE_INDEX_BELOW;
    bool silent =
        !(r->debugctl & DEBUGCTL_BTINT) && choice_of(CHOICE_BTINT_CLEAR_INTERRUPTS) == VALUE_NO;

    area->reached = true;
    ask(r, prevented || silent ? NO : MAYBE);
}

static void store_at_index(struct reference *r, struct store *area, struct reference_event *event)
{
    enum maybe asks;

    event->place = store_add(area, r->debugctl, &asks);
    if (!event->place)
        event->stored = NO;
    r->bts_unknown |= area->may_wrap || area->needs_full || area->needs_limit;
    ask(r, r->bts_unknown ? maybe_least(asks, MAYBE) : asks);
}

void reference_store(struct reference *r, struct reference_event *event)
{
    struct store *area = &r->areas[r->area];

    event->stored = is_stored(r->debugctl, &event->transfer);
    if (event->stored == NO)
        return;
    if (event->stored == MAYBE || may_be_filtered(r->select, r->streamlined && r->lbr_frozen != NO))
        r->bts_unknown = true;
    if (r->bts_unknown)
        store_somewhere(r, area);
    else
        store_at_index(r, area, event);
}
