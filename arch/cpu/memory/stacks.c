/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/stacks.h"
#include <stddef.h>

#define STACKS (PROCESSORS_MAX * STACK_COUNT)

struct stack stacks[STACKS] __attribute__((section(".bss.stacks"), aligned(4096)));

static const char *const stack_names[STACK_COUNT] = {
    [STACK_KERNEL] = "kernel",
    [STACK_RING0_ENTRY] = "ring 0 entry",
    [STACK_NMI] = "NMI",
    [STACK_DF] = "#DF",
    [STACK_MC] = "#MC",
    [STACK_DB] = "#DB",
    [STACK_INTERCEPT] = "intercept",
};

uint64_t stack_top(unsigned processor, unsigned number)
{
    return (uint64_t)(uintptr_t)(stacks[processor * STACK_COUNT + number].bytes + STACK_SIZE);
}

bool stack_bounds(uint64_t address, uint64_t *low, uint64_t *high)
{
    for (unsigned i = 0; i < STACKS; i++) {
        *high = stack_top(0, i);
        *low = *high - STACK_SIZE;
        if (address >= *low && address < *high)
            return true;
    }
    return false;
}

const char *stack_guard_name(uint64_t address)
{
    for (unsigned i = 0; i < STACKS; i++) {
        uint64_t low = (uint64_t)(uintptr_t)stacks[i].guard;
        if (address >= low && address < low + STACK_GUARD_SIZE)
            return stack_names[i % STACK_COUNT];
    }
    return NULL;
}
