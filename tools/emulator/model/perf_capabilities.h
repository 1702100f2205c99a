// SPDX-License-Identifier: GPL-2.0-or-later
/* IA32_PERF_CAPABILITIES: its fields (F1.30, F1.31). */
#ifndef PERF_CAPABILITIES_H
#define PERF_CAPABILITIES_H

#include "debug_store.h"

#define PERF_CAPABILITIES_LBR_FORMAT       0x3full
#define PERF_CAPABILITIES_PEBS_TRAP        (1ull << 6)
#define PERF_CAPABILITIES_PEBS_REGISTERS   (1ull << 7)
#define PERF_CAPABILITIES_FREEZE_WHILE_SMM (1ull << 12)
#define PERF_CAPABILITIES_FULL_WIDTH       (1ull << 13)
#define PERF_CAPABILITIES_PEBS_BASELINE    (1ull << 14)
#define PERF_CAPABILITIES_PEBS_TO_PT       (1ull << 16)
#define PERF_CAPABILITIES_PEBS_TIMED       (1ull << 17)

/* The register's value. The variation lbr-format replaces the profile's format. */
static inline uint64_t perf_capabilities(const struct ds_cpu *cpu)
{
    uint64_t value = cpu->profile.perf_capabilities;

    if (cpu->profile.pdcm && cpu->variation.lbr_format) {
        value = (value & ~PERF_CAPABILITIES_LBR_FORMAT) | cpu->variation.lbr_format;
    }
    return value;
}

static inline bool perf_capabilities_has(const struct ds_profile *profile, uint64_t bits)
{
    return profile->pdcm && (profile->perf_capabilities & bits) == bits;
}

#endif
