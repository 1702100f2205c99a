// SPDX-License-Identifier: GPL-2.0-or-later
/* The layouts of a PEBS record: the 32-bit one, formats 0 to 3, and adaptive ones (section 3f of
 * the facts). */
#ifndef PEBS_RECORD_H
#define PEBS_RECORD_H

#include "counter.h"
#include "pebs_groups.h"

#define PEBS_RECORD_MAX                                                                            \
    (32 + 32 + 144 + 256 + 24 * DS_LBR_DEPTH_MAX + 16 + 8 * (DS_COUNTERS_MAX + 2))

/* MSR_PEBS_DATA_CFG (F22.6). */
#define DATA_CONFIG_MEMORY        (1ull << 0)
#define DATA_CONFIG_REGISTERS     (1ull << 1)
#define DATA_CONFIG_XMM           (1ull << 2)
#define DATA_CONFIG_LBR           (1ull << 3)
#define DATA_CONFIG_COUNTERS      (1ull << 4)
#define DATA_CONFIG_METRICS       (1ull << 5)
#define DATA_CONFIG_LBR_SHIFT     24            /* entries minus 1, 8 bits */
#define DATA_CONFIG_GENERAL_SHIFT 32            /* counters, 16 bits */
#define DATA_CONFIG_FIXED_SHIFT   48            /* 8 bits */
#define DATA_CONFIG_TOLD          0xffffffffull /* the bits that a record repeats (F22.12) */

/* The counters that `config` selects, as bits of IA32_PERF_GLOBAL_CTRL. */
static inline uint64_t pebs_data_config_counters(uint64_t config)
{
    uint64_t general = config >> DATA_CONFIG_GENERAL_SHIFT & 0xffff;
    uint64_t fixed = config >> DATA_CONFIG_FIXED_SHIFT & 0xff;

    return general | fixed << COUNTER_FIXED;
}

/* Builds the record that the processor would store at present; returns its size in bytes. */
size_t pebs_record(const struct ds_cpu *cpu, const struct ds_host *host,
                   const struct pebs_event *event, uint8_t record[PEBS_RECORD_MAX]);

#endif
