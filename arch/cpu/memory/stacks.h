/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of every processor, with an unmapped guard page below each. The sizes are usable from
 * assembly.
 */
#ifndef ARCH_CPU_MEMORY_STACKS_H
#define ARCH_CPU_MEMORY_STACKS_H

#define STACK_GUARD_SIZE 4096
#define STACK_SIZE       65536 /* bytes, guard page not included */

#define STACK_KERNEL      0 /* code outside interrupts */
#define STACK_RING0_ENTRY 1 /* TSS.RSP0: interrupts of ring 3 */
#define STACK_NMI         2 /* IST1 */
#define STACK_DF          3 /* IST2 */
#define STACK_MC          4 /* IST3 */
#define STACK_DB          5 /* IST4 */
#define STACK_INTERCEPT   6 /* IST5 */
#define STACK_COUNT       7

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/ground/percpu.h"

struct stack {
    uint8_t guard[STACK_GUARD_SIZE];
    uint8_t bytes[STACK_SIZE];
};

/* The stacks of the processor that booted come first. */
extern struct stack stacks[PROCESSORS_MAX * STACK_COUNT];

/* Initial RSP: the first address above the stack. */
uint64_t stack_top(unsigned processor, unsigned number);

/* Sets the bounds [*low, *high) of the stack that holds the address. Returns false if none does. */
bool stack_bounds(uint64_t address, uint64_t *low, uint64_t *high);

/* "kernel", "NMI", … of the stack whose guard page holds the address, or NULL. */
const char *stack_guard_name(uint64_t address);

#endif
#endif
