// SPDX-License-Identifier: GPL-2.0-or-later
/* Errata of RDMSR and WRMSR. */
#include "errata.h"
#include "family.h"
#include "global_status.h"
#include "lbr.h"
#include "pmi.h"

#define IA32_PERFEVTSEL4            0x18a
#define IA32_PERFEVTSEL7            0x18d
#define IA32_FIXED_CTR2             0x30b
#define IA32_PERF_GLOBAL_CTRL       0x38f
#define IA32_PERF_GLOBAL_STATUS_SET 0x391
#define IA32_PEBS_ENABLE            0x3f1

#define NEAR_THE_END 0x3full /* below all ones */
#define FIXED_2      (COUNTER_FIXED + 2)

uint64_t errata_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    bool upper = msr >= IA32_PERFEVTSEL4 && msr <= IA32_PERFEVTSEL7;

    if (upper && fault_is_on(cpu, FAULT_UPPER_SELECT_MISREAD)) {
        return cpu->general_select[msr - IA32_PERFEVTSEL4]; /* of its neighbour below */
    }
    return value;
}

static bool refuses(struct ds_cpu *cpu, uint32_t msr, uint64_t value)
{
    uint32_t from = family_of(&cpu->profile)->lbr_from;
    bool is_from = msr >= from && msr - from < lbr_depth(&cpu->profile);
    unsigned upper = value >> 61 & 3, wanted = value >> 47 & 1 ? 3 : 0;

    return is_from && upper != wanted && fault(cpu, FAULT_LBR_FLAGS_REFUSED);
}

bool errata_before_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t *value)
{
    uint64_t armed = cpu->pebs_armed & cpu->pebs_enable & ~*value;

    if (!faults_are_on(cpu)) {
        return true;
    }
    if (msr == IA32_PEBS_ENABLE && armed && fault(cpu, FAULT_PEBS_AFTER_DISABLE)) {
        cpu->errata_memory.pebs_disabled = armed;
    }
    uint64_t stopped = cpu->errata_memory.overflowed & cpu->counting & ~*value;

    if (msr == IA32_PERF_GLOBAL_CTRL && stopped && fault(cpu, FAULT_OVERFLOW_STICKS)) {
        cpu->errata_memory.overflow_sticks = stopped;
    }
    if (msr == IA32_PERF_GLOBAL_STATUS_SET && *value & STATUS_CONDCHGD &&
        fault(cpu, FAULT_SET_CONDCHGD_IGNORED)) {
        *value &= ~STATUS_CONDCHGD;
    }
    return !refuses(cpu, msr, *value);
}

/* The sequence of events, one a counter, that Intel gives to bring the counters to life. */
static bool is_flush(const struct ds_cpu *cpu, uint64_t enables)
{
    static const uint16_t sequence[] = {0xb5, 0xd2, 0xb1, 0xb1};

    for (unsigned i = 0; i < 4; i++) {
        if ((cpu->general_select[i] & 0xffff) != sequence[i]) {
            return false;
        }
    }
    return (enables & 0xf) == 0xf;
}

void errata_msr_written(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                        uint64_t value)
{
    if (!faults_are_on(cpu)) {
        return;
    }
    bool large = value > counter_value_bits(&cpu->profile, FIXED_2) - NEAR_THE_END;

    if (msr == IA32_PERF_GLOBAL_CTRL && is_flush(cpu, value)) {
        cpu->errata_memory.flush_due = false;
    }
    if ((msr == IA32_FIXED_CTR2 && large && counter_signals(cpu, FIXED_2) &&
         fault(cpu, FAULT_FIXED_2_LARGE_PMI)) ||
        (msr == IA32_PEBS_ENABLE && fault(cpu, FAULT_PEBS_SWITCH_PMI))) {
        pmi_request(cpu, host);
    }
}
