/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr_stacks.h"

#include <stddef.h>

#define TOS          .top_of_stack = 0x1c9
#define TOS_NETBURST .top_of_stack = 0x1da
#define LER          .ler_from = 0x1dd, .ler_to = 0x1de
#define LER_REVERSED .ler_from = 0x1de, .ler_to = 0x1dd /* as printed for Pentium M: D 11 */
#define LER_NETBURST .ler_from = 0x1d7, .ler_to = 0x1d8
#define AT_40H       .from = LBR_STACK_LOW_FROM, .to = LBR_STACK_LOW_TO
#define AT_680H      .from = LBR_STACK_HIGH_FROM, .to = LBR_STACK_HIGH_TO

/* F8.1: which cores have which stack is in arch/cpu/identity/models.def. */
static const struct lbr_stack stacks[LBR_KINDS] = {
    [LBR_WILLAMETTE] = {.depth = 4, .packed = true, .from = 0x1db, TOS_NETBURST, LER_NETBURST},
    [LBR_PRESCOTT] = {.depth = 16, AT_680H, TOS_NETBURST, LER_NETBURST},
    [LBR_PENTIUM_M] = {.depth = 8, .packed = true, .from = LBR_STACK_LOW_FROM, TOS, LER_REVERSED},
    [LBR_YONAH] = {.depth = 8, .packed = true, .from = LBR_STACK_LOW_FROM, TOS, LER},
    [LBR_MEROM] = {.depth = 4, AT_40H, TOS, LER},
    [LBR_BONNELL] = {.depth = 8, AT_40H, TOS, LER},
    [LBR_SILVERMONT] = {.depth = 8, .has_select = true, .flag_is_open = true, AT_40H, TOS, LER},
    /* The format says linear, the flag is there all the same. */
    [LBR_KNIGHTS_LANDING] =
        {.depth = 8, .has_select = true, .misprediction = true, AT_680H, TOS, LER},
    [LBR_NEHALEM] = {.depth = 16, .has_select = true, .no_call_stack = true, AT_680H, TOS, LER},
    [LBR_HASWELL] = {.depth = 16, .has_select = true, AT_680H, TOS, LER},
    [LBR_SKYLAKE] = {.depth = 32, .has_select = true, .info = LBR_STACK_INFO, AT_680H, TOS, LER},
    [LBR_GOLDMONT] = {.depth = 32, .has_select = true, AT_680H, TOS, LER},
};

const struct lbr_stack *lbr_stack_of(const struct cpu_identity *identity)
{
    const struct lbr_stack *stack = &stacks[core_facts(identity)->lbr];

    return stack->depth ? stack : NULL;
}
