/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/freeze_flavour.h"

#include "arch/cpu/models.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/perfmon.h"

bool freeze_is_streamlined(void)
{
    return feature_present(FEATURE_PERFMON4);
}

const char *freeze_flavour_name(void)
{
    return freeze_is_streamlined() ? "streamlined" : "legacy";
}

/* The first freeze tells, and the processor is held to it. */
bool freeze_of_lbr_is_open(void)
{
    return core_has(LBR_FREEZE_IS_OPEN);
}

bool freeze_of_lbr_can_be_set(void)
{
    bool frozen;

    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ);
    frozen = pmu_status() & PERF_GLOBAL_STATUS_LBR_FRZ;
    pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
    return frozen;
}

bool freeze_lbr_is_streamlined(void)
{
    return freeze_is_streamlined() && choice_of(CHOICE_LBR_FREEZE) != VALUE_LEGACY;
}

enum choice_value freeze_lbr_flavour(void)
{
    if (!freeze_is_streamlined())
        return VALUE_LEGACY;
    return freeze_of_lbr_is_open() ? choice_of(CHOICE_LBR_FREEZE) : VALUE_STREAMLINED;
}

void freeze_learn_lbr_flavour(struct test_context *t, const struct pmi_event *event)
{
    bool legacy =
        !(event->debugctl & DEBUGCTL_LBR) && !(event->global_status & PERF_GLOBAL_STATUS_LBR_FRZ);

    if (choice_of(CHOICE_LBR_FREEZE) != VALUE_UNKNOWN || !freeze_of_lbr_is_open() ||
        !freeze_is_streamlined())
        return;
    choice_learn(t, CHOICE_LBR_FREEZE, legacy ? VALUE_LEGACY : VALUE_STREAMLINED);
}
