// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters that somebody else uses: microcode, a management controller, firmware. */
#ifndef TAKEN_H
#define TAKEN_H

#include "debug_store.h"

/* Those that microcode has for itself at present: they count nothing and read 0 (F25.13). */
uint64_t taken_by_microcode(const struct ds_cpu *cpu);

/* TSX_FORCE_ABORT, by which software takes PMC3 back (F25.12). */
enum ds_msr_result taken_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result taken_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

/*
 * An instruction has retired that somebody wanted to hear of, RSM is over, or time has gone by
 * before a register is read: who uses a counter may set it up for itself (F25.8).
 */
void taken_before_read(struct ds_cpu *cpu);
void taken_after_instruction(struct ds_cpu *cpu);
void taken_after_smm(struct ds_cpu *cpu);

/* RESET is over; firmware has run, and has left counters running (F25.5, F25.7). */
void taken_after_reset(struct ds_cpu *cpu);

#endif
