// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch_lbr.h"

#include <string.h>

#include "arch_lbr_info.h"
#include "debugctl.h"
#include "global_status.h"
#include "linear.h"

static const uint32_t control_by_kind[] = {
    [DS_BRANCH_CONDITIONAL] = 1u << 16,   [DS_BRANCH_JMP_RELATIVE] = 1u << 17,
    [DS_BRANCH_JMP_INDIRECT] = 1u << 18,  [DS_BRANCH_CALL_RELATIVE] = 1u << 19,
    [DS_BRANCH_CALL_INDIRECT] = 1u << 20, [DS_BRANCH_RET] = 1u << 21,
    [DS_BRANCH_FAR] = 1u << 22,           [DS_BRANCH_SOFTWARE_INTERRUPT] = 1u << 22,
    [DS_BRANCH_INTERRUPT] = 1u << 22,     [DS_BRANCH_EXCEPTION] = 1u << 22,
    [DS_BRANCH_DEBUG_EXCEPTION] = 0, /* is not recorded, as in the model's stack (F4.6) */
};

bool arch_lbr_is_on(const struct ds_cpu *cpu)
{
    bool fed = cpu->lbr_control & LBR_CTL_LBREN ||
               (debugctl_is_set(cpu, DEBUGCTL_TR) && cpu->variation.tr_updates_lbr);
    bool frozen = cpu->global_status & STATUS_LBR_FRZ;

    return fed && !frozen && arch_lbr_exists(&cpu->profile);
}

/* Where filters are not enumerated everything is included (F20.3). */
static uint64_t filters(const struct ds_cpu *cpu)
{
    uint32_t told = cpu->profile.lbr_leaf_ebx;
    uint64_t all = (told & LBR_LEAF_EBX_RINGS ? 0 : LBR_CTL_OS | LBR_CTL_USR) |
                   (told & LBR_LEAF_EBX_KINDS ? 0 : LBR_CTL_KINDS);

    return cpu->lbr_control | all;
}

static bool includes_ring(const struct ds_cpu *cpu, unsigned cpl)
{
    uint64_t ring = cpl == 0 ? LBR_CTL_OS : LBR_CTL_USR;

    return filters(cpu) & ring;
}

/* The CPL after a ring crossing decides; before it, or either, by other readings (F20.26). */
static bool includes_rings(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool old_in = includes_ring(cpu, branch->old_cpl);
    bool new_in = includes_ring(cpu, branch->new_cpl);

    switch (cpu->variation.arch_lbr_crossing) {
    case DS_ARCH_CROSSING_OLD:
        return old_in;
    case DS_ARCH_CROSSING_BOTH:
        return old_in || new_in;
    default:
        return new_in;
    }
}

static bool includes_kind(const struct ds_cpu *cpu, enum ds_branch_kind kind)
{
    uint64_t bit = control_by_kind[kind];

    return filters(cpu) & bit;
}

bool arch_lbr_includes(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    return includes_rings(cpu, branch) && includes_kind(cpu, branch->kind);
}

/* Without the segment's base where leaf 1CH says so (F20.2). */
static uint64_t address(const struct ds_cpu *cpu, uint64_t linear, uint64_t base)
{
    bool whole = cpu->profile.lbr_leaf_eax & LBR_LEAF_EAX_LINEAR;

    return linear_address(cpu, whole ? linear : linear - base);
}

struct lbr_entry arch_lbr_describe(const struct ds_cpu *cpu, const struct ds_host *host,
                                   const struct ds_branch *branch, bool mispredicted)
{
    struct lbr_entry entry = {
        .from = address(cpu, branch->from, branch->from_base),
        .to = address(cpu, branch->to, branch->to_base),
        .info = arch_lbr_info(cpu, host, branch, mispredicted),
    };

    return entry;
}

/* FROM is all ones where the ring that the branch left is not let in (F20.26). */
void arch_lbr_mask(const struct ds_cpu *cpu, const struct ds_branch *branch,
                   struct lbr_entry *entry)
{
    if (!includes_ring(cpu, branch->old_cpl) && !cpu->variation.arch_lbr_from_told) {
        entry->from = ~0ull;
    }
}

static void put_entry(struct ds_cpu *cpu, unsigned place, struct lbr_entry entry)
{
    cpu->lbr_from[place] = entry.from;
    cpu->lbr_to[place] = entry.to;
    cpu->lbr_info[place] = entry.info;
}

static void copy_entry(struct ds_cpu *cpu, unsigned place, unsigned other)
{
    struct lbr_entry entry = {cpu->lbr_from[other], cpu->lbr_to[other], cpu->lbr_info[other]};

    put_entry(cpu, place, entry);
}

