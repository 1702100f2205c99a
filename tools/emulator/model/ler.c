// SPDX-License-Identifier: GPL-2.0-or-later
#include "ler.h"

#include "arch_lbr.h"
#include "arch_lbr_info.h"
#include "lbr.h"
#include "linear.h"

#define MSR_LER_FROM_LIP 0x1dd
#define MSR_LER_TO_LIP   0x1de
#define IA32_LER_INFO    0x1e0

/* Every family with an LBR stack of either kind has the pair at these two numbers (F8.31,
 * F20.34). */
static bool exists(const struct ds_cpu *cpu)
{
    return lbr_depth_most(&cpu->profile) > 0;
}

bool ler_wants_branches(const struct ds_cpu *cpu)
{
    return cpu->variation.ler_without_lbr && lbr_depth(&cpu->profile) > 0; /* not F20.34 */
}

/* Which events leave a record. For the model's kind the manual names only exceptions and interrupts
 * (F8.30, F8.33), for the architectural one INT n too (F20.34). */
static bool is_exception_record(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    switch (branch->kind) {
    case DS_BRANCH_INTERRUPT:
    case DS_BRANCH_EXCEPTION:
        return true;
    case DS_BRANCH_SOFTWARE_INTERRUPT:
        return arch_lbr_exists(&cpu->profile) || !cpu->variation.ler_not_by_int;
    case DS_BRANCH_DEBUG_EXCEPTION:
        return cpu->variation.ler_by_debug;
    default:
        return false;
    }
}

/* Whether the filters of IA32_LBR_CTL hold here is not stated (F20.35). */
static bool is_left_out(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool filtered = cpu->variation.ler_filtered && arch_lbr_exists(&cpu->profile) &&
                    !arch_lbr_includes(cpu, branch);

    return branch->kind == DS_BRANCH_DEBUG_EXCEPTION || filtered;
}

/* Whether FROM is masked as in an entry was not found (F20.26): it is where the filters hold for
 * this record at all. */
static struct lbr_entry describe_arch(const struct ds_cpu *cpu, const struct ds_host *host,
                                      const struct ds_branch *branch, bool mispredicted)
{
    struct lbr_entry entry = arch_lbr_describe(cpu, host, branch, mispredicted);

    if (cpu->variation.ler_filtered) {
        arch_lbr_mask(cpu, branch, &entry);
    }
    entry.info = arch_lbr_ler_info(cpu, host, branch, entry.info);
    return entry;
}

/* An address in the registers' form: linear for the model's kind, otherwise as in the stack. */
static void remember(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                     bool mispredicted)
{
    struct lbr_entry entry = {linear_address(cpu, branch->from), linear_address(cpu, branch->to),
                              0};

    if (arch_lbr_exists(&cpu->profile)) {
        entry = describe_arch(cpu, host, branch, mispredicted);
    }
    cpu->last_from = entry.from;
    cpu->last_to = entry.to;
    cpu->last_info = entry.info;
}

/* An event copies the newest branch before it. */
void ler_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                bool mispredicted)
{
    if (!lbr_is_on(cpu) && !arch_lbr_is_on(cpu) && !ler_wants_branches(cpu)) {
        return;
    }
    if (is_exception_record(cpu, branch)) {
        cpu->ler_from = cpu->last_from;
        cpu->ler_to = cpu->last_to;
        cpu->ler_info = cpu->last_info;
    }
    if (!is_left_out(cpu, branch)) {
        remember(cpu, host, branch, mispredicted);
    }
}

static bool is_mine(const struct ds_cpu *cpu, uint32_t msr)
{
    return msr == MSR_LER_FROM_LIP || msr == MSR_LER_TO_LIP ||
           (msr == IA32_LER_INFO && arch_lbr_exists(&cpu->profile));
}

static uint64_t *locate(struct ds_cpu *cpu, uint32_t msr)
{
    return msr == MSR_LER_FROM_LIP ? &cpu->ler_from
           : msr == MSR_LER_TO_LIP ? &cpu->ler_to
                                   : &cpu->ler_info;
}

enum ds_msr_result ler_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    if (!is_mine(cpu, msr)) {
        return DS_MSR_NOT_MINE;
    }
    if (!exists(cpu)) {
        return DS_MSR_FAULT;
    }
    *value = *locate((struct ds_cpu *)cpu, msr);
    return DS_MSR_DONE;
}

/* The model's kind is read-only on some processors and missing on others (F8.30). The architectural
 * kind, addresses and INFO, is state that XRSTORS loads (F20.36). */
static bool accepts(const struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    if (!arch_lbr_exists(&cpu->profile)) {
        return cpu->profile.ler_writable;
    }
    return msr == IA32_LER_INFO || linear_is_canonical(&cpu->profile, value);
}

enum ds_msr_result ler_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    if (!is_mine(cpu, msr)) {
        return DS_MSR_NOT_MINE;
    }
    if (!exists(cpu) || !accepts(cpu, msr, value)) {
        return DS_MSR_FAULT;
    }
    *locate(cpu, msr) = value;
    return DS_MSR_DONE;
}
