// SPDX-License-Identifier: GPL-2.0-or-later
#include "misc_enable.h"

#include "pebs.h"

#define PERFORMANCE_MONITORING_AVAILABLE (1ull << 7)
#define BTS_UNAVAILABLE                  (1ull << 11)
#define PEBS_UNAVAILABLE                 (1ull << 12)
#define UNAVAILABLE                      (BTS_UNAVAILABLE | PEBS_UNAVAILABLE)
#define OWN_BITS                         (UNAVAILABLE | PERFORMANCE_MONITORING_AVAILABLE)

uint64_t misc_enable_after_reset(const struct ds_profile *profile)
{
    uint64_t value = profile->misc_enable & ~OWN_BITS;

    if (profile->perfmon_version > 0) {
        value |= PERFORMANCE_MONITORING_AVAILABLE;
    }
    if (profile->bts_unavailable || !profile->ds) {
        value |= BTS_UNAVAILABLE;
    }
    if (!pebs_exists(profile)) {
        value |= PEBS_UNAVAILABLE;
    }
    return value;
}

/* The bits whose change faults; those of the others have no effect. */
static uint64_t refused_changes(const struct ds_profile *profile)
{
    switch (profile->unavailable_writes) {
    case 0:
        return UNAVAILABLE;
    case 1:
        return BTS_UNAVAILABLE;
    default:
        return 0;
    }
}

bool misc_enable_write(struct ds_cpu *cpu, uint64_t value)
{
    if ((value ^ cpu->misc_enable) & refused_changes(&cpu->profile)) {
        return false;
    }
    cpu->misc_enable = (value & ~OWN_BITS) | (cpu->misc_enable & OWN_BITS);
    return true;
}
