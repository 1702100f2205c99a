// SPDX-License-Identifier: GPL-2.0-or-later
/* RDPMC: which index reads what, in which ring (F6.23). */
#include "counter.h"
#include "counter_msr.h"
#include "not_lent.h"
#include "slots.h"

#define RDPMC_FIXED     (1u << 30)
#define RDPMC_METRICS   (1u << 29)  /* PERF_METRICS (F21.17) */
#define RDPMC_HIGH_BITS 0x3fffff00u /* above every number of a counter */

/* Whether an index with them is that without them; only two versions leave it open (F6.23). */
static bool ignores_high_bits(const struct ds_cpu *cpu)
{
    unsigned version = cpu->profile.perfmon_version;

    return cpu->variation.rdpmc_high_bits_ignored && (version == 2 || version == 3);
}

static bool is_kept_from_ring_3(const struct ds_cpu *cpu, unsigned number)
{
    return number < COUNTER_FIXED ? cpu->general_select[number] & PERFEVTSEL_USER_OFF
                                  : counter_fixed_field(cpu, number) & FIXED_USER_OFF;
}

bool ds_rdpmc(const struct ds_cpu *cpu, unsigned cpl, uint32_t index, uint64_t *value)
{
    bool fixed = index & RDPMC_FIXED;
    uint32_t i = index & ~RDPMC_FIXED & ~(ignores_high_bits(cpu) ? RDPMC_HIGH_BITS : 0);

    uint32_t most = fixed ? DS_FIXED_COUNTERS_MAX : DS_GENERAL_COUNTERS_MAX;

    if (!is_lent(cpu, DS_FACILITY_COUNTERS)) {
        *value = 0;
        return not_lent_drops(cpu, DS_FACILITY_COUNTERS);
    }
    if (cpu->profile.metrics && index == RDPMC_METRICS) {
        *value = slots_metrics(cpu);
        return true;
    }
    if (!cpu->profile.present || i >= most ||
        !counter_msr_has(cpu, fixed ? COUNTER_FIXED + i : i)) {
        return false;
    }
    if (cpl == 3 && is_kept_from_ring_3(cpu, fixed ? COUNTER_FIXED + i : i)) {
        *value = 0;
        return !cpu->variation.user_read_fault;
    }
    *value = fixed ? cpu->fixed[i] : counter_msr_general(cpu, i);
    return true;
}
