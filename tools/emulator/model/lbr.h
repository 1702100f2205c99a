// SPDX-License-Identifier: GPL-2.0-or-later
/* The model-specific last-branch-record stack and its registers (section 8 of the facts). */
#ifndef LBR_H
#define LBR_H

#include "debug_store.h"

#define MSR_LBR_SELECT 0x1c8

/* An entry, as its three registers read. */
struct lbr_entry {
    uint64_t from, to, info;
};

/* Are branches recorded at present? */
bool lbr_is_on(const struct ds_cpu *cpu);

void lbr_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                bool mispredicted);

/* Is the branch kept off the stack, by MSR_LBR_SELECT or by its kind (F8.20)? */
bool lbr_is_suppressed(const struct ds_cpu *cpu, const struct ds_branch *branch);

/* Does MSR_LBR_SELECT make the stack one of calls (F8.21)? */
bool lbr_is_call_stack(const struct ds_cpu *cpu);

/* Writes an entry, whether or not recording is on. A stack must exist. */
void lbr_push(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
              bool mispredicted);

/* lbr_depth() gives the entries of the model-specific stack, 0 if there is none. lbr_depth_most()
 * gives the most entries of a stack of either kind: PEBS records and the last exception record
 * depend on it (F20.34, F20.41). */
unsigned lbr_depth(const struct ds_profile *profile);
unsigned lbr_depth_most(const struct ds_profile *profile);

/* Is there a stack whose contents are defined while TR is set (F2.8)? */
bool lbr_with_tr(const struct ds_profile *profile);

/* Entry of a stack of either kind by age, 0 the newest, below lbr_depth_most() (F8.3, F20.10). All
 * zero without a stack or such an entry. */
struct lbr_entry lbr_entry(const struct ds_cpu *cpu, unsigned age);

/* May a C-state lose entries? CPUID says so for an architectural stack (F20.2, F8.6). */
bool lbr_can_get_lost(const struct ds_profile *profile);

/* Clears the stack of either kind and the last exception record. Recording stays on (F8.6). */
void lbr_forget(struct ds_cpu *cpu);

enum ds_msr_result lbr_msr_read(struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result lbr_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
