// SPDX-License-Identifier: GPL-2.0-or-later
/* The groups of data in PEBS records from format 4 on, and in those of architectural PEBS. */
#ifndef PEBS_GROUPS_H
#define PEBS_GROUPS_H

#include "debug_store.h"

/* A record being written, field by field. */
struct pebs_writer {
    uint8_t *bytes;
    size_t size;
    size_t field; /* size of a field, in bytes */
};

/* What a record is about: the instruction, the counters that made it, the status before (F3.43). */
struct pebs_event {
    const struct ds_instruction *instruction;
    uint64_t counters;
    uint64_t status;
};

void pebs_put(struct pebs_writer *writer, uint64_t value);

/* The time-stamp counter. */
uint64_t pebs_time(const struct ds_host *host);

/* The first says whether a record of these counters has a retire latency. The second gives it: the
 * cycles since the previous retirement, at most 16 bits, or 0 (F22.11, F22.13). */
bool pebs_latency_is_known(const struct ds_cpu *cpu, uint64_t counters);
uint64_t pebs_retire_latency(const struct ds_cpu *cpu, uint64_t now, uint64_t counters);

/* The register state for a record. Outside IA-32e mode registers have 32 bits, and R8 to R15 do not
 * exist (F3.49). */
struct ds_registers pebs_registers(const struct ds_cpu *cpu, const struct ds_host *host);

/* Flags, instruction pointer, and 16 registers by their encoding (F3.46, F3.47). */
void pebs_put_registers(struct pebs_writer *writer, const struct ds_cpu *cpu,
                        const struct ds_registers *registers, const struct pebs_event *event);

void pebs_put_xmm(struct pebs_writer *writer, const struct ds_registers *registers);

/* The newest entries of the LBR stack, at most `count`. */
void pebs_put_lbrs(struct pebs_writer *writer, const struct ds_cpu *cpu, unsigned count);

/* The values of these counters: their masks, the general-purpose ones, the fixed ones, the slots
 * with their metrics (F22.8). */
void pebs_put_counters(struct pebs_writer *writer, const struct ds_cpu *cpu,
                       const struct ds_host *host, const struct pebs_event *event,
                       uint64_t counters, bool metrics);

#endif
