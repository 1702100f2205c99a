/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For assembly: a function that others call, its name and its extent for symbols and debuggers. */
#ifndef ARCH_CPU_FUNCTION_H
#define ARCH_CPU_FUNCTION_H

.macro FUNCTION name
    .globl \name
    .type \name, @function
\name:
.endm

.macro END name
    .size \name, . - \name
.endm

#endif
