// SPDX-License-Identifier: GPL-2.0-or-later
/* What faults do to branch records: some are lost, some are told wrong. */
#ifndef FAULT_RECORD_H
#define FAULT_RECORD_H

#include "debug_store.h"

/* Whether the BTS record of this branch gets lost. */
bool fault_record_is_lost(struct ds_cpu *cpu, const struct ds_branch *branch);

/* The branch as its BTS record tells it; the same in a healthy processor. */
struct ds_branch fault_record(struct ds_cpu *cpu, const struct ds_branch *branch);

/* A record that is none. */
struct ds_branch fault_record_junk(void);

/* FROM with the fault that branch store and LBR stack share. */
uint64_t fault_record_from(struct ds_cpu *cpu, uint64_t from);

#endif
