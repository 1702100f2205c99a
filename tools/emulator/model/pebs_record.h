// SPDX-License-Identifier: GPL-2.0-or-later
/* The layouts of a PEBS record: the 32-bit one, formats 0 to 3, and adaptive (3f). */
#ifndef PEBS_RECORD_H
#define PEBS_RECORD_H

#include "debug_store.h"

#define PEBS_RECORD_MAX (32 + 32 + 144 + 256 + 24 * DS_LBR_DEPTH_MAX)

/* MSR_PEBS_DATA_CFG (F3.46). */
#define DATA_CONFIG_MEMORY    (1ull << 0)
#define DATA_CONFIG_REGISTERS (1ull << 1)
#define DATA_CONFIG_XMM       (1ull << 2)
#define DATA_CONFIG_LBR       (1ull << 3)
#define DATA_CONFIG_LBR_SHIFT 24 /* entries minus 1, 8 bits */

/* What a record tells about: the instruction, the counters that made it, STATUS before (F3.43). */
struct pebs_event {
    const struct ds_instruction *instruction;
    uint64_t counters;
    uint64_t status;
};

/* Builds the record that the processor would store at present; returns its size in bytes. */
size_t pebs_record(const struct ds_cpu *cpu, const struct ds_host *host,
                   const struct pebs_event *event, uint8_t record[PEBS_RECORD_MAX]);

#endif
