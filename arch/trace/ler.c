/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/ler.h"

#include "arch/trace/lbr_stacks.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr.h"
#include "arch/trace/lbr_arch.h"

/* The registers copy entries of the stack, flags and all. */
bool ler_read(struct ler *record)
{
    const struct lbr_stack *stack = lbr_stack();
    struct lbr_raw raw = {0};
    struct lbr_entry entry;

    *record = (struct ler){0};
    if (!stack || exception_happened(rdmsr_safe(stack->ler_from, &raw.from)) ||
        exception_happened(rdmsr_safe(stack->ler_to, &raw.to)) ||
        (stack->ler_info && exception_happened(rdmsr_safe(stack->ler_info, &raw.info))))
        return false;
    entry = lbr_decode_here(&raw);
    *record = (struct ler){.from = entry.from,
                           .to = entry.to,
                           .info = stack->ler_info ? raw.info & lbr_arch_last_exception_info() : 0};
    return true;
}
