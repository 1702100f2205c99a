/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For assembly: gives a global function its symbol and size, and saves the registers that it must
 * preserve.
 */
#ifndef ARCH_CPU_GROUND_FUNCTION_H
#define ARCH_CPU_GROUND_FUNCTION_H

.macro FUNCTION name
    .globl \name
    .type \name, @function
\name:
.endm

.macro END name
    .size \name, . - \name
.endm

/* Saves what the ABI has a callee preserve. frame: links RBP into the chain of frames for
 * backtraces. */
.macro PUSH_CALLERS_REGISTERS frame=1
    push %rbp
  .if \frame
    mov %rsp, %rbp
  .endif
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
.endm

.macro POP_CALLERS_REGISTERS
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
.endm

#endif
