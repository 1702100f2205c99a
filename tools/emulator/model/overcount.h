// SPDX-License-Identifier: GPL-2.0-or-later
/* Events that some processors count too often: far transfers and SMM (F21.32), deliveries of
 * events. */
#ifndef OVERCOUNT_H
#define OVERCOUNT_H

#include "debug_store.h"

/* How many instructions and branches too many the counters count for this instruction. */
uint8_t overcount(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction);

/* A branch was taken or an event delivered. Counters that count it as an instruction may
 * overflow. */
void overcount_delivery(struct ds_cpu *cpu, const struct ds_host *host,
                        const struct ds_branch *branch);

/* RSM is over: counters that are on count one more. */
void overcount_after_smm(struct ds_cpu *cpu);

#endif
