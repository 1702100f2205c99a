// SPDX-License-Identifier: GPL-2.0-or-later
#include "arch_pebs.h"

#include "arch_pebs_record.h"
#include "counter.h"
#include "global_status.h"
#include "pebs.h"

#define IA32_PEBS_BASE       0x3f4
#define IA32_PEBS_INDEX      0x3f5
#define FORMAT_ARCHITECTURAL 0xf

/* IA32_PEBS_BASE (F22.30). */
#define BASE_ADDRESS   0xffffffffff000ull
#define BASE_SIZE      0xfull /* 4 KiB times 2 to this power */
#define SMALLEST_SHIFT 12

/* IA32_PEBS_INDEX (F22.31). WR, unshifted, is an offset in bytes. */
#define INDEX_WR              0x7fffff0ull
#define INDEX_FULL            (1ull << 31)
#define INDEX_EN              (1ull << 32)
#define INDEX_THRESHOLD       (0x7fffffull << 36)
#define INDEX_THRESHOLD_SHIFT 32 /* down to where it is an offset in bytes */

#define CONFIG_RELOAD      0xffffffffull
#define CONFIG_RELOAD_SIGN 0x80000000ull
#define CONFIG_SHIFT       32
#define CONFIG_ENABLE      (1ull << 63)

bool arch_pebs_exists(const struct ds_profile *profile)
{
    return pebs_format(profile) == FORMAT_ARCHITECTURAL;
}

uint64_t arch_pebs_config_bits(const struct ds_profile *profile, unsigned number)
{
    if (!arch_pebs_exists(profile) || !(profile->arch_pebs_counters >> number & 1)) {
        return 0;
    }
    return CONFIG_RELOAD | (uint64_t)profile->arch_pebs_config << CONFIG_SHIFT | CONFIG_ENABLE;
}

static bool is_on(const struct ds_cpu *cpu)
{
    return cpu->arch_pebs_index & INDEX_EN;
}

uint64_t arch_pebs_counters(const struct ds_cpu *cpu)
{
    uint64_t counters = 0;

    if (!is_on(cpu) && cpu->variation.arch_pebs_off_overflows) {
        return 0;
    }
    for (uint64_t rest = cpu->profile.arch_pebs_counters; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        bool enabled = cpu->config_c[counter_place(number)] & CONFIG_ENABLE;

        counters |= (uint64_t)enabled << number;
    }
    return counters;
}

uint64_t arch_pebs_reset_value(const struct ds_cpu *cpu, unsigned number)
{
    uint64_t value = cpu->config_c[counter_place(number)] & CONFIG_RELOAD;

    return (value ^ CONFIG_RELOAD_SIGN) - CONFIG_RELOAD_SIGN;
}

static uint64_t buffer_size(const struct ds_cpu *cpu)
{
    return 1ull << (SMALLEST_SHIFT + (cpu->arch_pebs_base & BASE_SIZE));
}

/* No text says when FULL is set: with the record that no longer fits, or with the one after which
 * no other of its size would. */
static bool store(struct ds_cpu *cpu, const struct ds_host *host, const struct pebs_event *event)
{
    uint8_t record[ARCH_PEBS_RECORD_MAX];
    uint64_t limit = buffer_size(cpu);
    uint64_t place = cpu->arch_pebs_index & INDEX_WR;

    if (!is_on(cpu) || cpu->arch_pebs_index & INDEX_FULL) {
        return false;
    }
    size_t size = arch_pebs_record(cpu, host, event, record);

    if (place + size > limit) {
        cpu->arch_pebs_index |= INDEX_FULL;
        return false;
    }
    if (!host->write_physical(host->opaque, (cpu->arch_pebs_base & BASE_ADDRESS) + place, record,
                              size)) {
        return false;
    }
    place += size;
    cpu->arch_pebs_index = (cpu->arch_pebs_index & ~INDEX_WR) | (place & INDEX_WR);
    if (cpu->variation.arch_pebs_full_early && place + size > limit) {
        cpu->arch_pebs_index |= INDEX_FULL;
    }
    return true;
}

static void reload(struct ds_cpu *cpu, uint64_t counters)
{
    for (uint64_t rest = counters; rest; rest &= rest - 1) {
        unsigned number = counter_first(rest);
        uint64_t value = arch_pebs_reset_value(cpu, number);

        *counter_value(cpu, number) = value & counter_value_bits(&cpu->profile, number);
        counter_loaded(cpu, number);
    }
}

static bool reaches_threshold(const struct ds_cpu *cpu)
{
    uint64_t threshold = (cpu->arch_pebs_index & INDEX_THRESHOLD) >> INDEX_THRESHOLD_SHIFT;

    return (cpu->arch_pebs_index & INDEX_WR) >= threshold;
}

bool arch_pebs_assist(struct ds_cpu *cpu, const struct ds_host *host,
                      const struct pebs_event *event)
{
    bool was_full = cpu->arch_pebs_index & INDEX_FULL;
    bool stored = store(cpu, host, event);
    bool fills = !was_full && cpu->arch_pebs_index & INDEX_FULL;

    if (!cpu->variation.arch_pebs_keeps_overflow) {
        cpu->global_status &= ~event->counters;
    }
    reload(cpu, event->counters); /* a full buffer costs records, not the rhythm */
    if ((stored && reaches_threshold(cpu)) || (fills && cpu->variation.arch_pebs_full_interrupts)) {
        cpu->global_status |= STATUS_ARCH_PEBS;
        return true;
    }
    return false;
}

void arch_pebs_init(struct ds_cpu *cpu)
{
    if (!cpu->variation.init_keeps_arch_pebs) {
        cpu->arch_pebs_base = 0;
        cpu->arch_pebs_index = 0;
    }
}

enum ds_msr_result arch_pebs_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    if (msr != IA32_PEBS_BASE && msr != IA32_PEBS_INDEX) {
        return DS_MSR_NOT_MINE;
    }
    if (!arch_pebs_exists(&cpu->profile)) {
        return DS_MSR_FAULT;
    }
    *value = msr == IA32_PEBS_BASE ? cpu->arch_pebs_base : cpu->arch_pebs_index;
    return DS_MSR_DONE;
}

enum ds_msr_result arch_pebs_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    uint64_t *place = msr == IA32_PEBS_BASE ? &cpu->arch_pebs_base : &cpu->arch_pebs_index;
    uint64_t bits = msr == IA32_PEBS_BASE ? BASE_ADDRESS | BASE_SIZE
                                          : INDEX_WR | INDEX_FULL | INDEX_EN | INDEX_THRESHOLD;

    if (msr != IA32_PEBS_BASE && msr != IA32_PEBS_INDEX) {
        return DS_MSR_NOT_MINE;
    }
    if (!arch_pebs_exists(&cpu->profile) || value & ~bits) {
        return DS_MSR_FAULT;
    }
    *place = value;
    return DS_MSR_DONE;
}
