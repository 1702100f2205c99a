// SPDX-License-Identifier: GPL-2.0-or-later
#include "debugctl.h"

#include "family.h"
#include "not_lent.h"
#include "perf_capabilities.h"

uint64_t debugctl_existing_bits(const struct ds_profile *profile)
{
    uint64_t bits = DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR;

    if (profile->ds && !profile->bts_unavailable) {
        bits |= DEBUGCTL_BTS | DEBUGCTL_BTINT;
    }
    if (profile->ds_cpl) {
        bits |= DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR;
    }
    if (profile->pdcm && profile->perfmon_version > 1) { /* both: F2.2 */
        bits |= DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    }
    if (perf_capabilities_has(profile, PERF_CAPABILITIES_FREEZE_WHILE_SMM)) {
        bits |= DEBUGCTL_FREEZE_WHILE_SMM;
    }
    if (profile->uncore_pmi) {
        bits |= DEBUGCTL_ENABLE_UNCORE_PMI;
    }
    if (profile->rtm) {
        bits |= DEBUGCTL_RTM_DEBUG;
    }
    if (profile->bus_lock_detect) {
        bits |= DEBUGCTL_BUS_LOCK_DETECT;
    }
    return bits;
}

/* Bit 15 where RTM is switched off: it may be lacking in this way (F23.15). */
static uint64_t lacking_bits(const struct ds_cpu *cpu, enum ds_lacking way)
{
    bool rtm = family_of(&cpu->profile)->rtm_known && !cpu->profile.rtm &&
               cpu->variation.debugctl_without_rtm == way;

    return rtm ? DEBUGCTL_RTM_DEBUG : 0;
}

/* One reading of what the manual says of the first Atom (F7.13). */
static bool clears_tr(const struct ds_cpu *cpu, uint64_t value)
{
    return value & DEBUGCTL_FREEZE_LBRS_ON_PMI && family_of(&cpu->profile)->freeze_or_tr &&
           cpu->variation.atom_freeze == DS_ATOM_FREEZE_AT_WRITE;
}

bool debugctl_write(struct ds_cpu *cpu, uint64_t value)
{
    uint64_t accepted = debugctl_existing_bits(&cpu->profile);

    if (!not_lent_debugctl(cpu, &value)) {
        return false;
    }
    if (cpu->profile.arch_lbr && !cpu->variation.debugctl_lbr_sticks) {
        value &= ~(uint64_t)DEBUGCTL_LBR; /* taken, not kept (F20.28) */
    }
    accepted |= lacking_bits(cpu, DS_LACKING_STICKS);
    if (value & ~accepted & ~lacking_bits(cpu, DS_LACKING_IGNORED) &&
        !cpu->variation.reserved_ignored) {
        return false;
    }
    if (clears_tr(cpu, value)) {
        value &= ~(uint64_t)DEBUGCTL_TR;
    }
    cpu->threshold_met = false;
    cpu->debugctl = value & accepted;
    return true;
}
