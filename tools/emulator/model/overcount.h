// SPDX-License-Identifier: GPL-2.0-or-later
/* Some processors count too much: an instruction and a branch at far transfers and SMM (F21.32), an
 * instruction at the delivery of an interrupt or exception. */
#ifndef OVERCOUNT_H
#define OVERCOUNT_H

#include "debug_store.h"

/* Returns the surplus that counters of instructions, and those of branches, count at this
 * instruction. To be called once for each instruction. */
uint8_t overcount(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction);

/* To be called after each branch and delivery. Where a delivery counts as an instruction, adds it
 * to the counters of instructions, which may overflow. */
void overcount_delivery(struct ds_cpu *cpu, const struct ds_host *host,
                        const struct ds_branch *branch);

/* RSM is over: where SMM counts too, the next instruction counts one too many. */
void overcount_after_smm(struct ds_cpu *cpu);

#endif
