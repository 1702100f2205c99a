// SPDX-License-Identifier: GPL-2.0-or-later
/* Architectural last branch records: the stack that leaf 1CH enumerates (section 20 of the facts).
 */
#ifndef ARCH_LBR_H
#define ARCH_LBR_H

#include "debug_store.h"
#include "lbr.h"

#define IA32_XSS 0xda0

/* IA32_LBR_CTL (F20.13). A set kind bit includes its kind (F20.14). */
#define LBR_CTL_LBREN      (1ull << 0)
#define LBR_CTL_OS         (1ull << 1)
#define LBR_CTL_USR        (1ull << 2)
#define LBR_CTL_CALL_STACK (1ull << 3)
#define LBR_CTL_KINDS      (0x7full << 16)

/* Whether the stack exists; the largest of its depths, 0 where there is none (F20.2, F20.7). */
bool arch_lbr_exists(const struct ds_profile *profile);
unsigned arch_lbr_depth_most(const struct ds_profile *profile);

/* Whether leaf 1CH enumerates the depth (F20.2). */
bool arch_lbr_has_depth(const struct ds_profile *profile, uint64_t depth);

/* The bits of IA32_LBR_CTL that there are; WRMSR of any other raises #GP (F20.16). */
uint64_t arch_lbr_control_bits(const struct ds_cpu *cpu);

/* Whether branches are recorded at present. */
bool arch_lbr_is_on(const struct ds_cpu *cpu);

/* Whether the filters of IA32_LBR_CTL let the branch in; and those of its kind alone. */
bool arch_lbr_includes(const struct ds_cpu *cpu, const struct ds_branch *branch);

/* A branch has been taken: records it, or takes the newest entry away (F20.27). */
void arch_lbr_branch(struct ds_cpu *cpu, const struct ds_host *host, const struct ds_branch *branch,
                     bool mispredicted);

/* What the three registers of an entry would hold of this branch, were every ring let in; does not
 * record it. */
struct lbr_entry arch_lbr_describe(const struct ds_cpu *cpu, const struct ds_host *host,
                                   const struct ds_branch *branch, bool mispredicted);

/* Takes out of the entry what the filters of IA32_LBR_CTL do not let it tell of the branch. */
void arch_lbr_mask(const struct ds_cpu *cpu, const struct ds_branch *branch,
                   struct lbr_entry *entry);

/* Makes FROM, TO and INFO of every entry zero (F20.17). */
void arch_lbr_clear(struct ds_cpu *cpu);

/* WRMSR of IA32_LBR_CTL and IA32_LBR_DEPTH; false, and nothing changed, when it faults. */
bool arch_lbr_write_control(struct ds_cpu *cpu, uint64_t value);
bool arch_lbr_write_depth(struct ds_cpu *cpu, uint64_t value);

/* What befalls it: RESET (old: the processor before it), INIT, a #DB, SMI and RSM. */
void arch_lbr_after_reset(struct ds_cpu *cpu, const struct ds_cpu *old);
void arch_lbr_after_init(struct ds_cpu *cpu);
void arch_lbr_after_debug(struct ds_cpu *cpu);
void arch_lbr_smm_enter(struct ds_cpu *cpu);
void arch_lbr_smm_leave(struct ds_cpu *cpu);

enum ds_msr_result arch_lbr_msr_read(const struct ds_cpu *cpu, uint32_t msr, uint64_t *value);
enum ds_msr_result arch_lbr_msr_write(struct ds_cpu *cpu, uint32_t msr, uint64_t value);

#endif
