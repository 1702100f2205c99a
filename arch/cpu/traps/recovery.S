/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offsets: struct recovery_point. */
#include "arch/cpu/ground/function.h"

    .text
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
