/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches that no program has, as many as any LBR stack has entries. */
#include "arch/trace/lbr_format.h"

        .text
        .globl  stack_filler
stack_filler:
        .rept   LBR_DEPTH_MAX
        jmp     1f
        int3
1:
        .endr
        ret
