// SPDX-License-Identifier: GPL-2.0-or-later
/* RDMSR and WRMSR of PEBS and of what belongs to its events. */
#include "pebs.h"

#include "arch_pebs.h"
#include "counter.h"
#include "family.h"
#include "lbr.h"
#include "pebs_record.h"
#include "perf_capabilities.h"

#define IA32_PEBS_ENABLE          0x3f1
#define MSR_PEBS_DATA_CFG         0x3f2
#define MSR_PEBS_LD_LAT_THRESHOLD 0x3f6
#define MSR_PEBS_FRONTEND         0x3f7
#define MSR_RELOAD_FIXED_CTR0     0x1309
#define MSR_RELOAD_PMC0           0x14c1

#define LATENCY_BITS         0xffffull
#define FRONTEND_BITS        0x7fffffull
#define OFFCORE_BITS         0x3fffffffffull
#define ENABLE_LATENCY_SHIFT 32

#define NO_COUNTER 64

#define FORMAT_COUNTERS 6 /* from it on records can hold counters (F22.2) */

/* The counter that restarts from this register where records go to Intel PT (F22.24); none: 64 */
static unsigned reloaded_from(uint32_t msr)
{
    if (msr - MSR_RELOAD_PMC0 < DS_GENERAL_COUNTERS_MAX) {
        return msr - MSR_RELOAD_PMC0;
    }
    return msr - MSR_RELOAD_FIXED_CTR0 < DS_FIXED_COUNTERS_MAX
               ? COUNTER_FIXED + msr - MSR_RELOAD_FIXED_CTR0
               : NO_COUNTER;
}

static bool is_mine(uint32_t msr)
{
    switch (msr) {
    case MSR_OFFCORE_RSP_0:
    case MSR_OFFCORE_RSP_1:
    case IA32_PEBS_ENABLE:
    case MSR_PEBS_DATA_CFG:
    case MSR_PEBS_LD_LAT_THRESHOLD:
    case MSR_PEBS_FRONTEND:
        return true;
    default:
        return reloaded_from(msr) != NO_COUNTER;
    }
}

/* The family's bits, as far as this processor has the counters that they mean; with the baseline
 * every counter's (F22.17). */
static uint64_t enable_bits(const struct ds_profile *profile)
{
    uint64_t counters = counter_existing(profile);
    bool fixed = family_of(profile)->pebs_fixed;
    bool to_pt = perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_TO_PT);

    if (perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_BASELINE)) {
        return counters | (to_pt ? PEBS_ENABLE_OUTPUT | PEBS_ENABLE_PMI : 0);
    }
    if (!fixed) {
        /* No fixed counters; bits from 32 on are the load latency of the general-purpose ones. */
        counters &= (1ull << COUNTER_FIXED) - 1;
        counters |= counters << ENABLE_LATENCY_SHIFT | 1ull << 63;
    }
    return family_of(profile)->pebs_enable & counters;
}

/* MSR_PEBS_DATA_CFG by the format of the records (F22.6). */
static uint64_t data_config_bits(const struct ds_profile *profile)
{
    uint64_t counters = counter_existing(profile);
    uint64_t groups = DATA_CONFIG_MEMORY | DATA_CONFIG_REGISTERS | DATA_CONFIG_XMM |
                      DATA_CONFIG_LBR | 0xffull << DATA_CONFIG_LBR_SHIFT;

    if (pebs_format(profile) < FORMAT_COUNTERS) {
        return groups;
    }
    groups |= profile->metrics ? DATA_CONFIG_METRICS : 0;
    return groups | DATA_CONFIG_COUNTERS | (counters & 0xffff) << DATA_CONFIG_GENERAL_SHIFT |
           (counters >> COUNTER_FIXED & 0xff) << DATA_CONFIG_FIXED_SHIFT;
}

static bool data_config_is_valid(const struct ds_cpu *cpu, uint64_t value)
{
    uint64_t entries = value >> DATA_CONFIG_LBR_SHIFT & 0xff;

    return !(value & ~data_config_bits(&cpu->profile)) &&
           (entries == 0 || entries < lbr_depth_most(&cpu->profile));
}

