/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One entry a vector, INTERRUPT_ENTRY_SIZE bytes apart, and what they share. The frame, from the
 * highest address down, is struct trap_frame:
 *
 *     SS          processor; RSP was aligned to 16 before (F14.5)
 *     RSP
 *     RFLAGS
 *     CS
 *     RIP
 *     error code  processor, or 0 from the entry for vectors that have none
 *     vector      entry
 *     RAX … R15   SAVE_REGISTERS, 15 of them
 *
 * That is 22 quadwords, so that RSP is aligned again for the call into C. No SWAPGS: percpu.h.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/traps/trap_frame.h"

    .text
    .balign 16
    .globl interrupt_entry
interrupt_entry:
    vector = 0
    .rept 256
    .balign INTERRUPT_ENTRY_SIZE
    .if !(vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21 || vector == 29 || vector == 30)
    push $0
    .endif
    push $vector
    jmp interrupt_common
    vector = vector + 1
    .endr

    .type interrupt_common, @function
interrupt_common:
    SAVE_REGISTERS
    mov %rsp, %rdi
    call interrupt_dispatch
    RESTORE_REGISTERS
    iretq
    .size interrupt_common, . - interrupt_common

/* Offsets: struct recovery_point. */
    FUNCTION recovery_point_set /* RDI = point; returns EAX */
    mov %rbx, 0(%rdi)
    mov %rbp, 8(%rdi)
    mov %r12, 16(%rdi)
    mov %r13, 24(%rdi)
    mov %r14, 32(%rdi)
    mov %r15, 40(%rdi)
    lea 8(%rsp), %rax           /* RSP as after our return */
    mov %rax, 48(%rdi)
    mov (%rsp), %rax
    mov %rax, 56(%rdi)
    pushfq
    pop 64(%rdi)
    xor %eax, %eax
    ret
    END recovery_point_set
