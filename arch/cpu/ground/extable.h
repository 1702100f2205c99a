/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For assembly: names an instruction that may raise an exception, and its fixup, where execution
 * continues. At the fixup RAX holds the exception, in the form in which a function returns a struct
 * exception (F14.15). arch/cpu/traps/fixup.c reads this table.
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

/* A plain register access that may raise an exception. The test then fails
 * (arch/cpu/traps/msr_fault.h) and execution continues at the fixup. */
.macro EXTABLE_MSR_FAULT instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 1
    .popsection
.endm
/* clang-format on */

#endif
