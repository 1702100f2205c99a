// SPDX-License-Identifier: GPL-2.0-or-later
/* RDMSR and WRMSR: which registers there are, and what they refuse. */
#include "debug_store.h"

#include "arch_lbr.h"
#include "arch_pebs.h"
#include "counter_msr.h"
#include "debugctl.h"
#include "errata.h"
#include "lbr.h"
#include "ler.h"
#include "linear.h"
#include "misc_enable.h"
#include "not_lent.h"
#include "pebs.h"
#include "perf_capabilities.h"
#include "pmi.h"
#include "taken.h"

#define REGISTER_C7            0x0c7
#define REGISTER_C7_VALUE      0x2300000052000000ull
#define IA32_MISC_ENABLE       0x1a0
#define IA32_DEBUGCTL          0x1d9
#define IA32_PERF_CAPABILITIES 0x345
#define IA32_PERF_GLOBAL_CTRL  0x38f
#define IA32_DS_AREA           0x600

#define MSR_UNCORE_PERF_GLOBAL_CTRL 0x391

/* IA32_PERF_GLOBAL_STATUS_SET from version 4 on; before, a register that some processors have. */
static bool is_uncore(const struct ds_cpu *cpu, uint32_t msr)
{
    return msr == MSR_UNCORE_PERF_GLOBAL_CTRL && cpu->profile.uncore_391;
}

static enum ds_msr_result done_if(bool accepted)
{
    return accepted ? DS_MSR_DONE : DS_MSR_FAULT;
}

static bool write_ds_area(struct ds_cpu *cpu, uint64_t value)
{
    if (!cpu->profile.ds || !linear_is_canonical(&cpu->profile, value)) {
        return false;
    }
    cpu->ds_area = value;
    return true;
}

static bool is_register_c7(const struct ds_cpu *cpu, uint32_t msr)
{
    return msr == REGISTER_C7 && cpu->profile.register_c7;
}

static enum ds_msr_result own_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    if (is_uncore(cpu, msr)) {
        *value = cpu->uncore_control;
        return DS_MSR_DONE;
    }
    if (is_register_c7(cpu, msr)) {
        *value = REGISTER_C7_VALUE;
        return DS_MSR_DONE;
    }
    switch (msr) {
    case IA32_MISC_ENABLE:
        *value = cpu->misc_enable;
        return DS_MSR_DONE;
    case IA32_DEBUGCTL:
        *value = cpu->debugctl;
        return DS_MSR_DONE;
    case IA32_PERF_CAPABILITIES:
        *value = perf_capabilities(cpu);
        return done_if(cpu->profile.pdcm);
    case IA32_DS_AREA:
        *value = cpu->ds_area;
        return done_if(cpu->profile.ds);
    default:
        return DS_MSR_NOT_MINE;
    }
}

static enum ds_msr_result own_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    if (is_uncore(cpu, msr)) {
        cpu->uncore_control = value;
        return DS_MSR_DONE;
    }
    if (is_register_c7(cpu, msr)) {
        return DS_MSR_DONE;
    }
    switch (msr) {
    case IA32_MISC_ENABLE:
        return done_if(misc_enable_write(cpu, value));
    case IA32_DEBUGCTL:
        return done_if(debugctl_write(cpu, value));
    case IA32_PERF_CAPABILITIES:
        return DS_MSR_FAULT; /* read-only, or not there (F1.33) */
    case IA32_DS_AREA:
        return done_if(write_ds_area(cpu, value));
    default:
        return DS_MSR_NOT_MINE;
    }
}

enum ds_msr_result ds_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    enum ds_msr_result result = DS_MSR_NOT_MINE;

    if (not_lent_register(cpu, msr, &result)) {
        *value = 0;
        return result;
    }
    if (cpu->profile.present) {
        taken_before_read(cpu);
        result = own_read(cpu, msr, value);
        result = result == DS_MSR_NOT_MINE ? counter_msr_read(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? pebs_msr_read(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? arch_pebs_msr_read(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? lbr_msr_read(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? arch_lbr_msr_read(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? ler_msr_read(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? taken_msr_read(cpu, msr, value) : result;
        *value = result == DS_MSR_DONE ? errata_msr_read(cpu, msr, *value) : *value;
    }
    return result;
}

enum ds_msr_result ds_msr_write(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                                uint64_t value)
{
    enum ds_msr_result result = DS_MSR_NOT_MINE;

    if (cpu->profile.present) {
        pebs_settle(cpu);     /* the write serializes (F2.5): what is being armed is armed, */
        pmi_flush(cpu, host); /* what is on its way arrives */
        if (not_lent_register(cpu, msr, &result)) {
            return result;
        }
        if (!errata_before_msr_write(cpu, msr, &value)) {
            return DS_MSR_FAULT;
        }
        if (msr == IA32_PERF_GLOBAL_CTRL && pebs_hangs(cpu, host)) {
            host->hang(host->opaque);
            return DS_MSR_DONE;
        }
        result = own_write(cpu, msr, value);
        result = result == DS_MSR_NOT_MINE ? counter_msr_write(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? pebs_msr_write(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? arch_pebs_msr_write(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? lbr_msr_write(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? arch_lbr_msr_write(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? ler_msr_write(cpu, msr, value) : result;
        result = result == DS_MSR_NOT_MINE ? taken_msr_write(cpu, msr, value) : result;
        if (result == DS_MSR_DONE) {
            errata_msr_written(cpu, host, msr, value);
            cpu->left_running &= msr == IA32_MISC_ENABLE; /* which firmware writes */
        }
        if (is_uncore(cpu, msr)) {
            host->uncore_written(host->opaque, value);
        }
    }
    return result;
}
