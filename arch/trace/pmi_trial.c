/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the performance interrupt come? A hypervisor may lend counters without it (F12.57). */
#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/insn.h"
#include "arch/lib/printf.h"
#include "arch/trace/features_found.h"
#include "arch/trace/pmi.h"
#include "arch/trace/pmu.h"

#define PERIOD 100u
#define LOOKS  2000000u /* instructions, and more, after which none comes */

static bool never_comes; /* the same on each processor: one hypervisor lends them */

static bool comes(void)
{
    const struct counter counter = {.number = 0};
    struct pmi_log log = {.policy = PMI_COUNT, .armed = PMI_CAUSE_COUNTER};
    bool seen;

    pmu_reset();
    pmi_start(&log);
    pmu_program(counter, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_PMI);
    pmu_write_period(counter, PERIOD);
    pmu_set_global_control(pmu_global_bit(counter));
    for (unsigned i = 0; i < LOOKS && !pmi_taken(); i++)
        insn_pause();
    seen = pmi_taken();
    pmi_stop();
    pmu_reset();
    return seen;
}

void pmi_try(void)
{
    if (identity_is_somebodys_guest(&cpu_features()->identity) && feature_present(FEATURE_PMI) &&
        feature_present(FEATURE_PERFMON))
        never_comes = !comes();
    cpu_features()->present[FEATURE_PMI] &= !never_comes;
}

static void probe(void)
{
    cpu_features()->present[FEATURE_PMI] = feature_present(FEATURE_APIC) && !never_comes;
}

static bool explain(enum feature feature, char *text, size_t size)
{
    if (feature != FEATURE_PMI)
        return false;
    if (!feature_present(FEATURE_APIC)) {
        feature_missing_reason(FEATURE_APIC, text, size);
        return true;
    }
    format_string(text, size, "no performance interrupt comes of an overflow of PMC0");
    trace_explain_lending(text, size);
    return true;
}

FEATURE_PROBER(pmi_prober, probe, explain, NULL);
