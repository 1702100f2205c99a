// SPDX-License-Identifier: GPL-2.0-or-later
/* A record of architectural PEBS: one fragment or two, each a header and its groups (F22.34). */
#ifndef ARCH_PEBS_RECORD_H
#define ARCH_PEBS_RECORD_H

#include "pebs_groups.h"

#define ARCH_PEBS_RECORD_MAX                                                                       \
    (2 * 16 + 48 + 64 + 160 + 16 + 2 * 256 + 48 + 24 * DS_LBR_DEPTH_MAX + 16 +                     \
     8 * (DS_COUNTERS_MAX + 2) + 2 * 64)

/* Builds the record that the processor would store at present. Returns its size in bytes, a
 * multiple of 16, because IA32_PEBS_INDEX counts in units of 16 (F22.31). */
size_t arch_pebs_record(const struct ds_cpu *cpu, const struct ds_host *host,
                        const struct pebs_event *event, uint8_t record[ARCH_PEBS_RECORD_MAX]);

#endif
