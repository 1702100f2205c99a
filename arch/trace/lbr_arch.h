/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural last-branch records: whether they are there (F20.1), and the registers that no
 * stack of a model has, IA32_LBR_CTL and IA32_LBR_DEPTH. The stack is read by arch/trace/lbr.h,
 * which knows both kinds; recording goes on and off by arch/trace/debugctl.h, likewise.
 */
#ifndef ARCH_TRACE_LBR_ARCH_H
#define ARCH_TRACE_LBR_ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/exception.h"
#include "arch/trace/lbr_leaf.h"
#include "arch/trace/lbr_stacks.h"

/* What is enumerated, whether or not the registers answer; NULL: nothing is. */
const struct lbr_leaf *lbr_arch(void);

/* Bits of an entry's INFO, and of IA32_LER_INFO, that mean something here (F20.21, F20.34). Needs
 * lbr_arch(). */
uint64_t lbr_arch_info(void);
uint64_t lbr_arch_last_exception_info(void);

/* Settles FEATURE_ARCH_LBR and FEATURE_LBR_CALL_STACK, for arch/trace/features_probe.c. only_reads:
 * no register is written, and what a write could settle is there. */
void lbr_arch_probe(bool only_reads);

/* Its registers as those of a model's stack, IA32_LBR_DEPTH in the place of the top of stack. */
const struct lbr_stack *lbr_arch_stack(void);

/* Entries at the moment; the fewest there can be where IA32_LBR_DEPTH holds no legal number. */
unsigned lbr_arch_depth(void);

/*
 * Writes IA32_LBR_DEPTH, which clears every entry (F20.17). lbr_clear() of the running processor
 * keeps to that depth from then on; 0: to the largest.
 */
struct exception lbr_arch_set_depth(unsigned depth);

/* IA32_LBR_CTL with the running processor's filters and call-stack mode (lbr_select()), on or off.
 */
uint64_t lbr_arch_control(bool on);

/* 0 where there is none. */
uint64_t lbr_arch_read_control(void);

/* For straight code: the MSR whose bit 0 says whether last branches are recorded. */
extern uint32_t lbr_switch;

#endif
