/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/pmu_blocks.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"

#define VERSION_OF_BLOCKS 6u
#define BLOCK_REGISTERS   4u

bool pmu_has_blocks(void)
{
    return pmu_version() >= VERSION_OF_BLOCKS;
}

uint32_t pmu_block_register(struct counter counter, enum pmu_block_part part)
{
    uint32_t first = counter.fixed ? IA32_PMC_FX0_CTR : IA32_PMC_GP0_CTR;

    return first + BLOCK_REGISTERS * counter.number + part;
}

static uint64_t global_bits(struct perfmon_pair counters)
{
    return (counters.general | (uint64_t)counters.fixed << 32) & pmu_all_counters();
}

uint64_t pmu_reloadable(void)
{
    return global_bits(trace_features()->perfmon.own.reloaded);
}

uint64_t pmu_reloading(void)
{
    return global_bits(trace_features()->perfmon.own.reloads);
}

void pmu_reload(struct counter counter, uint64_t by, uint64_t value)
{
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_C), value & UINT32_MAX);
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_B), by);
}

void pmu_reload_off(struct counter counter)
{
    if (!(pmu_reloadable() & pmu_global_bit(counter)))
        return;
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_B), 0);
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_C), 0);
}
