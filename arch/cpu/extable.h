/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that may fault, and where to go on if they do (F14.15). The code at the second
 * address finds the exception in RAX, in the form of a struct fault as a function returns it.
 */
#ifndef ARCH_CPU_EXTABLE_H
#define ARCH_CPU_EXTABLE_H

#ifdef __ASSEMBLER__

/* clang-format off */
.macro EXTABLE instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup
    .popsection
.endm
/* clang-format on */

#else

#include <stdbool.h>
#include "arch/cpu/interrupts.h"

/* Makes the frame of an exception in ring 0 go on at the fixup; false if it has none. */
bool extable_apply(struct trap_frame *frame);

#endif
#endif
