/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/walk_check.h"

#include "arch/cpu/features.h"
#include "arch/cpu/msr.h"
#include "arch/cpu/trap_frame.h"
#include "arch/trace/debugctl.h"
#include "tests/workloads/burst.h"

/* --- the workloads that a walk may run --- */

struct list {
    const struct workload *const *first, *const *end;
};

static const struct workload *const single_ones[] = {&workload_near_branches, &workload_rings,
                                                     &workload_user_branches,
                                                     &workload_kernel_fault, &workload_user_fault};

static const struct list lists[] = {
    {single_ones, single_ones + COUNT_OF(single_ones)},
    {single_branches, single_branches_end},
    {near_kinds, near_kinds_end},
    {far_transfers, far_transfers_end},
    {software_interrupts, software_interrupts_end},
    {faults, faults_end},
    {compat_transfers, compat_transfers_end},
    {inner_rings, inner_rings_end},
};

/* Not the flags that want something set up, nor the gate at which a refusal would go unheard. */
static bool can_run(const struct workload *workload)
{
    return !workload->flags && !(workload->gate_landing && workload->gate_vector == VECTOR_GP) &&
           !workload->sysenter_landing;
}

static size_t length_of(const struct list *list)
{
    return (size_t)(list->end - list->first);
}

static const struct workload *at_place(size_t place)
{
    const struct list *list = lists;

    while (place >= length_of(list))
        place -= length_of(list++);
    return list->first[place];
}

/* Often one of the large ones; else the next that can run, from this number on around the lists. */
static const struct workload *workload_number(uint32_t number)
{
    size_t total = 0;

    if (number % 4 == 0)
        return single_ones[number / 4 % COUNT_OF(single_ones)];

    for (size_t i = 0; i < COUNT_OF(lists); i++)
        total += length_of(&lists[i]);
    while (!can_run(at_place(number % total)))
        number++;
    return at_place(number % total);
}

const char *path_workload_name(uint32_t number)
{
    return workload_number(number)->name;
}

static const struct workload *landings_of(const struct walk_step *step)
{
    if (step->kind == WALK_PIECE)
        return workload_number(step->number[0]);
    return step->kind == WALK_JUMPS && step->number[1] ? &workload_sled_user : NULL;
}

bool path_has_room(const struct walk_step *steps, size_t count, const struct walk_step *next)
{
    bool has_landings = false;

    for (size_t i = 0; i < count; i++)
        has_landings |= landings_of(&steps[i]) != NULL;
    return count + 1 < WALK_OPERATIONS_MAX && count < 4 && !(has_landings && landings_of(next));
}

/* --- as operations and items --- */

static void add_transfer(struct path *path, const struct transfer *transfer)
{
    if (path->count < PATH_ITEMS_MAX)
        path->items[path->count++] = (struct path_item){.transfer = *transfer};
}

static void add_jump(struct path *path, const void *from, const void *to, uint32_t kind)
{
    const struct transfer transfer = {.from = (uint64_t)from, .to = (uint64_t)to, .kind = kind};

    add_transfer(path, &transfer);
}

static void add_rows(struct path *path, const struct transfer *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct transfer transfer = rows[i];

        if (transfer.to == (uint64_t)bracket_return)
            transfer.to = (uint64_t)burst_call_back;
        add_transfer(path, &transfer);
    }
}

static void add_write(struct path *path, uint32_t number, uint64_t value)
{
    *path->next++ = (struct burst_operation){.kind = BURST_WRITE, .first = number, .second = value};
    add_jump(path, burst_dispatch, burst_write, TRANSFER_JMP_INDIRECT);
    if (path->count < PATH_ITEMS_MAX)
        path->items[path->count++] =
            (struct path_item){.is_write = true, .number = number, .value = value};
    add_jump(path, burst_write_back, burst_next, TRANSFER_JMP);
}

static void begin_call(struct path *path, uint64_t entry, uint64_t argument)
{
    *path->next++ =
        (struct burst_operation){.kind = BURST_CALL, .first = entry, .second = argument};
    add_jump(path, burst_dispatch, burst_call, TRANSFER_JMP_INDIRECT);
    add_jump(path, burst_call_out, (const void *)entry, TRANSFER_CALL_INDIRECT);
}

