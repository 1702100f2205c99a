/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/walk_path.h"

#include "arch/cpu/ground/msr.h"
#include "arch/cpu/identity/features.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/walk/walk_workloads.h"
#include "tests/workloads/burst.h"

static const struct workload *entry_points_of(const struct walk_step *step)
{
    if (step->kind == WALK_PIECE)
        return walk_workload(step->number[0]);
    return step->kind == WALK_JUMPS && step->number[1] ? &workload_sled_user : NULL;
}

bool path_has_room(const struct walk_step *steps, size_t count, const struct walk_step *next)
{
    bool has_entry_points = false;

    for (size_t i = 0; i < count; i++)
        has_entry_points |= entry_points_of(&steps[i]) != NULL;
    return count + 1 < WALK_OPERATIONS_MAX && count < 4 &&
           !(has_entry_points && entry_points_of(next));
}

/* --- as operations and items --- */

/* Of the operation that was begun last. */
static void add_item(struct path *path, struct path_item item)
{
    item.operation = (size_t)(path->next - path->first) - 1;
    if (path->count < PATH_ITEMS_MAX)
        path->items[path->count++] = item;
}

static void add_jump(struct path *path, const void *from, const void *to, uint32_t kind)
{
    const struct transfer transfer = {.from = (uint64_t)from, .to = (uint64_t)to, .kind = kind};

    add_item(path, (struct path_item){.transfer = transfer});
}

static void add_rows(struct path *path, const struct transfer *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct transfer transfer = rows[i];

        if (transfer.to == (uint64_t)bracket_return)
            transfer.to = (uint64_t)path->code->call_back;
        add_item(path, (struct path_item){.transfer = transfer});
    }
}

static void add_write(struct path *path, uint32_t number, uint64_t value)
{
    *path->next++ = (struct burst_operation){.kind = BURST_WRITE, .first = number, .second = value};
    add_jump(path, path->code->dispatch, path->code->write, TRANSFER_JMP_INDIRECT);
    add_item(path, (struct path_item){.is_write = true, .number = number, .value = value});
    add_jump(path, path->code->write_back, path->code->next, TRANSFER_JMP);
}

/* Where a freeze cannot be thawed, none is asked for. */
static uint64_t usable_debugctl(void)
{
    const uint64_t freezes = DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI;

    return debugctl_enumerated() & ~(feature_present(FEATURE_FREEZE) ? 0 : freezes);
}

/* The bit that records last branches has a register of its own where they are architectural. */
static void add_debugctl(struct path *path, uint64_t value)
{
    uint64_t on = value & DEBUGCTL_LBR ? LBR_CTL_LBREN : 0;

    if (path->code == &burst_lbr_code)
        add_write(path, IA32_LBR_CTL, lbr_leaf_filter(lbr_arch(), path->reference->select) | on);
    add_write(path, IA32_DEBUGCTL, debugctl_itself(value));
}

static void begin_call(struct path *path, uint64_t entry, uint64_t argument)
{
    *path->next++ =
        (struct burst_operation){.kind = BURST_CALL, .first = entry, .second = argument};
    add_jump(path, path->code->dispatch, path->code->call, TRANSFER_JMP_INDIRECT);
    add_jump(path, path->code->call_out, (const void *)entry, TRANSFER_CALL_INDIRECT);
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
    const struct workload *workload = entry_points_of(step);

    if (path->has_company && step->kind == WALK_PIECE)
        return &workload_near_branches;
    return workload;
}

static void add_code(struct path *path, const struct walk_step *step)
{
    const struct workload *workload = workload_of(path, step);

    if (workload)
        path->entry_points = workload;
    if (step->kind == WALK_PIECE && workload)
        add_workload(path, workload);
    else if (step->number[1])
        add_user_jumps(path, step->number[0] % (WALK_PIECE_JUMPS + 1));
    else
        add_jumps(path, step->number[0] % (WALK_PIECE_JUMPS + 1));
    add_jump(path, path->code->call_back, path->code->next, TRANSFER_JMP);
}

void path_begin(struct path *path, struct burst_operation *operations)
{
    path->first = path->next = operations;
    path->code = walk_burst_code();
    path->count = 0;
    path->entry_points = NULL;
}

/* A freeze that may clear TR (F7.13) ends recording at an instruction that nobody names. */
static uint64_t freeze_apart(uint64_t debugctl)
{
    bool ends = freeze_may_clear(debugctl) & DEBUGCTL_TR;

    return ends ? debugctl & ~(uint64_t)DEBUGCTL_FREEZE_LBRS_ON_PMI : debugctl;
}

void path_add(struct path *path, const struct walk_step *step)
{
    switch (step->kind) {
    case WALK_DEBUGCTL:
        add_debugctl(path, freeze_apart(step->value & usable_debugctl()));
        break;
    case WALK_CONTROL:
        if (path->reference->has_global)
            add_write(path, IA32_PERF_GLOBAL_CTRL, step->value & pmu_all_counters());
        break;
    case WALK_ACKNOWLEDGE:
        if (path->reference->has_global)
            add_write(path, IA32_PERF_GLOBAL_OVF_CTRL, step->value & pmu_status_mask());
        break;
    case WALK_STATUS_SET:
        if (path->reference->streamlined)
            add_write(path, IA32_PERF_GLOBAL_STATUS_SET, step->value & pmu_status_mask());
        break;
    default:
        add_code(path, step);
        break;
    }
}

void path_end(struct path *path)
{
    bool has_global = path->reference->has_global;

    *path->next++ = (struct burst_operation){.kind = has_global ? BURST_END : BURST_END_PLAIN};
    add_jump(path, path->code->dispatch, has_global ? path->code->end : path->code->end_plain,
             TRANSFER_JMP_INDIRECT);
}
