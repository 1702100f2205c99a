/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/freeze_flavour.h"

#include "arch/cpu/identity/models.h"
#include "arch/trace/debugctl.h"

#define FREEZE_AND_TR ((uint64_t)(DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_TR))

bool freeze_is_streamlined(void)
{
    return feature_present(FEATURE_PERFMON4);
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
    bool streamlined = event->global_status & PERF_GLOBAL_STATUS_LBR_FRZ;
    bool froze = streamlined || !(event->debugctl & DEBUGCTL_LBR);

    if (choice_of(CHOICE_LBR_FREEZE) == VALUE_UNKNOWN && freeze_of_lbr_is_open() &&
        freeze_is_streamlined() && froze)
        choice_learn(t, CHOICE_LBR_FREEZE, streamlined ? VALUE_STREAMLINED : VALUE_LEGACY);
}

static bool has_both(uint64_t debugctl)
{
    return (debugctl & FREEZE_AND_TR) == FREEZE_AND_TR;
}

uint64_t freeze_written(uint64_t debugctl)
{
    bool cleared = has_both(debugctl) && choice_of(CHOICE_FREEZE_OR_TR) == VALUE_AT_WRITE;

    return cleared ? debugctl & ~(uint64_t)DEBUGCTL_TR : debugctl;
}

uint64_t freeze_beside_tr(uint64_t debugctl)
{
    bool cleared = freeze_written(debugctl) != debugctl;

    return cleared ? debugctl & ~(uint64_t)DEBUGCTL_FREEZE_LBRS_ON_PMI : debugctl;
}

/* TR alone: no branch is stored. */
void freeze_learn_beside_tr(struct test_context *t)
{
    if (!core_has(FREEZE_OR_TR) || FREEZE_AND_TR & ~debugctl_enumerated() ||
        choice_of(CHOICE_FREEZE_OR_TR) != VALUE_UNKNOWN)
        return;
    debugctl_write_safe(FREEZE_AND_TR);
    if (!(debugctl_read() & DEBUGCTL_TR))
        choice_learn(t, CHOICE_FREEZE_OR_TR, VALUE_AT_WRITE);
    debugctl_clear();
}

uint64_t freeze_may_clear(uint64_t debugctl)
{
    bool tr_too = core_has(FREEZE_OR_TR) && has_both(debugctl) &&
                  choice_of(CHOICE_FREEZE_OR_TR) != VALUE_KEPT;

    return tr_too ? DEBUGCTL_LBR | DEBUGCTL_TR : DEBUGCTL_LBR;
}

uint64_t freeze_leaves(struct test_context *t, uint64_t debugctl, uint64_t now)
{
    if (freeze_may_clear(debugctl) & DEBUGCTL_TR)
        choice_learn(t, CHOICE_FREEZE_OR_TR, now & DEBUGCTL_TR ? VALUE_KEPT : VALUE_AT_FREEZE);
    return debugctl & ~freeze_may_clear(debugctl);
}

uint64_t freeze_by_bts(uint64_t debugctl, enum choice_value learnt)
{
    static const uint64_t bits[] = {DEBUGCTL_FREEZE_LBRS_ON_PMI, DEBUGCTL_FREEZE_PERFMON_ON_PMI};
    uint64_t found = 0;

    for (unsigned i = 0; i < AXIS_FREEZE_POINTS; i++)
        if (choice_of(CHOICE_BTS_FREEZES, i) == learnt)
            found |= bits[i];
    return debugctl & found;
}
