/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/write_effect.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "tests/spec/choices/freeze_flavour.h"

/* Architectural LBRs have their own switch, which a write of IA32_DEBUGCTL leaves alone (F20.28).
 */
static uint64_t debugctl_after(const struct facility *facility, uint64_t value)
{
    uint64_t kept = feature_present(FEATURE_ARCH_LBR) ? facility->debugctl & DEBUGCTL_LBR : 0;

    return freeze_written(value | kept);
}

/* IA32_PMCi takes 32 bits and extends the sign; the alias and fixed counters take all (F6.2). */
static uint64_t counter_after(struct counter counter, const struct register_write *write)
{
    bool extends = !counter.fixed && write->number == IA32_PMC0 + counter.number;
    uint64_t value = extends ? (uint64_t)(int64_t)(int32_t)write->value : write->value;

    return value & pmu_counter_mask(counter);
}

static void write_counters(struct facility *facility, const struct register_write *write)
{
    PMU_EACH_GENERAL(i) {
        const struct counter counter = {.number = i};

        if (write->number == IA32_PMC0 + i || write->number == IA32_A_PMC0 + i ||
            write->number == pmu_counter_register(counter))
            facility->general[i] = counter_after(counter, write);
        if (write->number == pmu_select_register(i))
            facility->event_select[i] = write->value;
    }
    for (unsigned i = 0; i < pmu_fixed_count(); i++) {
        const struct counter counter = {.fixed = true, .number = i};

        if (write->number == pmu_counter_register(counter))
            facility->fixed[i] = counter_after(counter, write);
    }
}

void write_effect(struct facility *facility, const struct register_write *write)
{
    switch (write->number) {
    case IA32_DEBUGCTL:
        facility->debugctl = debugctl_after(facility, write->value);
        break;
    case MSR_LBR_SELECT:
        facility->select = write->value;
        break;
    case IA32_DS_AREA:
        facility->ds_area = write->value;
        break;
    case IA32_PEBS_ENABLE:
        facility->pebs_enable = write->value;
        break;
    case MSR_PEBS_DATA_CFG:
        facility->data_config = write->value;
        break;
    case IA32_PERF_GLOBAL_CTRL:
        facility->control = pmu_ours(write->value);
        break;
    case IA32_FIXED_CTR_CTRL:
        facility->fixed_control = pmu_ours_fixed(write->value);
        break;
    case IA32_PERF_GLOBAL_OVF_CTRL:
        facility->status &= ~write->value;
        break;
    case IA32_PERF_GLOBAL_STATUS_SET:
        facility->status |= write->value;
        break;
    default:
        write_counters(facility, write);
    }
}
