// SPDX-License-Identifier: GPL-2.0-or-later
/* Processor event-based sampling: from a wrapped counter to a record and its interrupt (3g). What
 * is said of registers and memory is said of the DS area's; arch_pebs.h has the other kind. */
#ifndef PEBS_H
#define PEBS_H

#include "debug_store.h"

/* IA32_PEBS_ENABLE where records can go to Intel PT: whether they do; an interrupt with each. */
#define PEBS_ENABLE_OUTPUT (3ull << 61)
#define PEBS_ENABLE_PMI    (1ull << 60)

/* Not of PEBS: they say more of what a counter counts. */
#define MSR_OFFCORE_RSP_0 0x1a6
#define MSR_OFFCORE_RSP_1 0x1a7

/* Whether PEBS with the DS area does. */
bool pebs_exists(const struct ds_profile *profile);

/* The counters whose overflow arms a record instead of signalling (F3.61), of either kind of PEBS.
 */
uint64_t pebs_counters(const struct ds_cpu *cpu);

/* Format of the records: 0 to 6, and FH where none of them uses the area (F3.40, F22.3). */
unsigned pebs_format(const struct ds_profile *profile);

/* Whether records are of groups that MSR_PEBS_DATA_CFG selects: from format 4 on (F3.46). */
bool pebs_is_adaptive(const struct ds_profile *profile);

/* Whether records tell a retire latency (F22.11, F22.35). */
bool pebs_is_timed(const struct ds_profile *profile);

/* Whether records tell the state before their instruction, and not the one after it (F3.62). */
bool pebs_is_fault_like(const struct ds_profile *profile);

/* What the counter restarts from; false where this cannot be read, or there is no such place. */
bool pebs_reset_value(const struct ds_cpu *cpu, const struct ds_host *host, unsigned number,
                      uint64_t *value);

/*
 * These counters have wrapped: they are armed (F3.62), at once or each after the processor's delay
 * (F22.19), in which their events are counted and make no record. The delay is one of a running
 * pipeline: whatever empties it (WRMSR, a halt, a far transfer, an event, SMM) takes longer.
 */
void pebs_arm(struct ds_cpu *cpu, uint64_t counters);

/* The pipeline has run empty: what was being armed is armed. */
void pebs_settle(struct ds_cpu *cpu);

/* Whatever these counters had begun is over. */
void pebs_forget(struct ds_cpu *cpu, uint64_t counters);

/* An instruction is about to be counted: remembers the counters, where records tell them so. */
void pebs_before_event(struct ds_cpu *cpu);

/* One more instruction has retired; to be called after its own record was considered. */
void pebs_after_instruction(struct ds_cpu *cpu);

/* Whether a write to IA32_PERF_GLOBAL_CTRL would never end here (F22.43). */
bool pebs_hangs(const struct ds_cpu *cpu, const struct ds_host *host);

/* An instruction has retired, and its record, if it made one, is stored. An event has been
 * delivered. */
void pebs_retired(struct ds_cpu *cpu, const struct ds_host *host);
void pebs_delivered(struct ds_cpu *cpu, const struct ds_host *host);

/*
 * The assist for the counters given (bits as in IA32_PEBS_ENABLE): stores one record, reloads them.
 * True when the index has reached the threshold: an interrupt is due (F3.64).
 */
bool pebs_assist(struct ds_cpu *cpu, const struct ds_host *host,
                 const struct ds_instruction *instruction, uint64_t counters);

enum ds_msr_result pebs_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result pebs_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
