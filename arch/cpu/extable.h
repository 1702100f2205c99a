/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that may fault, and where to go on if they do (F14.15). The code at the second
 * address finds the exception in RAX, in the form of a struct exception as a function returns it.
 */
#ifndef ARCH_CPU_EXTABLE_H
#define ARCH_CPU_EXTABLE_H

#ifdef __ASSEMBLER__

/* clang-format off */
.macro EXTABLE instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 0
    .popsection
.endm

/* A plain access to a register that may be refused: the test fails with it (arch/cpu/refusal.h), and
 * execution goes on at the fixup. */
.macro EXTABLE_REFUSAL instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 1
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
