// SPDX-License-Identifier: GPL-2.0-or-later
#include "ler.h"

#include "lbr.h"
#include "linear.h"

#define MSR_LER_FROM_LIP 0x1dd
#define MSR_LER_TO_LIP   0x1de

/* Every family with an LBR stack of either kind has the pair at these two numbers (F8.31, F20.34).
 */
static bool exists(const struct ds_cpu *cpu)
{
    return lbr_depth_told(&cpu->profile) > 0;
}

bool ler_wants_branches(const struct ds_cpu *cpu)
{
    return cpu->variation.ler_without_lbr && lbr_depth(&cpu->profile) > 0;
}

/* Which events leave a record; the manual names exceptions and interrupts, no more (F8.30, F8.33).
 */
static bool is_exception_record(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    switch (branch->kind) {
    case DS_BRANCH_INTERRUPT:
    case DS_BRANCH_EXCEPTION:
        return true;
    case DS_BRANCH_SOFTWARE_INTERRUPT:
        return !cpu->variation.ler_not_by_int;
    case DS_BRANCH_DEBUG_EXCEPTION:
        return cpu->variation.ler_by_debug;
    default:
        return false;
    }
}

/* An event copies the newest branch before it. */
void ler_branch(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    if (!lbr_is_on(cpu) && !ler_wants_branches(cpu)) {
        return;
    }
    if (is_exception_record(cpu, branch)) {
        cpu->ler_from = cpu->last_from;
        cpu->ler_to = cpu->last_to;
    }
    if (branch->kind != DS_BRANCH_DEBUG_EXCEPTION) {
        cpu->last_from = linear_address(cpu, branch->from);
        cpu->last_to = linear_address(cpu, branch->to);
    }
}

static bool is_mine(uint32_t msr)
{
    return msr == MSR_LER_FROM_LIP || msr == MSR_LER_TO_LIP;
}

enum ds_msr_result ler_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    if (!exists(cpu)) {
        return DS_MSR_FAULT;
    }
    *value = msr == MSR_LER_FROM_LIP ? cpu->ler_from : cpu->ler_to;
    return DS_MSR_DONE;
}

/* Read-only on some, or not there (F8.30). */
enum ds_msr_result ler_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    if (!exists(cpu) || !cpu->profile.ler_writable) {
        return DS_MSR_FAULT;
    }
    *(msr == MSR_LER_FROM_LIP ? &cpu->ler_from : &cpu->ler_to) = value;
    return DS_MSR_DONE;
}
