// SPDX-License-Identifier: GPL-2.0-or-later
/* Processor event-based sampling, from a wrapped counter to a record and its interrupt (section 3g
 * of the facts). Registers and memory are those of PEBS in the DS area; arch_pebs.h has the other
 * kind. */
#ifndef PEBS_H
#define PEBS_H

#include "debug_store.h"

/* Bits of IA32_PEBS_ENABLE that exist if records can go to Intel PT. OUTPUT sends records there,
 * PMI interrupts with each. */
#define PEBS_ENABLE_OUTPUT (3ull << 61)
#define PEBS_ENABLE_PMI    (1ull << 60)

/* These registers do not belong to PEBS: they refine what a counter counts. */
#define MSR_OFFCORE_RSP_0 0x1a6
#define MSR_OFFCORE_RSP_1 0x1a7

/* Does PEBS in the DS area exist? */
bool pebs_exists(const struct ds_profile *profile);

/* The counters whose overflow arms a record instead of signalling, with either kind of PEBS
 * (F3.61). */
uint64_t pebs_counters(const struct ds_cpu *cpu);

/* Format of the records: 0 to 6, or FH if PEBS is architectural (F3.40, F22.3). */
unsigned pebs_format(const struct ds_profile *profile);

/* Do records consist of groups that MSR_PEBS_DATA_CFG selects? So from format 4 on (F3.46). */
bool pebs_is_adaptive(const struct ds_profile *profile);

/* Do records have a retire latency (F22.11, F22.35)? */
bool pebs_is_timed(const struct ds_profile *profile);

/* Do records have the state before their instruction instead of after it (F3.62)? */
bool pebs_is_fault_like(const struct ds_profile *profile);

/* Sets *value to what the counter restarts from. False if the area has no field for the counter, or
 * memory cannot be read. */
bool pebs_reset_value(const struct ds_cpu *cpu, const struct ds_host *host, unsigned number,
                      uint64_t *value);

/*
 * These counters have wrapped: arms them (F3.62), at once or each after the processor's delay
 * (F22.19), during which their events count but make no record. Whatever empties the pipeline
 * (WRMSR, a halt, a far transfer, an event, SMM) takes longer and ends the delay.
 */
void pebs_arm(struct ds_cpu *cpu, uint64_t counters);

/* The pipeline is empty: ends the delays. */
void pebs_settle(struct ds_cpu *cpu);

/* Forgets what these counters had begun. */
void pebs_forget(struct ds_cpu *cpu, uint64_t counters);

/* An instruction is about to be counted: saves the counters if records need the values
 * before it. */
void pebs_before_event(struct ds_cpu *cpu);

/* An instruction retired: shortens the delays. To be called when it is decided whether the
 * instruction itself makes a record. */
void pebs_after_instruction(struct ds_cpu *cpu);

/* Would a write to IA32_PERF_GLOBAL_CTRL hang the processor (F22.43)? */
bool pebs_hangs(const struct ds_cpu *cpu, const struct ds_host *host);

/* pebs_retired(): an instruction retired, and its record, if any, is stored. pebs_delivered(): an
 * event was delivered. */
void pebs_retired(struct ds_cpu *cpu, const struct ds_host *host);
void pebs_delivered(struct ds_cpu *cpu, const struct ds_host *host);

/*
 * The assist: stores one record for these counters (bits as in IA32_PEBS_ENABLE) and reloads them.
 * True if an interrupt is due, as when the index reached the threshold (F3.64).
 */
bool pebs_assist(struct ds_cpu *cpu, const struct ds_host *host,
                 const struct ds_instruction *instruction, uint64_t counters);

enum ds_msr_result pebs_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result pebs_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
