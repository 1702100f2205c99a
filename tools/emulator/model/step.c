// SPDX-License-Identifier: GPL-2.0-or-later
/* Single step on branches (section 9 of the facts). */
#include "debug_store.h"

#include "debugctl.h"

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

/* With BTF set only a branch traps. */
static bool is_branch_for_btf(const struct ds_cpu *cpu, const struct ds_branch *branch)
{
    return branch && (branch->kind != DS_BRANCH_FAR || !cpu->variation.btf_no_far);
}

bool ds_step_trap(struct ds_cpu *cpu, const struct ds_host *host, uint64_t ip,
                  const struct ds_branch *branch)
{
    (void)host, (void)ip;

    if (is_event(branch)) {
        return traps_after_event(cpu, branch);
    }
    return !debugctl_is_set(cpu, DEBUGCTL_BTF) || is_branch_for_btf(cpu, branch);
}
