/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/bulk_compare.h"

#include "arch/lib/string.h"
#include "tests/random/generated_program.h"
#include "tests/spec/choices/transfer_choices.h"

#define REGISTER_RSP 4

/* --- what is stored --- */

static enum maybe stored(uint64_t debugctl, uint32_t kind, bool from_user, bool to_user)
{
    const struct transfer transfer = {
        .kind = kind, .from_ring = from_user ? 3 : 0, .to_ring = to_user ? 3 : 0};

    return is_stored(debugctl, &transfer);
}

bool bulk_compare_is_learnt(uint64_t debugctl)
{
    return from_choice(CHOICE_FROM, TRANSFER_INT) != VALUE_UNKNOWN &&
           stored(debugctl, TRANSFER_IRET, false, true) != MAYBE &&
           stored(debugctl, TRANSFER_SYSRET, false, true) != MAYBE &&
           stored(debugctl, TRANSFER_SYSCALL, true, false) != MAYBE &&
           stored(debugctl, TRANSFER_INT, true, false) != MAYBE;
}

static void fill_stored(struct bulk_compare *c, uint64_t debugctl)
{
    for (uint32_t kind = 0; kind < TRANSFER_KINDS; kind++)
        for (unsigned way = 0; way < 4; way++)
            c->stored[kind][way >> 1][way & 1] = (uint8_t)stored(debugctl, kind, way >> 1, way & 1);
}

static enum maybe stored_of(const struct bulk_compare *c, const struct transfer *transfer)
{
    return c->stored[transfer->kind][transfer->from_ring != 0][transfer->to_ring != 0];
}

/* --- a difference --- */

static void differ(struct bulk_compare *c, enum finding_kind kind, const struct bts_record *got)
{
    struct bulk_difference *d = &c->difference;

    *d = (struct bulk_difference){.found = true,
                                  .kind = kind,
                                  .after_crossing = c->after_crossing,
                                  .expected = {.kind = TRANSFER_KINDS},
                                  .number = c->records,
                                  .pass = c->passes,
                                  .state = c->state};
    if (c->is_ready)
        d->expected = c->next;
    if (got)
        d->got = *got;
}

void bulk_compare_bad_index(struct bulk_compare *c, size_t index)
{
    if (c->difference.found)
        return;
    differ(c, FINDING_INDEX, NULL);
    c->difference.got.from = index;
}

static bool is_alike(const struct bts_record *record, const struct transfer *transfer)
{
    return record->to == transfer->to &&
           (record->from == transfer->from ||
            (transfer->from_next && record->from == transfer->from_next));
}

/* One of its two addresses is right: altered. It comes right behind: one too many. Else it is not
 * there. */
static enum finding_kind kind_of(const struct bulk_compare *c, const struct bts_record *got,
                                 bool more)
{
    if (c->has_ended)
        return FINDING_RECORD_EXTRA;
    if (got->from == c->next.from)
        return FINDING_RECORD_TO;
    if (got->to == c->next.to)
        return FINDING_RECORD_FROM;
    return more && is_alike(got + 1, &c->next) ? FINDING_RECORD_EXTRA : FINDING_RECORD_MISSING;
}

/* --- going on --- */

static void read_state(struct bulk_compare *c)
{
    const uint64_t *stack = interpreter_word(c->in, c->in->registers[REGISTER_RSP]);

    c->begins_pass = false;
    c->passes++;
    if (!stack)
        return;
    c->state.passes = stack[0];
    c->state.mixer = stack[1];
    for (size_t i = 0; i < GENERATED_REGISTERS; i++)
        c->state.registers[i] = c->in->registers[generated_register_numbers[i]];
}

/* Is the interrupted instruction one of those up to the next transfer? */
static void look_for_place(struct bulk_compare *c, uint64_t last, uint8_t ring)
{
    if (c->place >= c->last_to && c->place <= last && c->place_ring == ring)
        c->in_place = true;
}

/* The reading that is known. */
static void choose_from(struct bulk_compare *c)
{
    if (c->int_from == VALUE_NEXT)
        c->next.from = c->next.from_next;
    if (c->int_from != VALUE_UNKNOWN)
        c->next.from_next = 0;
}

static bool end(struct bulk_compare *c)
{
    c->has_ended = true;
    look_for_place(c, (uint64_t)bracket_off, 0);
    return false;
}

/* To the next transfer that is stored, or may be. */
static bool advance(struct bulk_compare *c)
{
    do {
        if (c->begins_pass)
            read_state(c);
        c->after_crossing = transfer_crosses(&c->next);
        if (c->has_ended || !interpreter_next(c->in, &c->next))
            return end(c);
        c->transfers++;
        c->begins_pass = c->next.from == c->again;
        if (!c->in_place)
            look_for_place(c, c->next.from, c->next.from_ring);
        c->last_to = c->next.to;
    } while (stored_of(c, &c->next) == NO);
    if (c->next.from_next)
        choose_from(c);
    return c->is_ready = true;
}

/* One that need not be there is passed over. */
static bool find(struct bulk_compare *c, const struct bts_record *record)
{
    for (;;) {
        if (!c->is_ready && !advance(c))
            return false;
        if (is_alike(record, &c->next))
            return true;
        if (stored_of(c, &c->next) != MAYBE)
            return false;
        c->is_ready = false;
    }
}