static size_t rows_of(const struct workload *workload)
{
    return (size_t)(workload->truth_end - workload->truth);
}

/* Where the last so many jumps of a sled begin. */
static uint64_t sled_start(const struct transfer *last, size_t jumps)
{
    const struct transfer *first = last - jumps;

    return jumps ? first->from : first[-1].to;
}

static void add_jumps(struct path *path, size_t jumps)
{
    const struct transfer *end = sled_truth + SLED_LENGTH;

    begin_call(path, sled_start(end, jumps), 0);
    add_rows(path, end - jumps, jumps);
    add_rows(path, workload_sled.truth, rows_of(&workload_sled));
}

static void add_user_jumps(struct path *path, size_t jumps)
{
    const struct transfer *end = sled_user_truth + SLED_LENGTH;
    struct transfer out = *workload_sled_user.truth;

    out.to = sled_start(end, jumps);
    begin_call(path, (uint64_t)workload_sled_user.entry, out.to);
    add_rows(path, &out, 1);
    add_rows(path, end - jumps, jumps);
    add_rows(path, workload_sled_user.truth + 1, rows_of(&workload_sled_user) - 1);
}

static void add_workload(struct path *path, const struct workload *workload)
{
    begin_call(path, (uint64_t)workload->entry, 0);
    add_rows(path, workload->truth, rows_of(workload));
}

/* In company, what needs nothing that the processors share. */
static const struct workload *workload_of(const struct path *path, const struct walk_step *step)
{
    const struct workload *workload = landings_of(step);

    if (path->has_company && step->kind == WALK_PIECE)
        return &workload_near_branches;
    return workload;
}

static void add_code(struct path *path, const struct walk_step *step)
{
    const struct workload *workload = workload_of(path, step);

    if (workload)
        path->landings = workload;
    if (step->kind == WALK_PIECE && workload)
        add_workload(path, workload);
    else if (step->number[1])
        add_user_jumps(path, step->number[0] % (WALK_PIECE_JUMPS + 1));
    else
        add_jumps(path, step->number[0] % (WALK_PIECE_JUMPS + 1));
    add_jump(path, burst_call_back, burst_next, TRANSFER_JMP);
}

void path_begin(struct path *path, struct burst_operation *operations)
{
    path->next = operations;
    path->count = 0;
    path->landings = NULL;
}

static uint64_t status_bits(uint64_t value)
{
    return value & pmu_status_mask();
}

static void add_status(struct path *path, uint32_t number, const struct walk_step *step,
                       bool exists)
{
    if (exists)
        add_write(path, number, status_bits(step->value));
}

void path_add(struct path *path, const struct walk_step *step)
{
    switch (step->kind) {
    case WALK_DEBUGCTL:
        add_write(path, IA32_DEBUGCTL, step->value & debugctl_enumerated());
        break;
    case WALK_CONTROL:
        if (path->reference->has_global)
            add_write(path, IA32_PERF_GLOBAL_CTRL, step->value & pmu_all_counters());
        break;
    case WALK_ACKNOWLEDGE:
        add_status(path, IA32_PERF_GLOBAL_OVF_CTRL, step, path->reference->has_global);
        break;
    case WALK_STATUS_SET:
        add_status(path, IA32_PERF_GLOBAL_STATUS_SET, step, path->reference->streamlined);
        break;
    default:
        add_code(path, step);
        break;
    }
}

void path_end(struct path *path)
{
    bool has_global = path->reference->has_global;

    *path->next = (struct burst_operation){.kind = has_global ? BURST_END : BURST_END_PLAIN};
    add_jump(path, burst_dispatch, has_global ? burst_end : burst_end_plain, TRANSFER_JMP_INDIRECT);
}

/* --- told to the reference --- */

/* The straight piece before item number i: from here to there, in that ring. */
static uint64_t piece_start(const struct path *path, size_t i)
{
    if (!i)
        return (uint64_t)burst_on;
    return path->items[i - 1].is_write ? (uint64_t)burst_write_back
                                       : path->items[i - 1].transfer.to;
}

