/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/bts_predict.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"

bool bts_goes_on(const struct run *run)
{
    return !run->layout.records && !run->armed && !(~run->debugctl & (DEBUGCTL_TR | DEBUGCTL_BTS));
}

bool bts_is_judged(const struct program *program, const struct run *run)
{
    bool is_own_log = !run->log || (!run->log->reload && !run->log->observe);
    struct program_write write = {.before = SIZE_MAX};

    if (program)
        write = program_write(program);
    return program && is_own_log && (run->layout.records || bts_goes_on(run)) &&
           (write.before == SIZE_MAX || write.what.number != IA32_DS_AREA);
}

static uint64_t place[EXPECTED_MAX]; /* of each expected record; 0: it is dropped */

bool bts_is_drained(const struct run *run)
{
    return run->layout.records && run->policy == PMI_SERVE;
}

static void ask(struct bts_prediction *p, enum maybe asks)
{
    if (!p->is_masked)
        maybe_raise(&p->pending, asks);
}

static void deliver(struct bts_prediction *p)
{
    if (p->pending == NO && p->extra == SIZE_MAX)
        p->extra = p->next;
    p->pending = NO;
    p->is_masked = true;
}

/* The routine of PMI_SERVE drains the buffer, and unmasks the LVT entry. */
static void serve(struct bts_prediction *p)
{
    if (!bts_is_drained(p->run))
        return;
    if (p->log->events[p->next].causes & PMI_CAUSE_BTS) {
        p->store.index = p->store.base;
        p->store.reached = p->store.may_wrap = false;
    }
    p->is_masked = false;
    if (p->store.index >= p->store.threshold)
        ask(p, MAYBE); /* one that stays reached may interrupt once more: F5.3 */
}

/* Those that come before record number i. */
static void take_events(struct bts_prediction *p, size_t i)
{
    for (; p->next < p->expected->event_count; p->next++) {
        const struct expected_event *event = &p->expected->events[p->next];

        if (event->delivered > i)
            return;
        if (event->delivered == i)
            deliver(p);
        if (event->served > i)
            return;
        serve(p);
    }
}

/* Those ahead of the truth, all of which are stored: whole laps of them leave no trace. */
static void store_ahead(struct bts_prediction *p, uint64_t count)
{
    size_t capacity = store_capacity_by(&p->store, p->store.as.limit);
    enum maybe asks;

    if (capacity && count > 2 * capacity)
        count = count % capacity + capacity;
    for (uint64_t i = 0; i < count; i++) {
        store_add(&p->store, p->run->debugctl, &asks);
        ask(p, asks);
    }
}

bool bts_predict(struct test_context *t, struct bts_prediction *p,
                 const struct ds_management_area *area)
{
    enum maybe asks;

    p->expected = expected_of(t, p->program, p->run->debugctl, p->log);
    if (!p->expected)
        return false;
    p->place = place;
    p->store = store_of(area);
    p->is_open = false;
    p->is_masked = p->run->lvt_masked;
    p->pending = NO;
    p->next = 0;
    p->extra = SIZE_MAX;
    store_ahead(p, p->program->ahead);
    for (size_t i = 0; i < p->expected->count; i++) {
        take_events(p, i);
        p->is_open |= p->expected->records[i].open;
        place[i] = store_add(&p->store, p->expected->records[i].debugctl, &asks);
        ask(p, p->is_open ? maybe_least(asks, MAYBE) : asks);
    }
    take_events(p, p->expected->count);
    return true;
}

bool bts_is_in_order(const struct bts_prediction *p, const struct ds_management_area *area)
{
    size_t count = p->expected->count;

    for (size_t i = 0; i < count; i++)
        if (p->place[i] != area->bts_index + i * BTS_RECORD_SIZE)
            return false;
    return !p->program->ahead && !p->store.may_wrap &&
           p->store.index == area->bts_index + count * BTS_RECORD_SIZE;
}

bool bts_is_loose(const struct bts_prediction *p, const struct ds_management_area *area)
{
    return p->is_open && !bts_is_drained(p->run) && !bts_is_in_order(p, area);
}
