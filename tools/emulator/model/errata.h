// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Published errata: what some processors do in spite of the manual. Each hook below stands at a
 * seam of the healthy modules, and does nothing while no erratum is on.
 */
#ifndef ERRATA_H
#define ERRATA_H

#include "counter.h"
#include "debug_store.h"
#include "faults/fault.h"
#include "pebs_record.h"

/* An effect is a fault or one of these. */
enum symptom {
    SYMPTOM_FIRST = FAULT_COUNT,
    SYMPTOM_BEFORE_FIRST = SYMPTOM_FIRST - 1,
#define SYMPTOM(identifier, needs, help) SYMPTOM_##identifier,
#include "errata_list.h"
    SYMPTOM_END
};

/* For what is a state and no occurrence. */
static inline bool symptom_is_on(const struct ds_cpu *cpu, enum symptom which)
{
    return cpu->errata.some && cpu->errata.period[which - SYMPTOM_FIRST];
}

/* Whether it happens now. To be asked once for each time that it could. */
static inline bool symptom(struct ds_cpu *cpu, enum symptom which)
{
    return symptom_is_on(cpu, which) && chance(cpu, cpu->errata.period[which - SYMPTOM_FIRST]);
}

/* RESET is over; RSM is over, and everything it restores restored. */
void errata_after_reset(struct ds_cpu *cpu);
void errata_after_smm(struct ds_cpu *cpu);

/* The clock has changed, or has stood still. */
void errata_after_transition(struct ds_cpu *cpu);

/* A branch has been taken, and is going to be recorded so. */
void errata_before_record(struct ds_cpu *cpu, const struct ds_host *host, struct ds_branch *branch);

/* A record is going to be stored. */
void errata_bts_record(struct ds_cpu *cpu, struct ds_branch *record);

/* Whether a branch that MSR_LBR_SELECT selects does not get onto the LBR stack. */
bool errata_lbr_loses(struct ds_cpu *cpu, const struct ds_branch *branch);

/* Whether call-stack mode keeps a CALL of the next instruction, as no other does. */
bool errata_lbr_keeps_call_next(struct ds_cpu *cpu);

/* What the counters count with this instruction. */
void errata_cycle(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction, struct counter_cycle *cycle);

/* Whether a counter that should counts nothing at present. */
bool errata_counter_pauses(const struct ds_cpu *cpu, unsigned number);

/* Whether a counter counts this cycle of a ring that it does not select, in which it has no event.
 */
bool errata_counts_other_ring(struct ds_cpu *cpu, unsigned number);

/* Those of the counters that have wrapped which get their status bits. */
uint64_t errata_overflow_status(struct ds_cpu *cpu, uint64_t wrapped);

/* These counters have overflowed and signal: their interrupt has been requested. */
void errata_after_overflow(struct ds_cpu *cpu, uint64_t signalling);

/* The counters that make a PEBS record with this instruction; ready: those that should. */
uint64_t errata_pebs_ready(struct ds_cpu *cpu, const struct ds_host *host,
                           const struct ds_instruction *instruction, uint64_t ready);

/* What a record says: of instruction, which belongs to event. */
void errata_pebs_event(struct ds_cpu *cpu, struct ds_instruction *instruction,
                       struct pebs_event *event);

/* Whether the interrupt of a record that has just reached the threshold waits for the next one. */
bool errata_delays_pebs_pmi(struct ds_cpu *cpu);

/* A record has been made, stored or not: whether an interrupt is due; due: whether one should. */
bool errata_pebs_pmi(struct ds_cpu *cpu, bool due);

/* What a counter restarts from. */
uint64_t errata_pebs_reload(struct ds_cpu *cpu, unsigned number, uint64_t value);

/* An instruction has retired, and all of the above is done for it. */
void errata_after_instruction(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_instruction *instruction);
bool errata_want_instructions(const struct ds_cpu *cpu);

/*
 * RDMSR has read value. WRMSR is to be done: false if it faults instead; *value is what is written.
 * WRMSR has been done.
 */
uint64_t errata_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t value);
bool errata_before_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
void errata_msr_written(struct ds_cpu *cpu, const struct ds_host *host, uint32_t msr,
                        uint64_t value);

#endif
