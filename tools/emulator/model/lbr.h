// SPDX-License-Identifier: GPL-2.0-or-later
/* The model's last-branch-record stack and its registers (section 8 of the facts). */
#ifndef LBR_H
#define LBR_H

#include "debug_store.h"

/* An entry as its three registers read. */
struct lbr_entry {
    uint64_t from, to, info;
};

/* Whether branches are recorded at present. */
bool lbr_is_on(const struct ds_cpu *cpu);

void lbr_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                bool mispredicted);

/* Whether MSR_LBR_SELECT, or its kind, keeps the branch off the stack (F8.20). */
bool lbr_is_suppressed(const struct ds_cpu *cpu, const struct ds_branch *branch);

/* Whether MSR_LBR_SELECT makes the stack one of calls (F8.21). */
bool lbr_is_call_stack(const struct ds_cpu *cpu);

/* Writes an entry of a stack that there is, be it on or not. */
void lbr_push(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
              bool mispredicted);

/* Entries of the model's stack; 0 where there is none. And the most that a stack of either kind
 * has: what a PEBS record can ask for, and whose last exception record there is (F20.34, F20.41).
 */
unsigned lbr_depth(const struct ds_profile *profile);
unsigned lbr_depth_most(const struct ds_profile *profile);

/* Whether there is a stack, and what it holds while TR is set is defined (F2.8). */
bool lbr_with_tr(const struct ds_profile *profile);

/* Entry of a stack of either kind by age, 0 the newest; age below the most (F8.3, F20.10). All zero
 * where there is no stack, or no such entry. */
struct lbr_entry lbr_entry(const struct ds_cpu *cpu, unsigned age);

/* Whether a C-state may lose records: told where the stack is architectural (F20.2, F8.6). */
bool lbr_can_get_lost(const struct ds_profile *profile);

/* Empties the stack of either kind, and the last exception record; it stays on (F8.6). */
void lbr_forget(struct ds_cpu *cpu);

enum ds_msr_result lbr_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result lbr_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
