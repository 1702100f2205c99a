/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/store.h"

#include "arch/trace/debugctl.h"

struct store_readings store_readings(void)
{
    return (struct store_readings){
        .limit = choice_of(CHOICE_LIMIT),
        .full = choice_of(CHOICE_FULL),
        .wrap = choice_of(CHOICE_WRAP),
        .btint = choice_of(CHOICE_BTINT_CLEAR_INTERRUPTS),
    };
}

struct store store_of(const struct ds_management_area *area)
{
    return (struct store){
        .base = area->bts_buffer_base,
        .index = area->bts_index,
        .maximum = area->bts_absolute_maximum,
        .threshold = area->bts_interrupt_threshold,
        .as = store_readings(),
    };
}

/* The three readings of the absolute maximum (F3.22). */
static bool has_room_by(const struct store *store, enum choice_value limit)
{
    switch (limit) {
    case VALUE_INDEX_BELOW:
        return store->index < store->maximum;
    case VALUE_FITS_STRICTLY:
        return store->index + BTS_RECORD_SIZE < store->maximum;
    default:
        return store->index + BTS_RECORD_SIZE <= store->maximum;
    }
}

bool store_has_room(const struct store *store)
{
    return has_room_by(store, store->as.limit);
}

static bool is_limit_open(const struct store *store)
{
    return store->as.limit == VALUE_UNKNOWN &&
           has_room_by(store, VALUE_INDEX_BELOW) != has_room_by(store, VALUE_FITS_STRICTLY);
}

size_t store_capacity_by(const struct store *store, enum choice_value limit)
{
    struct store from_base = *store;
    size_t count = 0;

    for (from_base.index = store->base; has_room_by(&from_base, limit); count++)
        from_base.index += BTS_RECORD_SIZE;
    return count;
}

/* A full buffer whose index cannot get to a threshold below the maximum: whether that interrupts,
 * as being nearly full, is not said (F3.22, F5.1). */
static bool ends_below(const struct store *store)
{
    return !store_has_room(store) && store->threshold <= store->maximum;
}

/* Threshold and index must be whole records behind the base; what others do is not said (F3.23). */
static bool is_off_grid(const struct store *store)
{
    return (store->threshold - store->base) % BTS_RECORD_SIZE ||
           (store->index - store->base) % BTS_RECORD_SIZE;
}

/* A record has moved the index (F5.1): does that interrupt? shows: where it moved to, all can see.
 */
static enum maybe interrupts(const struct store *store, uint64_t debugctl, bool shows)
{
    bool is_there = store->index >= store->threshold, off_grid = is_off_grid(store);
    bool prevented = store->threshold > store->maximum && store->index <= store->maximum;
    bool near = is_there || (off_grid && store->index + BTS_RECORD_SIZE > store->threshold);

    if (prevented || (!near && !ends_below(store)))
        return NO;
    if (!(debugctl & DEBUGCTL_BTINT)) /* one text has it that this is not enough: D 4 */
        return store->as.btint == VALUE_NO ? NO : MAYBE;
    if (store->threshold > store->maximum) /* part of a record has crossed the maximum */
        return MAYBE;
    /* Of the records behind the first one nothing is said: F5.3. */
    return is_there && shows && !store->reached && !off_grid ? YES : MAYBE;
}

/* With BTINT clear the record after the last goes to the base (F5.6), with BTINT set it is dropped
 * or goes there too (F5.5). */
static bool wraps(const struct store *store, uint64_t debugctl)
{
    return !(debugctl & DEBUGCTL_BTINT) || store->as.full == VALUE_WRAPS;
}

/* An index that goes back to the base at once never shows at the end (F3.25a). Of a processor that
 * goes on at the base with BTINT set nobody has said when it does (F5.5). */
static bool may_wrap_at_once(const struct store *store, uint64_t debugctl)
{
    return debugctl & DEBUGCTL_BTINT ? store->as.full != VALUE_DROPS : store->as.wrap != VALUE_LAZY;
}

/* The buffer is full. */
static void end_lap(struct store *store, uint64_t debugctl)
{
    if (!(debugctl & DEBUGCTL_BTINT) && store->as.wrap == VALUE_EAGER)
        store->index = store->base;
    else
        store->may_wrap = may_wrap_at_once(store, debugctl);
}

static uint64_t put(struct store *store, uint64_t debugctl, enum maybe *asks)
{
    uint64_t place = store->index;
    bool at_end;

    store->may_wrap = store->asks_at_end = false;
    store->index += BTS_RECORD_SIZE;
    store->needs_limit |= is_limit_open(store);
    at_end = !store_has_room(store);
    *asks = interrupts(store, debugctl, !(at_end && may_wrap_at_once(store, debugctl)));
    store->asks_at_end = at_end && interrupts(store, debugctl, true) == YES;
    store->reached |= store->index >= store->threshold;
    if (at_end)
        end_lap(store, debugctl);
    return place;
}

uint64_t store_add(struct store *store, uint64_t debugctl, enum maybe *asks)
{
    *asks = NO;
    store->needs_limit |= is_limit_open(store);
    if (store_has_room(store))
        return put(store, debugctl, asks);
    store->needs_full |= debugctl & DEBUGCTL_BTINT && store->as.full == VALUE_UNKNOWN;
    if (!wraps(store, debugctl))
        return 0;
    store->index = store->base;
    return put(store, debugctl, asks);
}
