/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/facility.h"

#include "arch/cpu/apic/apic.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "arch/trace/trace_state.h"

#define LVT_WRITTEN 0x107ffu /* vector, delivery mode, mask (F5.10) */

/* A register that is enumerated, and that a hypervisor does not lend, faults. */
static struct {
    bool tried;
    uint64_t refused; /* registers, a bit each, by the order in which they are read */
} known[PROCESSORS_MAX];

static uint64_t read_unless_refused(unsigned place, uint32_t number)
{
    uint64_t *refused = &known[this_cpu()->index].refused, value = 0;

    if (!(*refused >> place & 1) && exception_happened(rdmsr_safe(number, &value)))
        *refused |= 1ull << place;
    return value;
}

static uint64_t read_where(enum feature feature, unsigned place, uint32_t number)
{
    return feature_present(feature) ? read_unless_refused(place, number) : 0;
}

enum { PLACE_DS_AREA, PLACE_PEBS, PLACE_DATA, PLACE_CONTROL, PLACE_FIXED, PLACE_SELECT };

_Static_assert(PLACE_SELECT + PMU_GENERAL_MAX <= 64, "a bit each");

static void read_counters(struct facility *facility)
{
    PMU_EACH_GENERAL(i) {
        facility->general[i] = pmu_read((struct counter){.number = i});
        facility->event_select[i] = read_unless_refused(PLACE_SELECT + i, pmu_select_register(i));
    }
    for (unsigned i = 0; i < pmu_fixed_count(); i++)
        if (pmu_counter_exists((struct counter){.fixed = true, .number = i}))
            facility->fixed[i] = pmu_read((struct counter){.fixed = true, .number = i});
}

void facility_read(struct facility *facility)
{
    *facility = (struct facility){
        .debugctl = debugctl_read(),
        .select = lbr_selected(),
        .ds_area = read_where(FEATURE_DS, PLACE_DS_AREA, IA32_DS_AREA),
        .pebs_enable = read_where(FEATURE_PEBS, PLACE_PEBS, IA32_PEBS_ENABLE),
        .data_config = read_where(FEATURE_PEBS_ADAPTIVE, PLACE_DATA, MSR_PEBS_DATA_CFG),
        .control = pmu_ours(read_where(FEATURE_PERFMON2, PLACE_CONTROL, IA32_PERF_GLOBAL_CTRL)),
        .status = pmu_status() & pmu_status_mask(),
    };
    if (pmu_fixed_count())
        facility->fixed_control =
            pmu_ours_fixed(read_where(FEATURE_PERFMON2, PLACE_FIXED, IA32_FIXED_CTR_CTRL));
    if (apic_mode() != APIC_MODE_ABSENT && apic_has_power())
        facility->lvt = apic_pmi_raw() & LVT_WRITTEN;
    read_counters(facility);
}

void facility_try(void)
{
    struct facility unused;

    if (!known[this_cpu()->index].tried)
        facility_read(&unused);
    known[this_cpu()->index].tried = true;
}

/* Fowler, Noll and Vo's, of 64 bits at a time. */
static uint64_t sum_of(const struct lbr_snapshot *stack)
{
    const uint64_t *words = (const uint64_t *)stack;
    uint64_t sum = 0xcbf29ce484222325;

    for (size_t i = 0; i < sizeof *stack / sizeof *words; i++)
        sum = (sum ^ words[i]) * 0x100000001b3;
    return sum;
}

void facility_look(struct facility_look *look, bool with_stack)
{
    struct lbr_snapshot stack = {0};

    facility_read(&look->registers);
    look->area = trace_state()->memory->area;
    look->stack = 0;
    look->last_exception = (struct ler){0};
    if (feature_present(FEATURE_LER))
        ler_read(&look->last_exception);
    look->misc_enable = cpu_features()->misc_enable_readable ? rdmsr(IA32_MISC_ENABLE) : 0;
    if (!with_stack)
        return;
    lbr_capture(&stack);
    look->stack = sum_of(&stack);
}
