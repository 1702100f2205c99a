// SPDX-License-Identifier: GPL-2.0-or-later
/* Seam: memory is read or written. The area is looked for elsewhere, or remembered. */
#include "seams.h"

#define IA32_DS_AREA 0x600
#define RESETS       (DS_GENERAL_COUNTERS_MAX + DS_FIXED_COUNTERS_MAX)

/* Shared by all processors. */
static uint64_t newest_area;

void fault_reset(const struct ds_cpu *cpu, struct ds_cpu *fresh)
{
    fresh->faults = cpu->faults;
    __atomic_store_n(&newest_area, 0, __ATOMIC_RELAXED);
}

void fault_share_area(const struct ds_cpu *cpu)
{
    __atomic_store_n(&newest_area, cpu->ds_area, __ATOMIC_RELAXED);
}

void fault_msr_written(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                       enum ds_msr_result result)
{
    struct ds_fault_memory *memory = &cpu->fault_memory;
    struct area_buffer buffer = {0};

    if (msr != IA32_DS_AREA || result != DS_MSR_DONE) {
        return;
    }
    fault_share_area(cpu);
    memory->latching = true;
    if (fault_is_on(cpu, FAULT_BTS_AREA_LATCHED)) {
        area_read_buffer(cpu, host, AREA_BTS, &buffer);
        memory->area_base = buffer.base;
        memory->area_maximum = buffer.maximum;
        memory->area_threshold = buffer.threshold;
    }
    for (unsigned i = 0; fault_is_on(cpu, FAULT_PEBS_RESET_LATCHED) && i < RESETS; i++) {
        bool fixed = i >= DS_GENERAL_COUNTERS_MAX;
        unsigned counter = fixed ? i - DS_GENERAL_COUNTERS_MAX : i;
        area_read_reset(cpu, host, counter, fixed, &memory->area_resets[i]);
    }
    memory->latching = false;
}

uint64_t fault_area_address(const struct ds_cpu *cpu)
{
    return fault_is_on(cpu, FAULT_AREA_SHARED) ? __atomic_load_n(&newest_area, __ATOMIC_RELAXED)
                                               : cpu->ds_area;
}

uint64_t fault_used_area(const struct ds_cpu *cpu)
{
    uint64_t dropped = fault_is_on(cpu, FAULT_DS_AREA_LOW_BITS_DROPPED) ? 0xfff : 0;

    return fault_area_address(cpu) & ~dropped;
}

uint64_t fault_sign_extended(uint64_t value)
{
    return (uint64_t)(int64_t)(int32_t)value;
}

uint64_t fault_area_linear(const struct ds_cpu *cpu, uint64_t address)
{
    return fault_is_on(cpu, FAULT_DS_LINEAR_32_BITS) ? fault_sign_extended(address) : address;
}

/* Base, maximum and threshold as they were, the index as it is. */
void fault_recall_buffer(const struct ds_cpu *cpu, enum area_section section,
                         struct area_buffer *buffer)
{
    const struct ds_fault_memory *memory = &cpu->fault_memory;

    if (section == AREA_BTS && !memory->latching && fault_is_on(cpu, FAULT_BTS_AREA_LATCHED)) {
        buffer->base = memory->area_base;
        buffer->maximum = memory->area_maximum;
        buffer->threshold = memory->area_threshold;
    }
}

void fault_recall_reset(const struct ds_cpu *cpu, unsigned counter, bool fixed, uint64_t *value)
{
    if (!cpu->fault_memory.latching && fault_is_on(cpu, FAULT_PEBS_RESET_LATCHED)) {
        *value = cpu->fault_memory.area_resets[counter + (fixed ? DS_GENERAL_COUNTERS_MAX : 0)];
    }
}

void fault_zero_eight_bytes(const struct ds_host *host, uint64_t address)
{
    static const uint8_t zeroes[8];

    host->write(host->opaque, address, zeroes, sizeof(zeroes));
}
