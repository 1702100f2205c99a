// SPDX-License-Identifier: GPL-2.0-or-later
/* Seams of the LBR stack, of the last exception record and of single step. */

#include <string.h>

#include "seams.h"

bool fault_tr_feeds(const struct ds_cpu *cpu)
{
    return cpu->fault_memory.tr_feeds;
}

void fault_push(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch)
{
    struct ds_branch other = *branch;

    other.kind = DS_BRANCH_EXCEPTION;
    arch_lbr_branch(cpu, host, &other, false);
    if (lbr_depth(&cpu->profile) > 0) {
        lbr_push(cpu, host, branch, false);
    }
}

void fault_clear_stack(struct ds_cpu *cpu)
{
    memset(cpu->lbr_from, 0, sizeof(cpu->lbr_from));
    memset(cpu->lbr_to, 0, sizeof(cpu->lbr_to));
    memset(cpu->lbr_info, 0, sizeof(cpu->lbr_info));
}

uint64_t fault_keep_upper_half(struct ds_cpu *cpu, uint64_t old, uint64_t address)
{
    bool kept = address == (uint32_t)address && fault(cpu, FAULT_LER_UPPER_HALF_KEPT);

    return kept ? (old & ~0xffffffffull) | address : address;
}

void fault_remember_older(struct ds_cpu *cpu)
{
    cpu->fault_memory.older_from = cpu->last_from;
    cpu->fault_memory.older_to = cpu->last_to;
}

void fault_exchange(uint64_t *a, uint64_t *b)
{
    uint64_t kept = *a;

    *a = *b;
    *b = kept;
}

bool fault_late_trap(struct ds_cpu *cpu, bool traps)
{
    if (cpu->fault_memory.step_due || (traps && fault(cpu, FAULT_BTF_LATE))) {
        cpu->fault_memory.step_due = !cpu->fault_memory.step_due;
        return !cpu->fault_memory.step_due;
    }
    return traps;
}