/* Beside architectural PEBS those of the other kind may be there, and mean nothing (F22.39). */
static bool registers_exist(const struct ds_cpu *cpu, uint32_t msr)
{
    bool replaced = msr == IA32_PEBS_ENABLE || msr == MSR_PEBS_DATA_CFG;

    if (arch_pebs_exists(&cpu->profile)) {
        return !replaced || cpu->variation.old_pebs_registers;
    }
    return pebs_exists(&cpu->profile);
}

/* The state behind MSR_RELOAD_PMCx and MSR_RELOAD_FIXED_CTRx, likewise. */
static uint64_t *locate_reload(struct ds_cpu *cpu, unsigned number, uint64_t value, bool *accepts)
{
    const struct ds_profile *profile = &cpu->profile;
    bool exists = perf_capabilities_has(profile, PERF_CAPABILITIES_PEBS_TO_PT) &&
                  counter_existing(profile) >> number & 1;

    *accepts = exists && !(value & ~counter_value_bits(profile, number));
    return exists ? &cpu->pebs_reload[counter_place(number)] : NULL;
}

/* The state behind an MSR, or NULL; *accepts: whether value could be written to it. */
static uint64_t *locate(struct ds_cpu *cpu, uint32_t msr, uint64_t value, bool *accepts)
{
    const struct ds_profile *profile = &cpu->profile;
    const struct family *family = family_of(profile);

    if (msr == MSR_OFFCORE_RSP_0 || msr == MSR_OFFCORE_RSP_1) {
        *accepts = !(value & ~OFFCORE_BITS);
        return family->offcore_response ? &cpu->offcore[msr - MSR_OFFCORE_RSP_0] : NULL;
    }
    if (!registers_exist(cpu, msr)) {
        return NULL;
    }
    if (reloaded_from(msr) != NO_COUNTER) {
        return locate_reload(cpu, reloaded_from(msr), value, accepts);
    }
    switch (msr) {
    case IA32_PEBS_ENABLE:
        *accepts = !(value & ~enable_bits(profile)) || profile->counter_bits_ignored;
        return &cpu->pebs_enable;
    case MSR_PEBS_DATA_CFG:
        *accepts = data_config_is_valid(cpu, value);
        return pebs_is_adaptive(profile) || arch_pebs_exists(profile) ? &cpu->pebs_data_config
                                                                      : NULL;
    case MSR_PEBS_LD_LAT_THRESHOLD:
        *accepts = !(value & ~LATENCY_BITS) || profile->latency_bits_ignored;
        return family->load_latency ? &cpu->load_latency : NULL;
    default:
        *accepts = !(value & ~FRONTEND_BITS);
        return family->frontend ? &cpu->frontend : NULL;
    }
}

enum ds_msr_result pebs_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    bool accepts;

    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    const uint64_t *place = locate(cpu, msr, 0, &accepts);
    if (!place) {
        return DS_MSR_FAULT;
    }
    *value = *place;
    return DS_MSR_DONE;
}

static enum ds_msr_result write_enable(struct ds_cpu *cpu, uint64_t value)
{
    cpu->pebs_enable = value;
    pebs_forget(cpu, ~value); /* a counter taken out makes no record any more */
    return DS_MSR_DONE;
}

enum ds_msr_result pebs_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    bool accepts = false;

    if (!is_mine(msr)) {
        return DS_MSR_NOT_MINE;
    }
    uint64_t *place = locate(cpu, msr, value, &accepts);
    if (!place || !accepts) {
        return DS_MSR_FAULT;
    }
    if (msr == IA32_PEBS_ENABLE) {
        return write_enable(cpu, value & enable_bits(&cpu->profile));
    }
    *place = msr == MSR_PEBS_LD_LAT_THRESHOLD ? value & LATENCY_BITS : value;
    return DS_MSR_DONE;
}
