/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/expected.h"

#include "arch/trace/debugctl.h"
#include "tests/spec/choices/transfer_choices.h"
#include "tests/spec/write_effect.h"

static struct expected expected;

struct builder {
    const struct program *program;
    const struct pmi_log *interrupts;
    uint64_t debugctl; /* by now */
    struct program_write write;
    size_t next_event;
    bool after_crossing; /* the transfer before changed ring, stored or not */
    bool full;
};

unsigned expected_under(uint64_t debugctl, const struct transfer *transfer, bool after_crossing)
{
    bool off_os = debugctl & DEBUGCTL_BTS_OFF_OS, off_usr = debugctl & DEBUGCTL_BTS_OFF_USR;
    unsigned under = off_os != off_usr ? UNDER(FILTERED) : 0;

    if (transfer_crosses(transfer) || after_crossing)
        under |= UNDER(CROSSING);
    if (transfer->kind == TRANSFER_ABORT)
        under |= UNDER(ABORT);
    return under;
}

static void append(struct builder *b, const struct transfer *transfer)
{
    enum maybe stored = is_stored(b->debugctl, transfer);
    unsigned under = expected_under(b->debugctl, transfer, b->after_crossing);

    b->after_crossing = transfer_crosses(transfer);
    if (stored == NO)
        return;
    if (expected.count == EXPECTED_MAX) {
        b->full = true;
        return;
    }
    expected.records[expected.count++] = (struct expected_record){
        .transfer = *transfer,
        .debugctl = b->debugctl,
        .open = stored == MAYBE,
        .under = under,
    };
}

static void append_event(struct builder *b, size_t delivered, size_t served)
{
    b->next_event++;
    if (expected.event_count < EXPECTED_EVENTS_MAX)
        expected.events[expected.event_count++] = (struct expected_event){delivered, served};
}

/* Those that come while tracing is off come before it, or behind it: then none is left. */
static const struct pmi_event *next_traced_event(struct builder *b)
{
    const struct pmi_log *log = b->interrupts;
    size_t next = b->next_event;

    while (log && next < log->event_count && next < log->event_capacity) {
        if (!log->events[next].traced) {
            next++;
            continue;
        }
        while (b->next_event < next)
            append_event(b, expected.count, expected.count);
        return &log->events[next];
    }
    return NULL;
}

static void append_events_behind(struct builder *b)
{
    const struct pmi_log *log = b->interrupts;

    while (log && b->next_event < log->event_count && b->next_event < log->event_capacity)
        append_event(b, expected.count, expected.count);
}

/* Does the straight piece of code that runs before transfer number i hold the address? */
static bool runs_before(const struct builder *b, size_t i, const struct pmi_event *event)
{
    const struct transfer *truth = b->program->truth;
    uint64_t first = i ? truth[i - 1].to : (uint64_t)bracket_call;
    uint64_t last = i < b->program->count ? truth[i].from : (uint64_t)bracket_off;
    unsigned ring = i ? truth[i - 1].to_ring : 0;

    return event->rip >= first && event->rip <= last && (event->cs & 3u) == ring;
}

static bool comes_again(const struct builder *b, size_t i, const struct pmi_event *event)
{
    for (size_t later = i + 1; later <= b->program->count; later++)
        if (runs_before(b, later, event))
            return true;
    return false;
}

static struct transfer entry_of(const struct builder *b, const struct pmi_event *event)
{
    return (struct transfer){
        .from = event->rip,
        .to = pmi_entry_by(b->interrupts->delivery),
        .kind = TRANSFER_INTERRUPT,
        .from_ring = event->cs & 3u,
    };
}

/* Is the interrupt's own record stored? Where that is open, the routine has seen it. */
static bool stores_itself(const struct builder *b, const struct pmi_event *event)
{
    const struct transfer in = entry_of(b, event);
    enum maybe stored = is_stored(b->debugctl, &in);

    return stored == MAYBE ? event->stored_itself : stored == YES;
}

/*
 * A loop passes the same address several times. What was stored when the routine looked (with the
 * interrupt's own record where there was room for it) tells which time it was.
 */
static bool is_this_time(const struct builder *b, const struct pmi_event *event)
{
    size_t stored = event->records_ahead + event->index;

    return expected.count == stored || (expected.count + 1 == stored && stores_itself(b, event));
}

static void append_interrupt(struct builder *b, const struct pmi_event *event)
{
    size_t delivered = expected.count;
    const struct transfer in = entry_of(b, event);
    const struct transfer out = {
        .from = pmi_iret_by(b->interrupts->delivery),
        .to = event->rip,
        .kind = TRANSFER_IRET,
        .to_ring = in.from_ring,
    };

    append(b, &in);
    append_event(b, delivered, expected.count);
    append(b, &out);
}

static void append_interrupts_before(struct builder *b, size_t i)
{
    const struct pmi_event *event;

    while ((event = next_traced_event(b)) && runs_before(b, i, event)) {
        if (!is_this_time(b, event) && comes_again(b, i, event))
            return;
        append_interrupt(b, event);
    }
}

/* Behind so many transfers. */
static void write_at(struct builder *b, size_t i)
{
    struct facility registers = {.debugctl = b->debugctl};

    if (b->write.before != i)
        return;
    write_effect(&registers, &b->write.what);
    b->debugctl = registers.debugctl;
}

const struct expected *expected_of(struct test_context *t, const struct program *program,
                                   uint64_t debugctl, const struct pmi_log *interrupts)
{
    struct builder b = {.program = program,
                        .interrupts = interrupts,
                        .debugctl = debugctl,
                        .write = program_write(program)};
    const struct pmi_event *lost;

    expected.program = program;
    expected.count = expected.event_count = 0;
    for (size_t i = 0; i < program->count; i++) {
        write_at(&b, i);
        append_interrupts_before(&b, i);
        append(&b, &program->truth[i]);
    }
    append_interrupts_before(&b, program->count);
    expected.debugctl = b.debugctl;
    lost = next_traced_event(&b);
    append_events_behind(&b);
    if (lost)
        FIND(t, PMI_PLACE, "interrupt %zu came at %pS in ring %u, where the program was not then",
             b.next_event, (void *)lost->rip, lost->cs & 3u);
    if (b.full)
        test_fail(t, "more records expected than the test can hold");
    return lost || b.full ? NULL : &expected;
}