static uint64_t piece_end(const struct path *path, size_t i)
{
    if (i == path->count)
        return (uint64_t)burst_off;
    return path->items[i].is_write ? (uint64_t)burst_write_back - 1 : path->items[i].transfer.from;
}

static unsigned piece_ring(const struct path *path, size_t i)
{
    return i && !path->items[i - 1].is_write ? path->items[i - 1].transfer.to_ring : 0;
}

static bool is_in_piece(const struct path *path, size_t i, const struct pmi_event *event)
{
    return event->rip >= piece_start(path, i) && event->rip <= piece_end(path, i) &&
           (event->cs & 3u) == piece_ring(path, i);
}

static bool comes_again(const struct path *path, size_t i, const struct pmi_event *event)
{
    for (size_t later = i + 1; later <= path->count; later++)
        if (is_in_piece(path, later, event))
            return true;
    return false;
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

/* The same place may be passed several times: the index tells which time it was, of which the
 * interrupt's own record may have moved it on, and so do the settings. */
static bool is_this_time(const struct path *path, const struct interrupts *interrupts)
{
    const struct reference_area *area = &path->reference->areas[path->reference->area];
    uint64_t index = interrupts->seen->index_at[interrupts->next];
    uint64_t debugctl = interrupts->seen->events[interrupts->next].debugctl;

    if ((debugctl ^ path->reference->debugctl) & ~(uint64_t)DEBUGCTL_LBR)
        return false;
    return path->reference->bts_unknown || index == area->index ||
           index == area->index + BTS_RECORD_SIZE || index == area->base;
}

static void tell_interrupt(struct path *path, struct test_context *t, const struct pmi_event *event)
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
    reference_interrupt(path->reference, event->rip, event->cs & 3u);
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

    while ((event = next_interrupt(interrupts)) && is_in_piece(path, i, event)) {
        bool early;

        tell_up_to(path, i, event->rip);
        early = path->reference->pending == NO || !is_this_time(path, interrupts);
        if (comes_again(path, i, event)) /* it may have been the next time */
            path->reference->lbr_unknown = path->reference->bts_unknown = true;
        if (early && comes_again(path, i, event))
            return;
        tell_interrupt(path, interrupts->t, event);
        interrupts->next++;
    }
}

/* Before anything was on. */
static void tell_interrupts_ahead(struct path *path, struct interrupts *interrupts)
{
    const struct pmi_event *event;

    while ((event = next_interrupt(interrupts)) && event->rip >= (uint64_t)burst_run &&
           event->rip < (uint64_t)burst_on) {
        reference_take_unseen(path->reference);
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
    stretch.high = 1 + length;
    stretch.branches = near;
    stretch.branches_high = 1 + length / 2 + (near ? 0 : 2);
    return stretch;
}

static void tell_write(struct reference *reference, const struct path_item *item)
{
    static const struct reference_stretch around = {.low = 3, .high = 8};

    reference_execute(reference, &around);
    switch (item->number) {
    case IA32_DEBUGCTL:
        reference_write_debugctl(reference, item->value);
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

/* Around the items: IA32_PERF_GLOBAL_CTRL is on a little before IA32_DEBUGCTL, and the end reads.
 */
static void tell_all(struct path *path, struct interrupts *interrupts)
{
    static const struct reference_stretch ahead = {.low = 3, .high = 8};
    static const struct reference_stretch settle = {.low = SETTLE_STEP, .high = SETTLE_STEP};
    static const struct reference_stretch behind = {.low = 12, .high = 24};

    reference_begin_step(path->reference);
    tell_interrupts_ahead(path, interrupts);
    reference_execute(path->reference, &ahead);
    reference_write_debugctl(path->reference, path->reference->debugctl);
    for (size_t i = 0; i < path->count; i++) {
        tell_interrupts_before(path, i, interrupts);
        tell_item(path, i);
    }
    tell_interrupts_before(path, path->count, interrupts);
    for (unsigned i = 0; i < BURST_SETTLE / SETTLE_STEP && path->reference->has_global; i++)
        reference_execute(path->reference, &settle);
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
