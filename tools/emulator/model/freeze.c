// SPDX-License-Identifier: GPL-2.0-or-later
#include "freeze.h"

#include "counter.h"
#include "debugctl.h"
#include "family.h"
#include "global_status.h"

#define FREEZE_LBRS    DEBUGCTL_FREEZE_LBRS_ON_PMI
#define FREEZE_PERFMON DEBUGCTL_FREEZE_PERFMON_ON_PMI
#define FREEZE_BOTH    (FREEZE_LBRS | FREEZE_PERFMON)

static void clear_lbr(struct ds_cpu *cpu)
{
    bool tr_too = family_of(&cpu->profile)->freeze_or_tr &&
                  cpu->variation.atom_freeze == DS_ATOM_FREEZE_AT_FREEZE;

    cpu->debugctl &= ~(uint64_t)(tr_too ? DEBUGCTL_LBR | DEBUGCTL_TR : DEBUGCTL_LBR);
}

/* Version 2 and 3: the enables themselves go out, and only software puts them back (F7.2). */
static void freeze_legacy(struct ds_cpu *cpu, uint64_t asked)
{
    if (asked & FREEZE_PERFMON) {
        cpu->global_control = 0;
    }
    if (asked & FREEZE_LBRS) {
        clear_lbr(cpu);
    }
}

/* Version 4 and later: the enables stay, a status bit holds them (F7.3). */
static void freeze_streamlined(struct ds_cpu *cpu, uint64_t asked)
{
    if (asked & FREEZE_PERFMON) {
        cpu->global_status |= STATUS_CTR_FRZ;
    }
    if (asked & FREEZE_LBRS && cpu->variation.lbr_freeze_legacy &&
        family_of(&cpu->profile)->lbr_freeze_unsure) {
        clear_lbr(cpu);
    } else if (asked & FREEZE_LBRS) {
        cpu->global_status |= STATUS_LBR_FRZ;
    }
}

void freeze_on_pmi(struct ds_cpu *cpu)
{
    uint64_t asked = cpu->debugctl & FREEZE_BOTH; /* each for itself (claim FRZ-13) */
    bool legacy = cpu->profile.perfmon_version < 4;

    if (legacy) {
        freeze_legacy(cpu, asked);
    } else {
        freeze_streamlined(cpu, asked);
    }
    counter_refresh(cpu);
}
