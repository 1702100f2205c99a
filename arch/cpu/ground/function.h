/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For assembly: gives a global function its symbol and size, saves the registers that it must
 * preserve, and names the fixup of an instruction that may raise an exception.
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

/* Saves the registers that the ABI requires a callee to preserve. frame=1: links RBP into the chain
 * of frames, for backtraces. */
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

#define NO_VECTOR 0xff /* the value of EXCEPTION_NO_VECTOR (exception.h), for assembly */

/*
 * EXTABLE puts an instruction that may raise an exception, and its fixup, into a table that
 * arch/cpu/traps/interrupts.c reads (F14.15). After an exception execution continues at the fixup,
 * with a struct exception (exception.h) in RAX, as a C function returns one.
 */
/* clang-format off */
.macro EXTABLE instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 0
    .popsection
.endm

/* The same for an access to a register that should raise no exception. If it does, the test fails
 * (arch/cpu/traps/interrupts.h), and execution continues at the fixup. */
.macro EXTABLE_MSR_FAULT instruction, fixup
    .pushsection .extable, "a", @progbits
    .quad \instruction, \fixup, 1
    .popsection
.endm
/* clang-format on */

#endif
