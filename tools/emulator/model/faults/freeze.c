// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam: a cause freezes counters and stack. Faults change which causes do, and when. */
#include "../freeze.h"
#include "../counter.h"
#include "../debugctl.h"
#include "../lbr.h"
#include "seams.h"

#define GENERAL_COUNTERS ((1ull << COUNTER_FIXED) - 1)

/* Whether a trigger at this CPL does nothing all the same. */
static bool is_missed(struct ds_cpu *cpu, const struct ds_host *host, unsigned cpl)
{
    if (cpl > 0 && fault(cpu, FAULT_FREEZE_RING0_ONLY)) {
        return true;
    }
    return host->pmi_is_nmi && fault(cpu, FAULT_FREEZE_FIXED_ONLY) &&
           host->pmi_is_nmi(host->opaque);
}

static bool counters_trigger(struct ds_cpu *cpu, uint64_t overflowed)
{
    uint64_t signalling = counter_signalling(cpu, overflowed), silent = overflowed & ~signalling;

    return (signalling & GENERAL_COUNTERS && !fault(cpu, FAULT_FREEZE_NOT_BY_GENERAL)) ||
           (signalling & ~GENERAL_COUNTERS && !fault(cpu, FAULT_FREEZE_NOT_BY_FIXED)) ||
           (silent & GENERAL_COUNTERS && fault(cpu, FAULT_FREEZE_WITHOUT_INT)) ||
           (silent & ~GENERAL_COUNTERS && fault(cpu, FAULT_FREEZE_WITHOUT_FIXED_PMI));
}

static bool pebs_triggers(struct ds_cpu *cpu, uint64_t pebs)
{
    return pebs && !fault(cpu, FAULT_FREEZE_NOT_BY_PEBS) &&
           (pebs & 1 || !fault(cpu, FAULT_FREEZE_PEBS_PMC0_ONLY));
}

bool fault_freezes(struct ds_cpu *cpu, const struct ds_host *host, unsigned cpl,
                   uint64_t overflowed, uint64_t pebs)
{
    if (!overflowed && !pebs) {
        return false;
    }
    return (counters_trigger(cpu, overflowed) || pebs_triggers(cpu, pebs)) &&
           !is_missed(cpu, host, cpl);
}

bool fault_freeze_waits(struct ds_cpu *cpu)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;

    if (!memory->freezing_at_last &&
        (fault(cpu, FAULT_FREEZE_WHEN_TAKEN) || fault(cpu, FAULT_FREEZE_AT_DELIVERY))) {
        memory->freeze_due = true;
        return true;
    }
    return false;
}

void fault_freeze_at_last(struct ds_cpu *cpu)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;

    if (memory->freeze_due) {
        memory->freeze_due = false;
        memory->freezing_at_last = true;
        freeze_on_pmi(cpu);
        memory->freezing_at_last = false;
    }
}

/* The stack alone, whatever else is asked for. */
void fault_freeze_stack(struct ds_cpu *cpu)
{
    uint64_t others = cpu->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI;

    cpu->debugctl &= ~others;
    freeze_on_pmi(cpu);
    cpu->debugctl |= others;
}

void fault_top_at_freeze(struct ds_cpu *cpu)
{
    unsigned depth = lbr_depth(&cpu->profile);

    if (!lbr_is_on(cpu) && !arch_lbr_is_on(cpu)) {
        return;
    }
    size_t top = depth ? cpu->lbr_top : 0, older = depth ? (top + depth - 1) % depth : 1;

    if (fault(cpu, FAULT_LBR_TOP_FROM_STALE)) {
        cpu->lbr_from[top] = cpu->lbr_from[older];
    }
    if (fault(cpu, FAULT_LBR_TOP_DUPLICATED)) {
        cpu->lbr_from[top] = cpu->lbr_from[older];
        cpu->lbr_to[top] = cpu->lbr_to[older];
        cpu->lbr_info[top] = cpu->lbr_info[older];
    }
}

void fault_remember_enables(struct ds_cpu *cpu)
{
    cpu->fault_memory.frozen_enables = cpu->global_control;
}

void fault_remember_lbr(struct ds_cpu *cpu)
{
    cpu->fault_memory.lbr_frozen = debugctl_is_set(cpu, DEBUGCTL_LBR);
}

uint64_t fault_not_frozen(const struct ds_cpu *cpu)
{
    uint64_t counters = fault_is_on(cpu, FAULT_CTR_FRZ_IDLE) ? ~0ull : 0;

    counters |= fault_is_on(cpu, FAULT_CTR_FRZ_MISSES_UPPER) ? 0xf0 : 0;
    counters |= fault_is_on(cpu, FAULT_CTR_FRZ_MISSES_FIXED) ? 0xfull << COUNTER_FIXED : 0;
    return counters | fault_newer_not_frozen(cpu);
}
