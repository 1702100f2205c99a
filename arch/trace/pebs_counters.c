/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which counters of which processor can do PEBS (F3.60). */
#include "arch/cpu/features.h"
#include "arch/trace/features.h"
#include "arch/trace/pebs.h"

#define FAMILY_P6 0x06u

/* Models whose PEBS is on the first counter alone: Core 2, Atom, Silvermont, Airmont, Goldmont. */
static const uint8_t one_counter_models[] = {
    0x0f, 0x17, 0x1d, 0x1c, 0x26, 0x27, 0x35, 0x36, 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x5c, 0x5f,
};

static bool has_one_counter(void)
{
    const struct cpu_identity *identity = &cpu_features.identity;

    if (pebs_format() == 0)
        return true;
    for (size_t i = 0; i < sizeof one_counter_models; i++)
        if (identity->family == FAMILY_P6 && identity->model == one_counter_models[i])
            return true;
    return false;
}

static uint64_t general_counters(unsigned at_most)
{
    unsigned count = trace_features.perfmon.counters;

    return PEBS_GENERAL(count < at_most ? count : at_most) - 1;
}

uint64_t pebs_counters(void)
{
    unsigned fixed = trace_features.perfmon.fixed_counters;

    if (!feature_present(FEATURE_PEBS_RECORDS))
        return 0;
    if (has_one_counter())
        return PEBS_GENERAL(0);
    if (pebs_format() < PEBS_FORMAT_ADAPTIVE)
        return general_counters(4);
    if (fixed > PEBS_FIXED_RESETS)
        fixed = PEBS_FIXED_RESETS;
    return general_counters(PEBS_GENERAL_RESETS) | ((1ull << fixed) - 1) << 32;
}
