/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * void counted_bracket_run(struct counted_bracket *bracket)
 *
 * Whether the two WRMSR themselves are counted is left to the processor.
 */
#include "arch/cpu/extable.h"
#include "tests/workloads/counted.h"
#include "tests/workloads/counted_truth.h"

        .text
        COUNT_START
        .globl  counted_bracket_run
counted_bracket_run:
        push    %rbp
        mov     %rsp, %rbp
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        pushf                           # IF as it was
        mov     %rdi, %rbx
        cmpq    $0, COUNTED_BRACKET_HOLD_OFF(%rbx)
        je      1f
        cli
1:
        mov     COUNTED_BRACKET_ARGUMENT(%rbx), %rdi
        mov     COUNTED_BRACKET_REGISTER(%rbx), %ecx
        mov     COUNTED_BRACKET_ON(%rbx), %eax
        mov     COUNTED_BRACKET_ON + 4(%rbx), %edx
2:      wrmsr
        BRANCH  call *COUNTED_BRACKET_ENTRY(%rbx)
        .globl  counted_bracket_behind
counted_bracket_behind:
        COUNT   mov COUNTED_BRACKET_REGISTER(%rbx), %ecx
        COUNT   rdmsr
        COUNT   mov %eax, COUNTED_BRACKET_FOUND(%rbx)
        COUNT   mov %edx, COUNTED_BRACKET_FOUND + 4(%rbx)
        COUNT   mov COUNTED_BRACKET_OFF(%rbx), %eax
        COUNT   mov COUNTED_BRACKET_OFF + 4(%rbx), %edx
        COUNTED_AS kernel_once
3:      wrmsr
4:      popf
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        ret

        EXTABLE_REFUSAL 2b, 4b
        EXTABLE_REFUSAL 3b, 4b

        .section .rodata, "a", @progbits
        .balign 8
        .globl  counted_bracket_share
counted_bracket_share:
        COUNTED_SHARE kernel_once, kernel_each
