// SPDX-License-Identifier: GPL-2.0-or-later
#include "freeze.h"

#include "counter.h"
#include "debugctl.h"
#include "family.h"
#include "fault.h"
#include "global_status.h"
#include "lbr.h"

#define FREEZE_LBRS    DEBUGCTL_FREEZE_LBRS_ON_PMI
#define FREEZE_PERFMON DEBUGCTL_FREEZE_PERFMON_ON_PMI
#define FREEZE_BOTH    (FREEZE_LBRS | FREEZE_PERFMON)

#define GENERAL_COUNTERS ((1ull << COUNTER_FIXED) - 1)

/* What is to be frozen: FREEZE_LBRS, FREEZE_PERFMON, both or nothing (claim FRZ-13). */
static uint64_t asked_for(struct ds_cpu *cpu)
{
    uint64_t asked = cpu->debugctl & FREEZE_BOTH;

    if (asked != FREEZE_BOTH && fault(cpu, FAULT_FREEZE_NEEDS_BOTH)) {
        return 0;
    }
    if ((asked == FREEZE_LBRS && fault(cpu, FAULT_FREEZE_LBRS_STOPS_ALL)) ||
        (asked == FREEZE_PERFMON && fault(cpu, FAULT_FREEZE_PERFMON_STOPS_ALL))) {
        return FREEZE_BOTH;
    }
    return fault(cpu, FAULT_LBR_NOT_FROZEN) ? asked & ~(uint64_t)FREEZE_LBRS : asked;
}

static void clear_lbr(struct ds_cpu *cpu)
{
    cpu->fault_memory.lbr_frozen = debugctl_is_set(cpu, DEBUGCTL_LBR);
    cpu->debugctl &= ~(uint64_t)DEBUGCTL_LBR;
}

/* Version 2 and 3: the enables themselves go out, and only software puts them back (F7.2). */
static void freeze_legacy(struct ds_cpu *cpu, uint64_t asked)
{
    if (asked & FREEZE_PERFMON && !fault(cpu, FAULT_GLOBAL_CTRL_KEPT)) {
        cpu->fault_memory.frozen_enables = cpu->global_control;
        cpu->global_control &= fault(cpu, FAULT_GLOBAL_CTRL_FIXED_KEPT) ? ~GENERAL_COUNTERS : 0;
    }
    if (asked & FREEZE_LBRS) {
        clear_lbr(cpu);
    }
}

/* Version 4 and later: the enables stay, a status bit holds them (F7.3). */
static void freeze_streamlined(struct ds_cpu *cpu, uint64_t asked)
{
    if (asked & FREEZE_PERFMON && !fault(cpu, FAULT_CTR_FRZ_MISSING)) {
        cpu->global_status |= STATUS_CTR_FRZ;
        cpu->global_control &= fault(cpu, FAULT_CTR_FRZ_CLEARS_ENABLES) ? 0 : ~0ull;
    }
    if (asked & FREEZE_LBRS && cpu->variation.lbr_freeze_legacy &&
        family_of(&cpu->profile)->lbr_freeze_unsure) {
        clear_lbr(cpu);
    } else if (asked & FREEZE_LBRS) {
        cpu->global_status |= STATUS_LBR_FRZ;
        cpu->debugctl &= fault(cpu, FAULT_LBR_FRZ_CLEARS_LBR) ? ~(uint64_t)DEBUGCTL_LBR : ~0ull;
    }
}

static void freeze(struct ds_cpu *cpu, uint64_t asked)
{
    bool legacy = cpu->profile.perfmon_version < 4;

    if (asked & FREEZE_LBRS) {
        lbr_freezes(cpu);
    }
    if (legacy != fault(cpu, FAULT_FREEZE_FLAVOUR)) {
        freeze_legacy(cpu, asked);
    } else {
        freeze_streamlined(cpu, asked);
    }
    counter_refresh(cpu);
}

void freeze_on_pmi(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_FREEZE_WHEN_TAKEN) || fault(cpu, FAULT_FREEZE_AT_DELIVERY)) {
        cpu->fault_memory.freeze_due = true;
        return;
    }
    freeze(cpu, asked_for(cpu));
}

void freeze_at_delivery(struct ds_cpu *cpu)
{
    if (fault_is_on(cpu, FAULT_FREEZE_AT_DELIVERY)) {
        freeze_when_taken(cpu);
    }
}

void freeze_when_taken(struct ds_cpu *cpu)
{
    if (cpu->fault_memory.freeze_due) {
        cpu->fault_memory.freeze_due = false;
        freeze(cpu, asked_for(cpu));
    }
}

void freeze_after_arming(struct ds_cpu *cpu)
{
    if (fault(cpu, FAULT_LBR_FROZEN_EARLY)) {
        freeze(cpu, cpu->debugctl & FREEZE_LBRS);
    }
}

bool freeze_is_missed(struct ds_cpu *cpu, const struct ds_host *host, unsigned cpl)
{
    if (cpl > 0 && fault(cpu, FAULT_FREEZE_RING0_ONLY)) {
        return true;
    }
    return host->pmi_is_nmi && fault(cpu, FAULT_FREEZE_FIXED_ONLY) &&
           host->pmi_is_nmi(host->opaque);
}

bool freeze_is_triggered(struct ds_cpu *cpu, uint64_t overflowed, uint64_t signalling,
                         uint64_t pebs)
{
    uint64_t general = signalling & GENERAL_COUNTERS, fixed = signalling & ~GENERAL_COUNTERS;

    if (general && fault(cpu, FAULT_FREEZE_NOT_BY_GENERAL)) {
        general = 0;
    }
    if (fixed && fault(cpu, FAULT_FREEZE_NOT_BY_FIXED)) {
        fixed = 0;
    }
    if ((pebs && fault(cpu, FAULT_FREEZE_NOT_BY_PEBS)) ||
        (pebs && !(pebs & 1) && fault(cpu, FAULT_FREEZE_PEBS_PMC0_ONLY))) {
        pebs = 0;
    }
    uint64_t silent = overflowed & ~signalling;

    return general || fixed || pebs ||
           (silent & GENERAL_COUNTERS && fault(cpu, FAULT_FREEZE_WITHOUT_INT)) ||
           (silent & ~GENERAL_COUNTERS && fault(cpu, FAULT_FREEZE_WITHOUT_FIXED_PMI));
}