/* Entry 0 is the newest; the oldest drops out (F20.10). */
static void push(struct ds_cpu *cpu, struct lbr_entry entry)
{
    unsigned entries = (unsigned)cpu->lbr_depth;

    for (unsigned i = entries; i > 1; i--) {
        copy_entry(cpu, i - 1, i - 2);
    }
    put_entry(cpu, 0, entry);
    cpu->lbr_inserts += cpu->counting != 0;
}

/* Entry 1 becomes entry 0, and so on (F20.27). */
static void pop(struct ds_cpu *cpu)
{
    struct lbr_entry none = {0};

    for (unsigned i = 0; i + 1 < cpu->lbr_depth; i++) {
        copy_entry(cpu, i, i + 1);
    }
    put_entry(cpu, (unsigned)cpu->lbr_depth - 1, none);
}

static bool is_call(const struct ds_branch *branch)
{
    return branch->kind == DS_BRANCH_CALL_RELATIVE || branch->kind == DS_BRANCH_CALL_INDIRECT;
}

/* A CALL that only fetches its own address is no level of the call stack (F20.27); beside that mode
 * a relative one may be no entry either (F20.44). */
static bool is_left_out(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool next = branch->length && branch->to == branch->from + branch->length;

    if (cpu->lbr_control & LBR_CTL_CALL_STACK) {
        return next && is_call(branch) && !cpu->variation.call_stack_keeps_all;
    }
    return next && branch->kind == DS_BRANCH_CALL_RELATIVE && cpu->variation.call_next_left_out;
}

void arch_lbr_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                     bool mispredicted)
{
    bool call_stack = cpu->lbr_control & LBR_CTL_CALL_STACK;

    if (!arch_lbr_is_on(cpu) || cpu->lbr_depth == 0 || !arch_lbr_includes(cpu, branch)) {
        return;
    }
    if (call_stack && branch->kind == DS_BRANCH_RET) {
        pop(cpu);
    } else if (!is_left_out(cpu, branch)) {
        struct lbr_entry entry = arch_lbr_describe(cpu, host, branch, mispredicted);

        arch_lbr_mask(cpu, branch, &entry);
        push(cpu, entry);
        arch_lbr_info_recorded(cpu, host);
    }
}

void arch_lbr_clear(struct ds_cpu *cpu)
{
    memset(cpu->lbr_from, 0, sizeof(cpu->lbr_from));
    memset(cpu->lbr_to, 0, sizeof(cpu->lbr_to));
    memset(cpu->lbr_info, 0, sizeof(cpu->lbr_info));
    arch_lbr_info_forget(cpu);
}

/* What a RESET that is not the power-up keeps is open (F20.32); so is the first depth. */
void arch_lbr_after_reset(struct ds_cpu *cpu, const struct ds_cpu *old)
{
    cpu->lbr_depth = cpu->variation.reset_lbr_depth ? 0 : arch_lbr_depth_most(&cpu->profile);
    if (!cpu->variation.reset_keeps_lbr || old->lbr_depth == 0) {
        return;
    }
    memcpy(cpu->lbr_from, old->lbr_from, sizeof(cpu->lbr_from));
    memcpy(cpu->lbr_to, old->lbr_to, sizeof(cpu->lbr_to));
    memcpy(cpu->lbr_info, old->lbr_info, sizeof(cpu->lbr_info));
    cpu->lbr_depth = old->lbr_depth;
    cpu->lbr_control = old->lbr_control & ~LBR_CTL_LBREN;
}

/* Two readings of the manual, and a third that it does not exclude (D24). */
void arch_lbr_after_init(struct ds_cpu *cpu)
{
    switch (cpu->variation.init_lbr) {
    case DS_INIT_LBR_STOPS:
        cpu->lbr_control &= ~LBR_CTL_LBREN;
        break;
    case DS_INIT_LBR_CLEARS:
        cpu->lbr_control = 0;
        arch_lbr_clear(cpu);
        break;
    default:
        break;
    }
    cpu->smm_lbr_on = false;
}

/* The entries stay (F20.31). */
void arch_lbr_after_debug(struct ds_cpu *cpu)
{
    uint64_t cleared = LBR_CTL_LBREN;

    cpu->lbr_control &= ~cleared;
}

/* LBREn is saved and cleared; whether only under FREEZE_WHILE_SMM is not stated (F20.31). */
void arch_lbr_smm_enter(struct ds_cpu *cpu)
{
    bool stops =
        !cpu->variation.smi_lbr_by_freeze || debugctl_is_set(cpu, DEBUGCTL_FREEZE_WHILE_SMM);

    cpu->smm_lbr_on = stops && cpu->lbr_control & LBR_CTL_LBREN;
    if (stops) {
        cpu->lbr_control &= ~LBR_CTL_LBREN;
    }
}

void arch_lbr_smm_leave(struct ds_cpu *cpu)
{
    if (cpu->smm_lbr_on) {
        cpu->lbr_control |= LBR_CTL_LBREN;
    }
    cpu->smm_lbr_on = false;
}
