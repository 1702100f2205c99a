// SPDX-License-Identifier: GPL-2.0-or-later
#include "debugctl.h"

#include "fault.h"
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

#define BTS_BITS    (DEBUGCTL_BTS | DEBUGCTL_BTINT)
#define OFF_BITS    (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)
#define FREEZE_BITS (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI)

/* What can be set in this processor, as broken as it is. */
static uint64_t accepted_bits(struct ds_cpu *cpu)
{
    uint64_t bits = debugctl_existing_bits(&cpu->profile);

    bits &= ~(fault(cpu, FAULT_BTS_BITS_REFUSED) ? BTS_BITS : 0ull);
    bits &= ~(fault(cpu, FAULT_OFF_BITS_REFUSED) ? OFF_BITS : 0ull);
    bits &= ~(fault(cpu, FAULT_FREEZE_BITS_REFUSED) ? FREEZE_BITS : 0ull);
    bits &= ~(fault(cpu, FAULT_SMM_FREEZE_REFUSED) ? DEBUGCTL_FREEZE_WHILE_SMM : 0ull);
    bits |= fault(cpu, FAULT_OFF_BITS_EXTRA) ? OFF_BITS : 0;
    return bits;
}

/* What the register holds after a write. */
static uint64_t written(struct ds_cpu *cpu, uint64_t value)
{
    if (cpu->fault_memory.lbr_frozen && value & DEBUGCTL_LBR) {
        cpu->fault_memory.lbr_frozen = false;
        value &= ~(fault(cpu, FAULT_LBR_STAYS_OFF) ? DEBUGCTL_LBR : 0ull);
    }
    value &= ~(fault(cpu, FAULT_BTS_BITS_DROPPED) ? BTS_BITS : 0ull);
    value &= ~(fault(cpu, FAULT_OFF_BITS_DROPPED) ? OFF_BITS : 0ull);
    return value;
}

bool debugctl_write(struct ds_cpu *cpu, uint64_t value)
{
    bool was_tracing = debugctl_is_set(cpu, DEBUGCTL_TR);
    bool was_storing = debugctl_is_set(cpu, DEBUGCTL_TR | DEBUGCTL_BTS);
    uint64_t accepted = accepted_bits(cpu);

    if (value & ~accepted && !cpu->variation.reserved_ignored) {
        return false;
    }
    value &= accepted;
    cpu->threshold_met = false;
    cpu->debugctl = written(cpu, value);
    if (!was_tracing) {
        cpu->fault_memory.setting = cpu->debugctl;
    }
    cpu->fault_memory.bts_goes_on =
        was_storing && !debugctl_is_set(cpu, DEBUGCTL_TR) && fault(cpu, FAULT_TR_CLEAR_LATE);
    cpu->fault_memory.tr_feeds = fault_is_on(cpu, FAULT_TR_FEEDS_IRREGULAR) && fault_chance(cpu, 2);
    return true;
}
