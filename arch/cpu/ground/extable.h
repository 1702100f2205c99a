/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For assembly: an instruction that may raise an exception, and where to go on if it does. The code
 * there finds the exception in RAX, in the form of a struct exception as a function returns it
 * (F14.15). Who goes by this table: arch/cpu/traps/fixup.c.
 */
#ifndef ARCH_CPU_GROUND_EXTABLE_H
#define ARCH_CPU_GROUND_EXTABLE_H

#define NO_VECTOR 0xff /* EXCEPTION_NO_VECTOR */

/* clang-format off */
.macro EXTABLE instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 0
    .popsection
.endm

/* A plain access to a register that may be refused: the test fails with it (arch/cpu/traps/refusal.h), and
 * execution goes on at the fixup. */
.macro EXTABLE_REFUSAL instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 1
    .popsection
.endm
/* clang-format on */

#endif
