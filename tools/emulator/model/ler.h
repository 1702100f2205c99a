// SPDX-License-Identifier: GPL-2.0-or-later
/* The last exception record: the program's last branch before an event (F8.30). */
#ifndef LER_H
#define LER_H

#include "debug_store.h"

/* Must every branch be reported for the record, even while LBR is clear? */
bool ler_wants_branches(const struct ds_cpu *cpu);

/* To be called at each branch and event, before a #DB clears LBR. An event first copies the newest
 * branch to the record. Then *branch, unless it is a #DB, becomes the newest branch. */
void ler_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                bool mispredicted);

enum ds_msr_result ler_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result ler_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
