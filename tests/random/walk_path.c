/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/walk_path.h"

#include "arch/cpu/features.h"
#include "arch/cpu/msr.h"
#include "arch/cpu/trap_frame.h"
#include "arch/trace/debugctl.h"
#include "tests/workloads/burst.h"

#define ITEMS_MAX REFERENCE_TRANSFERS_MAX

/* A straight piece of code, and what ends it: a write, or a transfer. */
struct item {
    bool is_write;
    uint32_t number; /* the register's */
    uint64_t value;
    struct transfer transfer;
};

static struct item items[ITEMS_MAX];
static size_t item_count;
static struct burst_operation *operations;
static struct reference *reference;
static const struct workload *landings;

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

/* The next one that can run, from this number on around the lists. */
static const struct workload *workload_number(uint32_t number)
{
    size_t total = 0;

    for (size_t i = 0; i < COUNT_OF(lists); i++)
        total += length_of(&lists[i]);
    while (!can_run(at_place(number % total)))
        number++;
    return at_place(number % total);
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

static void add_transfer(const struct transfer *transfer)
{
    if (item_count < ITEMS_MAX)
        items[item_count++] = (struct item){.transfer = *transfer};
}

static void add_jump(const void *from, const void *to, uint32_t kind)
{
    const struct transfer transfer = {.from = (uint64_t)from, .to = (uint64_t)to, .kind = kind};

    add_transfer(&transfer);
}

static void add_rows(const struct transfer *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct transfer transfer = rows[i];

        if (transfer.to == (uint64_t)bracket_return)
            transfer.to = (uint64_t)burst_call_back;
        add_transfer(&transfer);
    }
}

static void add_write(uint32_t number, uint64_t value)
{
    *operations++ =
        (struct burst_operation){.kind = BURST_WRITE, .first = number, .second = value};
    add_jump(burst_dispatch, burst_write, TRANSFER_JMP_INDIRECT);
    if (item_count < ITEMS_MAX)
        items[item_count++] = (struct item){.is_write = true, .number = number, .value = value};
    add_jump(burst_write_back, burst_next, TRANSFER_JMP);
}

