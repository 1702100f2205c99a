// SPDX-License-Identifier: GPL-2.0-or-later
/* Fields of leaf 1CH, and the contents of IA32_LBR_x_INFO that depend on them (F20.2, F20.3,
 * F20.21). */
#ifndef ARCH_LBR_INFO_H
#define ARCH_LBR_INFO_H

#include "debug_store.h"

#define LBR_LEAF_EAX_DEPTHS     0xffu
#define LBR_LEAF_EAX_DEEP_LOSES (1u << 30)
#define LBR_LEAF_EAX_LINEAR     (1u << 31)
#define LBR_LEAF_EBX_RINGS      (1u << 0)
#define LBR_LEAF_EBX_KINDS      (1u << 1)
#define LBR_LEAF_EBX_CALL_STACK (1u << 2)
#define LBR_LEAF_ECX_MISPRED    (1u << 0)
#define LBR_LEAF_ECX_TIMED      (1u << 1)
#define LBR_LEAF_ECX_TYPE       (1u << 2)
#define LBR_LEAF_ECX_EVENTS     16

/* INFO for this branch if it were recorded now. */
uint64_t arch_lbr_info(const struct ds_cpu *cpu, const struct ds_host *host,
                       const struct ds_branch *branch, bool mispredicted);

/* IA32_LER_INFO for a branch with this INFO; fewer of its bits have a meaning (F20.34). */
uint64_t arch_lbr_ler_info(const struct ds_cpu *cpu, const struct ds_host *host,
                           const struct ds_branch *branch, uint64_t info);

/* An entry was made: counts cycles and events for the next one from now on. */
void arch_lbr_info_recorded(struct ds_cpu *cpu, const struct ds_host *host);

/* Recording begins again: the next entry has none before it. */
void arch_lbr_info_forget(struct ds_cpu *cpu);

/* Can IA32_PERFEVTSELx of this general-purpose counter ask for logged events (F20.24)? */
bool arch_lbr_logs_events(const struct ds_profile *profile, unsigned counter);

/* The events of these counters have happened; bits as in IA32_PERF_GLOBAL_CTRL. */
void arch_lbr_info_events(struct ds_cpu *cpu, uint64_t counters);

#endif
