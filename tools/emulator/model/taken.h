// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters in use by others: microcode, a management controller, firmware. */
#ifndef TAKEN_H
#define TAKEN_H

#include "debug_store.h"

/* The counters that microcode uses at present; they count nothing and read 0 (F25.13). */
uint64_t taken_by_microcode(const struct ds_cpu *cpu);

/* TSX_FORCE_ABORT, by which software takes PMC3 back (F25.12). */
enum ds_msr_result taken_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result taken_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

/*
 * Occasions at which another user of a counter may set it up again (F25.8): before a register is
 * read, after an instruction that was reported, after RSM.
 */
void taken_before_read(struct ds_cpu *cpu);
void taken_after_instruction(struct ds_cpu *cpu);
void taken_after_smm(struct ds_cpu *cpu);

/* RESET is over: leaves counters running, as some firmware does (F25.5, F25.7). */
void taken_after_reset(struct ds_cpu *cpu);

#endif