static void begin_call(uint64_t entry, uint64_t argument)
{
    *operations++ =
        (struct burst_operation){.kind = BURST_CALL, .first = entry, .second = argument};
    add_jump(burst_dispatch, burst_call, TRANSFER_JMP_INDIRECT);
    add_jump(burst_call_out, (const void *)entry, TRANSFER_CALL_INDIRECT);
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

static void add_jumps(size_t jumps)
{
    const struct transfer *end = sled_truth + SLED_LENGTH;

    begin_call(sled_start(end, jumps), 0);
    add_rows(end - jumps, jumps);
    add_rows(workload_sled.truth, rows_of(&workload_sled));
}

static void add_user_jumps(size_t jumps)
{
    const struct transfer *end = sled_user_truth + SLED_LENGTH;
    struct transfer out = *workload_sled_user.truth;

    out.to = sled_start(end, jumps);
    begin_call((uint64_t)workload_sled_user.entry, out.to);
    add_rows(&out, 1);
    add_rows(end - jumps, jumps);
    add_rows(workload_sled_user.truth + 1, rows_of(&workload_sled_user) - 1);
}

static void add_workload(const struct workload *workload)
{
    begin_call((uint64_t)workload->entry, 0);
    add_rows(workload->truth, rows_of(workload));
}

static void add_code(const struct walk_step *step)
{
    if (landings_of(step))
        landings = landings_of(step);
    if (step->kind == WALK_PIECE)
        add_workload(landings);
    else if (step->number[1])
        add_user_jumps(step->number[0]);
    else
        add_jumps(step->number[0]);
    add_jump(burst_call_back, burst_next, TRANSFER_JMP);
}

void path_begin(struct reference *r, struct burst_operation *first)
{
    reference = r;
    operations = first;
    item_count = 0;
    landings = NULL;
}

static uint64_t status_bits(uint64_t value)
{
    return value & pmu_status_mask();
}

static void add_status(uint32_t number, const struct walk_step *step, bool exists)
{
    if (exists)
        add_write(number, status_bits(step->value));
}

void path_add(const struct walk_step *step)
{
    switch (step->kind) {
    case WALK_DEBUGCTL:
        add_write(IA32_DEBUGCTL, step->value & debugctl_enumerated());
        break;
    case WALK_CONTROL:
        if (reference->has_global)
            add_write(IA32_PERF_GLOBAL_CTRL, step->value & pmu_all_counters());
        break;
    case WALK_ACKNOWLEDGE:
        add_status(IA32_PERF_GLOBAL_OVF_CTRL, step, reference->has_global);
        break;
    case WALK_STATUS_SET:
        add_status(IA32_PERF_GLOBAL_STATUS_SET, step, reference->streamlined);
        break;
    default:
        add_code(step);
        break;
    }
}

const struct workload *path_end(void)
{
    *operations = (struct burst_operation){.kind = reference->has_global ? BURST_END
                                                                         : BURST_END_PLAIN};
    add_jump(burst_dispatch, reference->has_global ? burst_end : burst_end_plain,
             TRANSFER_JMP_INDIRECT);
    return landings;
}

/* --- told to the reference --- */

/* The straight piece before item number i: from here to there, in that ring. */
static uint64_t piece_start(size_t i)
{
    if (!i)
        return (uint64_t)burst_on;
    return items[i - 1].is_write ? (uint64_t)burst_write_back : items[i - 1].transfer.to;
}

static uint64_t piece_end(size_t i)
{
    if (i == item_count)
        return (uint64_t)burst_off;
    return items[i].is_write ? (uint64_t)burst_write_back - 1 : items[i].transfer.from;
}

static unsigned piece_ring(size_t i)
{
    return i && !items[i - 1].is_write ? items[i - 1].transfer.to_ring : 0;
}

static bool is_in_piece(size_t i, const struct pmi_event *event)
{
    return event->rip >= piece_start(i) && event->rip <= piece_end(i) &&
           (event->cs & 3u) == piece_ring(i);
}

static bool comes_again(size_t i, const struct pmi_event *event)
{
    for (size_t later = i + 1; later <= item_count; later++)
        if (is_in_piece(later, event))
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

/* In a loop the index tells which time it was; the interrupt's own record may be stored. */
static bool is_this_time(const struct interrupts *interrupts)
{
    const struct reference_area *area = &reference->areas[reference->area];
    uint64_t index = interrupts->seen->index_at[interrupts->next];

    return reference->bts_unknown || index == area->index ||
           index == area->index + BTS_RECORD_SIZE || index == area->base;
}

static void tell_interrupt(struct test_context *t, const struct pmi_event *event)
{
    if (t && reference->pending == NO) {
        FIND(t, PMI_EXTRA, "an interrupt at %pS in ring %u that nothing asked for",
             (void *)event->rip, event->cs & 3u);
        test_breaks(t, "BTS-4");
    }
    if (t && !EXPECT(t, PMI_LVT, event->lvt_masked || reference->unmasked_while_pending, "an interrupt left the LVT entry unmasked"))
        test_breaks(t, "BTS-5");
    reference_interrupt(reference, event->rip, event->cs & 3u);
}

static void tell_interrupts_before(size_t i, struct interrupts *interrupts)
{
    const struct pmi_event *event;

    while ((event = next_interrupt(interrupts)) && is_in_piece(i, event)) {
        bool early = reference->pending == NO || !is_this_time(interrupts);

        if (early && comes_again(i, event))
            return;
        tell_interrupt(interrupts->t, event);
        interrupts->next++;
    }
}

/* Before anything was on. */
static void tell_interrupts_ahead(struct interrupts *interrupts)
{
    const struct pmi_event *event;

    while ((event = next_interrupt(interrupts)) && event->rip >= (uint64_t)burst_run &&
           event->rip < (uint64_t)burst_on) {
        reference_take_unseen(reference);
        interrupts->next++;
    }
}

/* Of a piece that ends in this transfer; a fault retires nothing. */
static struct reference_stretch stretch_of(size_t i)
{
    const struct transfer *transfer = &items[i].transfer;
    uint64_t start = piece_start(i), length;
    bool near = transfer_is(transfer->kind, TRANSFER_IS_NEAR);
    struct reference_stretch stretch = {.ring = piece_ring(i)};

    length = transfer->from >= start && transfer->from - start < 4096 ? transfer->from - start : 64;
    stretch.low = near + length / 15;
    stretch.high = 1 + length;
    stretch.branches = near;
    stretch.branches_high = 1 + length / 2 + (near ? 0 : 2);
    return stretch;
}

static void tell_write(const struct item *item)
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

static void tell_item(size_t i)
{
    struct reference_stretch stretch;

    if (items[i].is_write) {
        tell_write(&items[i]);
        return;
    }
    stretch = stretch_of(i);
    reference_execute(reference, &stretch);
    reference_transfer(reference, &items[i].transfer);
}

/* Around the items: IA32_PERF_GLOBAL_CTRL is on a little before IA32_DEBUGCTL, and the end reads. */
static void tell_all(struct interrupts *interrupts)
{
    static const struct reference_stretch ahead = {.low = 3, .high = 8};
    static const struct reference_stretch behind = {.low = 12, .high = 24};

    reference_begin_step(reference);
    tell_interrupts_ahead(interrupts);
    reference_execute(reference, &ahead);
    for (size_t i = 0; i < item_count; i++) {
        tell_interrupts_before(i, interrupts);
        tell_item(i);
    }
    tell_interrupts_before(item_count, interrupts);
    reference_execute(reference, &behind);
}

bool path_wants_interrupt(void)
{
    static struct reference before;
    struct interrupts none = {0};
    bool wants;

    before = *reference;
    tell_all(&none);
    wants = reference->pending == YES;
    *reference = before;
    return wants;
}

void path_tell(struct test_context *t, const struct walk_seen *seen)
{
    struct interrupts interrupts = {.t = t, .seen = seen};
    const struct pmi_event *lost;

    tell_all(&interrupts);
    lost = next_interrupt(&interrupts);
    if (lost)
        FIND(t, PMI_PLACE, "interrupt %zu came at %pS in ring %u, where the program was not then",
             interrupts.next, (void *)lost->rip, lost->cs & 3u);
    if (reference->too_long || item_count == ITEMS_MAX)
        test_fail(t, "test bug: a burst makes more transfers than the reference can hold");
}
