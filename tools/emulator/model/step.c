// SPDX-License-Identifier: GPL-2.0-or-later
/* Single step on branches (section 9 of the facts). */
#include "debug_store.h"

#include "debugctl.h"
#include "fault.h"

static bool is_event(const struct ds_branch *branch)
{
    return branch && branch->kind >= DS_BRANCH_SOFTWARE_INTERRUPT;
}

/* Only BTF could trap after an event: its delivery clears TF (F9.6, D10). */
static bool traps_after_event(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    return cpu->variation.btf_events && debugctl_is_set(cpu, DEBUGCTL_BTF) &&
           branch->kind != DS_BRANCH_DEBUG_EXCEPTION;
}

static bool is_branch_for_btf(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    if (branch && branch->kind == DS_BRANCH_CONDITIONAL &&
        fault(cpu, FAULT_BTF_MISSES_CONDITIONAL)) {
        return false;
    }
    return branch && (branch->kind != DS_BRANCH_FAR || !cpu->variation.btf_no_far);
}

/* With BTF set only a branch traps. */
static bool btf_traps(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    bool traps = is_branch_for_btf(cpu, branch);

    if (fault(cpu, FAULT_BTF_DEAD) ||
        (debugctl_is_set(cpu, DEBUGCTL_TR) && fault(cpu, FAULT_BTF_DEAD_WITH_TR))) {
        return false;
    }
    if (cpu->fault_memory.step_due || (traps && fault(cpu, FAULT_BTF_LATE))) {
        cpu->fault_memory.step_due = !cpu->fault_memory.step_due;
        return !cpu->fault_memory.step_due;
    }
    return traps;
}

bool ds_step_trap(struct ds_cpu *cpu, const struct ds_branch *branch)
{
    if (is_event(branch)) {
        return traps_after_event(cpu, branch);
    }
    if (!debugctl_is_set(cpu, DEBUGCTL_BTF) || fault(cpu, FAULT_BTF_IGNORED)) {
        return true;
    }
    return btf_traps(cpu, branch);
}
