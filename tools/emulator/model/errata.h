// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Published errata: what some processors do in spite of the manual. The healthy modules call these
 * hooks, which do nothing while no erratum is on.
 */
#ifndef ERRATA_H
#define ERRATA_H

#include "counter.h"
#include "debug_store.h"
#include "faults/fault.h"
#include "pebs_record.h"

/* The first is called when RESET is over, the second when RSM has restored everything. */
void errata_after_reset(struct ds_cpu *cpu);
void errata_after_smm(struct ds_cpu *cpu);

/* Frequency, voltage or duty cycle changed, or the clock stood still (C1E). */
void errata_after_transition(struct ds_cpu *cpu);

/* A branch was taken or an event delivered, and will be recorded as *branch says. May change
 * *branch. */
void errata_before_record(struct ds_cpu *cpu, const struct ds_host *host, struct ds_branch *branch);

/* Does the LBR stack lose this branch, although MSR_LBR_SELECT lets it in? */
bool errata_lbr_loses(struct ds_cpu *cpu, const struct ds_branch *branch);

/* Does call-stack mode keep a CALL to the next instruction, unlike on healthy processors? */
bool errata_lbr_keeps_call_next(struct ds_cpu *cpu);

/* May change what the counters count for this instruction. */
void errata_cycle(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction, struct counter_cycle *cycle);

/* Does the counter not count at present, although it should? */
bool errata_counter_pauses(const struct ds_cpu *cpu, unsigned number);

/* Does the counter count this cycle, although it does not select the ring that runs? */
bool errata_counts_other_ring(struct ds_cpu *cpu, unsigned number);

/* Of the counters that wrapped, those that get their status bit. */
uint64_t errata_overflow_status(struct ds_cpu *cpu, uint64_t wrapped);

/* These counters overflowed and signal; their interrupt has been requested. */
void errata_after_overflow(struct ds_cpu *cpu, uint64_t signalling);

/* The counters that make a PEBS record at this instruction. ready: those that should. */
uint64_t errata_pebs_ready(struct ds_cpu *cpu, const struct ds_host *host,
                           const struct ds_instruction *instruction, uint64_t ready);

/* A PEBS record is about to be made. May change *event and *instruction, to which *event points. */
void errata_pebs_event(struct ds_cpu *cpu, struct ds_instruction *instruction,
                       struct pebs_event *event);

/* Does the interrupt of a record that reached the threshold wait for the next record? */
bool errata_delays_pebs_pmi(struct ds_cpu *cpu);

/* Call it when a record was made, stored or not. due: a healthy processor would interrupt now.
 * Returns whether this processor does. */
bool errata_pebs_pmi(struct ds_cpu *cpu, bool due);

/* The value that a counter restarts from; value: the right one. */
uint64_t errata_pebs_reload(struct ds_cpu *cpu, unsigned number, uint64_t value);

/* The first is called when an instruction has retired, after all hooks above. The second returns
 * true while every instruction must be reported for it. */
void errata_after_instruction(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_instruction *instruction);
bool errata_want_instructions(const struct ds_cpu *cpu);

/*
 * The first returns what software gets from an RDMSR that has read value. The second is called
 * before a WRMSR: it may change *value, and returns false if the WRMSR faults instead. The third is
 * called after the WRMSR.
 */
uint64_t errata_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t value);
bool errata_before_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
void errata_msr_written(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                        uint64_t value);

#endif
