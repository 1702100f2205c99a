/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A burst, told to the reference: piece by piece of its code, each interrupt at its place. */
#include "tests/walk/walk_check.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"

/* The straight piece before item number i: from here to there, in that ring. */
static uint64_t piece_start(const struct path *path, size_t i)
{
    if (!i)
        return (uint64_t)path->code->on;
    return path->items[i - 1].is_write ? (uint64_t)path->code->write_back
                                       : path->items[i - 1].transfer.to;
}

static uint64_t piece_end(const struct path *path, size_t i)
{
    if (i == path->count)
        return (uint64_t)path->code->off;
    return path->items[i].is_write ? (uint64_t)path->code->write_back - 1
                                   : path->items[i].transfer.from;
}

static unsigned piece_ring(const struct path *path, size_t i)
{
    return i && !path->items[i - 1].is_write ? path->items[i - 1].transfer.to_ring : 0;
}

struct interrupts {
    struct test_context *t;
    const struct walk_seen *seen;
    size_t next;
};

static const struct pmi_event *next_interrupt(const struct interrupts *interrupts)
{
    bool more = interrupts->seen && interrupts->next < interrupts->seen->interrupts &&
                interrupts->next < WALK_EVENTS;

    return more ? &interrupts->seen->events[interrupts->next] : NULL;
}

/* How many operations have begun at this place of the piece: the next one does right before the
 * jump to it. */
static size_t operations_begun(const struct path *path, size_t i, uint64_t rip)
{
    bool begins = i < path->count && !path->items[i].is_write &&
                  path->items[i].transfer.from == (uint64_t)path->code->dispatch;

    if (i == path->count)
        return (size_t)(path->next - path->first);
    return path->items[i].operation + !(begins && rip < (uint64_t)path->code->dispatch);
}

static bool is_in_piece(const struct path *path, size_t i, const struct interrupts *interrupts)
{
    const struct pmi_event *event = &interrupts->seen->events[interrupts->next];

    return event->rip >= piece_start(path, i) && event->rip <= piece_end(path, i) &&
           (event->cs & 3u) == piece_ring(path, i) &&
           operations_begun(path, i, event->rip) ==
               interrupts->seen->operation_at[interrupts->next];
}

static bool comes_again(const struct path *path, size_t i, const struct interrupts *interrupts)
{
    for (size_t later = i + 1; later <= path->count; later++)
        if (is_in_piece(path, later, interrupts))
            return true;
    return false;
}

/* The same place may be passed several times in an operation: the index tells which time it was, of
 * which the interrupt's own record may have moved it on. */
static bool is_this_time(const struct path *path, const struct interrupts *interrupts)
{
    const struct store *area = &path->reference->areas[path->reference->area];
    uint64_t index = interrupts->seen->index_at[interrupts->next];

    return path->reference->bts_unknown || index == area->index ||
           index == area->index + BTS_RECORD_SIZE || index == area->base;
}

static void tell_interrupt(struct path *path, struct test_context *t, const struct pmi_event *event,
                           bool maybe_later)
{
    if (t && path->reference->pending == NO) {
        test_find_as(
            t,
            &(struct finding){.kind = FINDING_PMI_EXTRA,
                              .got = 1,
                              .under = walk_circumstances(path->reference, event->global_status)},
            "an interrupt at %pS in ring %u that nothing asked for", (void *)event->rip,
            event->cs & 3u);
        test_breaks(t, "BTS-4");
    }
    if (t && !EXPECT(t, PMI_LVT, event->lvt_masked || path->reference->unmasked_while_pending,
                     "an interrupt left the LVT entry unmasked"))
        test_breaks(t, "BTS-5");
    reference_interrupt(path->reference, event->rip, event->cs & 3u, maybe_later);
}

/* Where the end has cleared IA32_DEBUGCTL, of which nothing but IA32_LBR_CTL is still on. */
static bool is_cleared(const struct burst_code *code, uint64_t rip)
{
    return rip == (uint64_t)code->off ||
           (rip >= (uint64_t)code->cleared && rip < (uint64_t)code->end_plain);
}

/* What the end then finds, it has read before. */
static void tell_interrupt_at(struct path *path, struct test_context *t,
                              const struct pmi_event *event, bool maybe_later)
{
    uint64_t found = path->reference->debugctl;
    bool off = event->rip == (uint64_t)path->code->off;

    if (is_cleared(path->code, event->rip))
        path->reference->debugctl = off ? 0 : found & ~debugctl_itself(found);
    tell_interrupt(path, t, event, maybe_later);
    path->reference->debugctl = found;
}

/* What asked for the interrupt may stand in the piece itself. */
static void tell_up_to(struct path *path, size_t i, uint64_t rip)
{
    uint64_t length = rip - piece_start(path, i) + 1;
    const struct reference_stretch stretch = {
        .ring = piece_ring(path, i), .high = length, .branches_high = 1 + length / 2};

    reference_execute(path->reference, &stretch);
}

static void tell_interrupts_before(struct path *path, size_t i, struct interrupts *interrupts)
{
    const struct pmi_event *event;

    while ((event = next_interrupt(interrupts)) && is_in_piece(path, i, interrupts)) {
        bool again = comes_again(path, i, interrupts), early;

        tell_up_to(path, i, event->rip);
        early = path->reference->pending == NO || !is_this_time(path, interrupts);
        if (early && again) {
            path->reference->lbr_unknown = path->reference->bts_unknown = true;
            return;
        }
        tell_interrupt_at(path, interrupts->t, event, again);
        interrupts->next++;
    }
}

