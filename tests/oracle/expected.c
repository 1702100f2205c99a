/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/expected.h"

#include "arch/trace/debugctl.h"
#include "tests/oracle/mode.h"
#include "tests/oracle/transfer_choices.h"

static struct expected expected;

struct builder {
    const struct program *program;
    const struct pmi_log *interrupts;
    uint64_t debugctl;
    size_t next_event;
    bool after_crossing; /* the transfer before changed ring, stored or not */
    bool full;
};

static bool crosses(const struct transfer *transfer)
{
    return (transfer->from_ring == 0) != (transfer->to_ring == 0);
}

unsigned expected_under(uint64_t debugctl, const struct transfer *transfer, bool after_crossing)
{
    bool off_os = debugctl & DEBUGCTL_BTS_OFF_OS, off_usr = debugctl & DEBUGCTL_BTS_OFF_USR;
    unsigned under = off_os != off_usr ? UNDER(FILTERED) : 0;

    if (crosses(transfer) || after_crossing)
        under |= UNDER(CROSSING);
    if (transfer->kind == TRANSFER_ABORT)
        under |= UNDER(ABORT);
    return under;
}

static unsigned circumstances(struct builder *b, const struct transfer *transfer)
{
    unsigned under = expected_under(b->debugctl, transfer, b->after_crossing);

    b->after_crossing = crosses(transfer);
    return under;
}

static void append(struct builder *b, const struct transfer *transfer)
{
    enum verdict_of_mode verdict = mode_judge(b->debugctl, transfer);
    enum choice_value stored = VALUE_UNKNOWN;
    unsigned under = circumstances(b, transfer);

    if (verdict == MODE_OPEN)
        stored = stored_choice(b->debugctl, transfer->kind);
    if (verdict == MODE_SKIPS || stored == VALUE_NO)
        return;
    if (expected.count == EXPECTED_MAX) {
        b->full = true;
        return;
    }
    expected.records[expected.count++] = (struct expected_record){
        .transfer = *transfer,
        .open = verdict == MODE_OPEN && stored == VALUE_UNKNOWN,
        .under = under,
    };
}

static const struct pmi_event *next_traced_event(struct builder *b)
{
    const struct pmi_log *log = b->interrupts;

    while (log && b->next_event < log->event_count && b->next_event < log->event_capacity) {
        const struct pmi_event *event = &log->events[b->next_event];

        if (event->traced)
            return event;
        b->next_event++;
    }
    return NULL;
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
    enum verdict_of_mode verdict = mode_judge(b->debugctl, &in);
    enum choice_value stored = verdict == MODE_STORES ? VALUE_YES : VALUE_NO;

    if (verdict == MODE_OPEN)
        stored = stored_choice(b->debugctl, in.kind);
    return stored == VALUE_UNKNOWN ? event->stored_itself : stored == VALUE_YES;
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
    const struct transfer in = entry_of(b, event);
    const struct transfer out = {
        .from = pmi_iret_by(b->interrupts->delivery),
        .to = event->rip,
        .kind = TRANSFER_IRET,
        .to_ring = in.from_ring,
    };

    append(b, &in);
    append(b, &out);
    b->next_event++;
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

const struct expected *expected_of(struct test_context *t, const struct program *program,
                                   uint64_t debugctl, const struct pmi_log *interrupts)
{
    struct builder b = {.program = program, .interrupts = interrupts, .debugctl = debugctl};
    const struct pmi_event *lost;

    expected.count = 0;
    for (size_t i = 0; i < program->count; i++) {
        append_interrupts_before(&b, i);
        append(&b, &program->truth[i]);
    }
    append_interrupts_before(&b, program->count);
    lost = next_traced_event(&b);
    if (lost)
        FIND(t, PMI_PLACE, "interrupt %zu came at %pS in ring %u, where the program was not then",
             b.next_event, (void *)lost->rip, lost->cs & 3u);
    if (b.full)
        test_fail(t, "more records expected than the test can hold");
    return lost || b.full ? NULL : &expected;
}
