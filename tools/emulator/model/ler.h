// SPDX-License-Identifier: GPL-2.0-or-later
/* The last exception record: the program's last branch before an event (F8.30). */
#ifndef LER_H
#define LER_H

#include "debug_store.h"

/* Whether it needs every branch reported, even while LBR is clear. */
bool ler_wants_branches(const struct ds_cpu *cpu);

/* A branch or event came. An event copies the newest branch to the record; then this one becomes
 * the newest. To be called before a #DB clears LBR. */
void ler_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                bool mispredicted);

enum ds_msr_result ler_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result ler_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
