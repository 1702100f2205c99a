// SPDX-License-Identifier: GPL-2.0-or-later
/* Exceptions, and the branch instruction that they come from: nothing here but faults. */
#ifndef FAULT_EVENT_H
#define FAULT_EVENT_H

#include "debug_store.h"

/* FROM as this processor has it: the branch's own, or of the branch whose target is not there. */
uint64_t fault_event_from(struct ds_cpu *cpu, const struct ds_host *host,
                          const struct ds_branch *branch);

/* Whether it is an exception that a branch instruction has raised, and gets a record for that. */
bool fault_event_is_of_branch(struct ds_cpu *cpu, const struct ds_host *host,
                              const struct ds_branch *branch);

/* That record. */
struct ds_branch fault_event_vain_branch(const struct ds_branch *exception);

/* To be called after each branch and event. */
void fault_event_remember(struct ds_cpu *cpu, const struct ds_branch *branch);

#endif