static void expect_place(struct bulk_compare *c)
{
    if (c->in_place)
        return;
    differ(c, FINDING_PMI_PLACE, NULL);
    c->difference.got.from = c->place;
}

/* Where they are the next interrupt's soon. */
static void keep_around(struct bulk_around *around, const struct bts_record *records, size_t at,
                        size_t count)
{
    size_t first = at > BULK_AROUND ? at - BULK_AROUND : 0;

    around->before = at - first;
    around->count = count - first < 2 * BULK_AROUND ? count - first : 2 * BULK_AROUND;
    memcpy(around->records, records + first, around->count * sizeof(*records));
}

void bulk_compare_records(struct bulk_compare *c, const struct bts_record *records, size_t count)
{
    for (size_t i = 0; i < count && !c->difference.found; i++) {
        if (!find(c, &records[i])) {
            differ(c, kind_of(c, &records[i], i + 1 < count), &records[i]);
            c->difference.previous = i ? records[i - 1].from : 0;
            keep_around(&c->around, records, i, count);
            return;
        }
        if (c->next.from != c->iret)
            expect_place(c);
        c->is_ready = false;
        c->records++;
    }
}

/* --- interrupts --- */

static void expect_own(struct bulk_compare *c, const struct pmi_event *event,
                       const struct bts_record *own)
{
    c->next = (struct transfer){.from = event->rip,
                                .to = c->entry,
                                .kind = TRANSFER_INTERRUPT,
                                .from_ring = event->cs & 3u};
    c->is_ready = true;
    if (own ? stored_of(c, &c->next) == NO : stored_of(c, &c->next) == YES)
        differ(c, own ? FINDING_RECORD_EXTRA : FINDING_RECORD_MISSING, own);
    else if (own && own->from != event->rip)
        differ(c, FINDING_RECORD_FROM, own);
    c->records += own != NULL;
}

static void expect_return(struct bulk_compare *c, const struct pmi_event *event)
{
    c->next = (struct transfer){
        .from = c->iret, .to = event->rip, .kind = TRANSFER_IRET, .to_ring = event->cs & 3u};
    c->is_ready = stored_of(c, &c->next) != NO;
    c->in_place = false;
    c->place = event->rip;
    c->place_ring = event->cs & 3u;
}

void bulk_compare_interrupt(struct bulk_compare *c, const struct pmi_event *event,
                            const struct bts_record *records)
{
    size_t count = event->index;
    bool own = event->traced && count && records[count - 1].to == c->entry;

    if (c->difference.found)
        return;
    bulk_compare_records(c, records, count - own);
    if (c->difference.found || !event->traced)
        return;
    expect_own(c, event, own ? &records[count - 1] : NULL);
    if (c->difference.found)
        keep_around(&c->around, records, count - own, count);
    else
        expect_return(c, event);
}

/* --- the two ends --- */

void bulk_compare_end(struct bulk_compare *c)
{
    if (c->difference.found)
        return;
    while (c->is_ready ? stored_of(c, &c->next) == MAYBE : advance(c))
        c->is_ready = stored_of(c, &c->next) != MAYBE;
    if (c->is_ready)
        differ(c, FINDING_RECORD_MISSING, NULL);
    else
        expect_place(c);
}

void bulk_compare_begin(struct bulk_compare *c, const struct generated *program,
                        const struct generated_state *state, uint64_t debugctl)
{
    *c = (struct bulk_compare){
        .again = program->again,
        .entry = pmi_entry_by(APIC_DELIVERY_FIXED),
        .iret = pmi_iret_by(APIC_DELIVERY_FIXED),
        .in_place = true,
        .last_to = (uint64_t)bracket_call,
        .int_from = (uint8_t)from_choice(CHOICE_FROM, TRANSFER_INT),
        .state = *state,
    };
    fill_stored(c, debugctl);
    c->in = generated_interpreter(&c->next);
    c->is_ready = stored_of(c, &c->next) != NO;
    c->transfers = 1;
    c->last_to = c->next.to;
}

/* The newest transfers, by slot; returns how many there were. */
static uint64_t go_through(struct bulk_compare *c, struct transfer *newest, size_t capacity)
{
    uint64_t count = 0;

    for (; c->is_ready || advance(c); c->is_ready = false)
        newest[count++ % capacity] = c->next;
    return count;
}

void bulk_compare_circular(struct bulk_compare *c, const struct bts_record *slots, size_t capacity,
                           struct bulk_circle *circle)
{
    static struct transfer newest[BTS_RECORDS_MAX + 1];
    uint64_t count = go_through(c, newest, capacity);
    uint64_t first = count > capacity ? count - capacity : 0;

    circle->index = count % capacity;
    circle->expected.count = 0;
    for (uint64_t number = first; number < count; number++) {
        size_t i = circle->expected.count++;

        c->next = newest[number % capacity];
        circle->got[i] = slots[number % capacity];
        circle->expected.records[i] = (struct expected_record){.transfer = c->next};
        if (is_alike(&circle->got[i], &c->next))
            c->records++;
        else
            c->difference.found = true;
    }
}
