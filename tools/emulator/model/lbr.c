// SPDX-License-Identifier: GPL-2.0-or-later
#include "lbr.h"

#include "arch_lbr.h"
#include "arch_lbr_info.h"
#include "debugctl.h"
#include "errata.h"
#include "family.h"
#include "global_status.h"
#include "lbr_format.h"
#include "linear.h"

/* MSR_LBR_SELECT: a set bit suppresses (F8.20). */
#define SELECT_CPL_0      (1u << 0)
#define SELECT_CPL_ABOVE  (1u << 1)
#define SELECT_CALL_STACK (1u << 9)

static const uint16_t select_by_kind[] = {
    [DS_BRANCH_CONDITIONAL] = 1u << 2,
    [DS_BRANCH_CALL_RELATIVE] = 1u << 3,
    [DS_BRANCH_CALL_INDIRECT] = 1u << 4,
    [DS_BRANCH_RET] = 1u << 5,
    [DS_BRANCH_JMP_INDIRECT] = 1u << 6,
    [DS_BRANCH_JMP_RELATIVE] = 1u << 7,
    [DS_BRANCH_FAR] = 1u << 8,
    [DS_BRANCH_INTERRUPT] = 1u << 8,
    [DS_BRANCH_SOFTWARE_INTERRUPT] = 1u << 8,
    [DS_BRANCH_EXCEPTION] = 1u << 8,
};

unsigned lbr_depth(const struct ds_profile *profile)
{
    return profile->arch_lbr ? 0 : family_of(profile)->lbr_depth;
}

unsigned lbr_depth_most(const struct ds_profile *profile)
{
    return profile->arch_lbr ? arch_lbr_depth_most(profile) : lbr_depth(profile);
}

bool lbr_with_tr(const struct ds_profile *profile)
{
    return lbr_depth(profile) > 0 && !family_of(profile)->lbr_or_tr;
}

bool lbr_is_on(const struct ds_cpu *cpu)
{
    bool fed = debugctl_is_set(cpu, DEBUGCTL_LBR) ||
               (debugctl_is_set(cpu, DEBUGCTL_TR) && cpu->variation.tr_updates_lbr);
    bool frozen = cpu->global_status & STATUS_LBR_FRZ;

    if (cpu->variation.lbr_or_tr && family_of(&cpu->profile)->lbr_or_tr &&
        debugctl_is_set(cpu, DEBUGCTL_TR)) {
        return false;
    }
    return fed && !frozen && lbr_depth(&cpu->profile) > 0;
}

/* Which end's CPL the first two bits mean is not stated (F8.24). */
bool lbr_is_suppressed(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    unsigned cpl = cpu->variation.lbr_crossing_old ? branch->old_cpl : branch->new_cpl;
    uint64_t cpl_bit = cpl == 0 ? SELECT_CPL_0 : SELECT_CPL_ABOVE;

    return branch->kind == DS_BRANCH_DEBUG_EXCEPTION || /* not even where TR feeds it (F4.6) */
           cpu->lbr_select & (cpl_bit | select_by_kind[branch->kind]);
}

bool lbr_is_call_stack(const struct ds_cpu *cpu)
{
    return cpu->lbr_select & SELECT_CALL_STACK;
}

static bool is_call(const struct ds_branch *branch)
{
    return branch->kind == DS_BRANCH_CALL_RELATIVE || branch->kind == DS_BRANCH_CALL_INDIRECT;
}

/* A CALL that only fetches its own address is no level of the call stack (F8.21). */
static bool is_zero_length_call(const struct ds_branch *branch)
{
    return is_call(branch) && branch->length && branch->to == branch->from + branch->length;
}

static uint64_t time_now(const struct ds_host *host)
{
    return host->tsc ? host->tsc(host->opaque) : 0;
}

/* TOS moves on before each entry is written (F8.2). */
static void move_top(struct ds_cpu *cpu)
{
    unsigned entries = lbr_depth(&cpu->profile);

    cpu->lbr_top = (cpu->lbr_top + 1) % entries;
}

/* An address in the stack's form: without the segment's base on some processors (F4.16). */
static uint64_t address(const struct ds_cpu *cpu, uint64_t linear, uint64_t base)
{
    uint32_t kind = cpu->variation.lbr_address;
    bool whole =
        kind == DS_ADDRESS_LINEAR || (kind == DS_ADDRESS_OF_FORMAT && lbr_format_is_linear(cpu));

    return whole ? linear : linear_address(cpu, linear - base);
}

void lbr_push(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
              bool mispredicted)
{
    uint64_t now = time_now(host);
    uint64_t from = linear_address(cpu, branch->from);
    uint64_t to = linear_address(cpu, branch->to);

    from = address(cpu, from, branch->from_base);
    to = address(cpu, to, branch->to_base);
    struct lbr_entry entry = lbr_format_entry(cpu, from, to, mispredicted, now - cpu->lbr_tsc);

    cpu->lbr_tsc = now;
    move_top(cpu);
    cpu->lbr_from[cpu->lbr_top] = entry.from;
    cpu->lbr_to[cpu->lbr_top] = entry.to;
    cpu->lbr_info[cpu->lbr_top] = entry.info;
}

void lbr_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                bool mispredicted)
{
    bool call_stack = cpu->lbr_select & SELECT_CALL_STACK;

    if (!lbr_is_on(cpu) || lbr_is_suppressed(cpu, branch) || errata_lbr_loses(cpu, branch)) {
        return;
    }
    unsigned depth = lbr_depth(&cpu->profile);

    if (call_stack && branch->kind == DS_BRANCH_RET) {
        cpu->lbr_top = (cpu->lbr_top + depth - 1) % depth;
    } else if (!call_stack || !is_zero_length_call(branch) || errata_lbr_keeps_call_next(cpu)) {
        lbr_push(cpu, host, branch, mispredicted);
    }
}

bool lbr_can_get_lost(const struct ds_profile *profile)
{
    return !profile->arch_lbr || profile->lbr_leaf_eax & LBR_LEAF_EAX_DEEP_LOSES;
}

void lbr_forget(struct ds_cpu *cpu)
{
    arch_lbr_clear(cpu);
    cpu->lbr_top = 0;
    cpu->ler_from = cpu->ler_to = cpu->ler_info = 0;
}

struct lbr_entry lbr_entry(const struct ds_cpu *cpu, unsigned age)
{
    unsigned depth = lbr_depth(&cpu->profile);
    size_t i = age;

    if (depth == 0 && age >= cpu->lbr_depth) {
        return (struct lbr_entry){0};
    }
    if (depth > 0) {
        i = (cpu->lbr_top + depth - age) % depth;
    }

    return (struct lbr_entry){cpu->lbr_from[i], cpu->lbr_to[i], cpu->lbr_info[i]};
}
