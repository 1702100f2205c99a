// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural last branch records: the stack that leaf 1CH enumerates (section 20 of the
 * facts). */
#ifndef ARCH_LBR_H
#define ARCH_LBR_H

#include "debug_store.h"
#include "lbr.h"

#define IA32_XSS 0xda0

/* IA32_LBR_CTL (F20.13). A kind bit that is set lets its kind in (F20.14). */
#define LBR_CTL_LBREN      (1ull << 0)
#define LBR_CTL_OS         (1ull << 1)
#define LBR_CTL_USR        (1ull << 2)
#define LBR_CTL_CALL_STACK (1ull << 3)
#define LBR_CTL_KINDS      (0x7full << 16)

/* The first says whether the stack exists. The second gives the largest of its depths, or 0 if
 * there is no stack (F20.2, F20.7). */
bool arch_lbr_exists(const struct ds_profile *profile);
unsigned arch_lbr_depth_most(const struct ds_profile *profile);

/* Does leaf 1CH enumerate the depth (F20.2)? */
bool arch_lbr_has_depth(const struct ds_profile *profile, uint64_t depth);

/* The bits of IA32_LBR_CTL that exist; WRMSR of any other raises #GP (F20.16). */
uint64_t arch_lbr_control_bits(const struct ds_cpu *cpu);

/* Are branches recorded at present? */
bool arch_lbr_is_on(const struct ds_cpu *cpu);

/* Do the filters of IA32_LBR_CTL let the branch in? */
bool arch_lbr_includes(const struct ds_cpu *cpu, const struct ds_branch *branch);

/* A branch was taken: records it, or removes the newest entry (F20.27). */
void arch_lbr_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                     bool mispredicted);

/* The entry for this branch if every ring were let in. Does not record it. */
struct lbr_entry arch_lbr_describe(const struct ds_cpu *cpu, const struct ds_host *host,
                                   const struct ds_branch *branch, bool mispredicted);

/* Removes from the entry what the filters of IA32_LBR_CTL hide of the branch. */
void arch_lbr_mask(const struct ds_cpu *cpu, const struct ds_branch *branch,
                   struct lbr_entry *entry);

/* Clears FROM, TO and INFO of every entry (F20.17). */
void arch_lbr_clear(struct ds_cpu *cpu);

/* WRMSR of IA32_LBR_CTL and IA32_LBR_DEPTH. False if it faults; nothing is changed then. */
bool arch_lbr_write_control(struct ds_cpu *cpu, uint64_t value);
bool arch_lbr_write_depth(struct ds_cpu *cpu, uint64_t value);

/* Effects of RESET (old: the processor before it), INIT, a #DB, SMI and RSM. */
void arch_lbr_after_reset(struct ds_cpu *cpu, const struct ds_cpu *old);
void arch_lbr_after_init(struct ds_cpu *cpu);
void arch_lbr_after_debug(struct ds_cpu *cpu);
void arch_lbr_smm_enter(struct ds_cpu *cpu);
void arch_lbr_smm_leave(struct ds_cpu *cpu);

enum ds_msr_result arch_lbr_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result arch_lbr_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
