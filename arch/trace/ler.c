/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/ler.h"

#include "arch/trace/lbr_stacks.h"
#include "arch/cpu/msr.h"
#include "arch/trace/lbr.h"

/* The registers copy entries of the stack, flags and all. */
static uint64_t address_of(uint64_t value)
{
    return (uint64_t)((int64_t)(value << 16) >> 16);
}

bool ler_read(struct ler *record)
{
    const struct lbr_stack *stack = lbr_stack();
    uint64_t from = 0, to = 0;

    *record = (struct ler){0};
    if (!stack || exception_happened(rdmsr_safe(stack->ler_from, &from)) ||
        exception_happened(rdmsr_safe(stack->ler_to, &to)))
        return false;
    *record = (struct ler){.from = address_of(from), .to = address_of(to)};
    return true;
}