/* Before anything was on; but for IA32_LBR_CTL, by which the routine's branches are recorded. */
static void tell_interrupts_ahead(struct path *path, struct interrupts *interrupts)
{
    const struct pmi_event *event;

    while ((event = next_interrupt(interrupts)) && event->rip >= (uint64_t)path->code->run &&
           event->rip < (uint64_t)path->code->on) {
        reference_take_unseen(path->reference);
        path->reference->lbr_unknown |= event->rip >= (uint64_t)path->code->lbr_on;
        interrupts->next++;
    }
}

/* Of a piece that ends in this transfer; a fault retires nothing. */
static struct reference_stretch stretch_of(const struct path *path, size_t i)
{
    const struct transfer *transfer = &path->items[i].transfer;
    uint64_t start = piece_start(path, i), length;
    bool near = transfer_is(transfer->kind, TRANSFER_IS_NEAR);
    struct reference_stretch stretch = {.ring = piece_ring(path, i)};

    length = transfer->from >= start && transfer->from - start < 4096 ? transfer->from - start : 64;
    stretch.low = near;
    stretch.high = 1 + length + (near ? 0 : 2); /* it may count twice, and a delivery (F21.32) */
    stretch.branches = near;
    stretch.branches_high = 1 + length / 2 + (near ? 0 : 2);
    return stretch;
}

/* What a write of IA32_DEBUGCTL leaves as it is. */
static uint64_t lbr_elsewhere(const struct reference *reference)
{
    return reference->debugctl & ~debugctl_itself(DEBUGCTL_LBR) & DEBUGCTL_LBR;
}

static void tell_write(struct reference *reference, const struct path_item *item)
{
    static const struct reference_stretch around = {.low = 3, .high = 8};

    reference_execute(reference, &around);
    switch (item->number) {
    case IA32_DEBUGCTL:
        reference_write_debugctl(reference, item->value | lbr_elsewhere(reference));
        break;
    case IA32_LBR_CTL:
        reference_write_debugctl(reference, debugctl_with_lbr(reference->debugctl, item->value));
        break;
    case IA32_PERF_GLOBAL_CTRL:
        reference_write_control(reference, item->value);
        break;
    case IA32_PERF_GLOBAL_OVF_CTRL:
        reference_clear_status(reference, item->value);
        break;
    default:
        reference_set_status(reference, item->value);
        break;
    }
}

static void tell_item(struct path *path, size_t i)
{
    struct reference_stretch stretch;

    if (path->items[i].is_write) {
        tell_write(path->reference, &path->items[i]);
        return;
    }
    stretch = stretch_of(path, i);
    reference_execute(path->reference, &stretch);
    reference_transfer(path->reference, &path->items[i].transfer);
}

#define SETTLE_STEP 8 /* an overflow is known that closely */

static void tell_settling(struct path *path, uint64_t instructions)
{
    static const struct reference_stretch settle = {
        .low = SETTLE_STEP, .high = SETTLE_STEP, .slow = SETTLE_STEP};

    for (uint64_t i = 0; i < instructions / SETTLE_STEP && path->reference->has_global; i++)
        reference_execute(path->reference, &settle);
}

/* Instructions that take their time at the end, before the interrupt if one came there: what
 * freezes behind the last of them may not show in what is read next. */
static uint64_t settled_before(const struct path *path, const struct interrupts *interrupts)
{
    const struct pmi_event *event = next_interrupt(interrupts);
    uint64_t settled;

    if (!event || !is_in_piece(path, path->count, interrupts) ||
        event->rip < (uint64_t)path->code->settle)
        return 0;
    settled = (event->rip - (uint64_t)path->code->settle) / BURST_SETTLE_BYTES;
    return (settled < BURST_SETTLE ? settled : BURST_SETTLE) / SETTLE_STEP * SETTLE_STEP;
}

/* Around the items: IA32_PERF_GLOBAL_CTRL is on a little before IA32_DEBUGCTL, and the end reads.
 */
static void tell_all(struct path *path, struct interrupts *interrupts)
{
    static const struct reference_stretch ahead = {.low = 3, .high = 8};
    static const struct reference_stretch behind = {.low = 12, .high = 24};

    uint64_t debugctl = path->reference->debugctl, settled;

    reference_begin_step(path->reference);
    reference_write_debugctl(path->reference, 0);
    tell_interrupts_ahead(path, interrupts);
    reference_execute(path->reference, &ahead);
    reference_write_debugctl(path->reference, debugctl);
    for (size_t i = 0; i < path->count; i++) {
        tell_interrupts_before(path, i, interrupts);
        tell_item(path, i);
    }
    settled = settled_before(path, interrupts);
    tell_settling(path, settled);
    tell_interrupts_before(path, path->count, interrupts);
    tell_settling(path, BURST_SETTLE - settled);
    reference_execute(path->reference, &behind);
}

bool path_wants_interrupt(struct path *path)
{
    static struct reference before;
    const size_t state = offsetof(struct reference, events);
    struct interrupts none = {0};
    bool wants;

    __builtin_memcpy(&before, path->reference, state);
    tell_all(path, &none);
    wants = path->reference->pending == YES;
    __builtin_memcpy(path->reference, &before, state);
    return wants;
}

void path_tell(struct test_context *t, struct path *path, const struct walk_seen *seen)
{
    struct interrupts interrupts = {.t = t, .seen = seen};
    const struct pmi_event *lost;

    tell_all(path, &interrupts);
    lost = next_interrupt(&interrupts);
    if (lost)
        FIND(t, PMI_PLACE, "interrupt %zu came at %pS in ring %u, where the program was not then",
             interrupts.next, (void *)lost->rip, lost->cs & 3u);
    if (path->reference->too_long || path->count == PATH_ITEMS_MAX)
        test_fail(t, "test bug: a burst makes more transfers than the reference can hold");
}
