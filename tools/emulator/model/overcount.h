// SPDX-License-Identifier: GPL-2.0-or-later
/* What some processors count too often: far transfers and SMM (F21.32); deliveries of events. */
#ifndef OVERCOUNT_H
#define OVERCOUNT_H

#include "debug_store.h"

/* How many instructions and branches too many the counters count with this one. */
uint8_t overcount(struct ds_cpu *cpu, const struct ds_host *host,
                  const struct ds_instruction *instruction);

/* A branch has been taken or an event delivered: what counts that as an instruction may overflow.
 */
void overcount_delivery(struct ds_cpu *cpu, const struct ds_host *host,
                        const struct ds_branch *branch);

/* RSM is over: what counts now counts one more. */
void overcount_after_smm(struct ds_cpu *cpu);

#endif
