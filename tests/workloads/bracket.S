/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * void bracket_run(struct bracket *bracket)
 *
 * Tracing is on from the first WRMSR to the second; the CALL between them and the workload's RET are the only
 * branches of the bracket that a trace may hold.
 */
#include "arch/cpu/extable.h"
#include "arch/cpu/msr.h"
#include "tests/workloads/workload.h"

        .text
        .globl  bracket_run, bracket_call, bracket_return, bracket_off
bracket_run:
        push    %rbp
        mov     %rsp, %rbp
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        pushf                           # IF as it was
        mov     %rdi, %rbx
        cmpq    $0, BRACKET_HOLD_OFF(%rbx)
        je      1f
        cli
1:
        mov     BRACKET_ARGUMENT(%rbx), %rdi
        mov     $IA32_DEBUGCTL, %ecx
        mov     BRACKET_ON(%rbx), %eax
        xor     %edx, %edx
bracket_on:
        wrmsr
bracket_call:
        call    *BRACKET_ENTRY(%rbx)
bracket_return:
        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        mov     %eax, BRACKET_FOUND(%rbx)
        mov     %edx, BRACKET_FOUND + 4(%rbx)
        mov     BRACKET_OFF(%rbx), %eax
        xor     %edx, %edx
bracket_off:
        wrmsr
bracket_end:
        popf
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        ret

bracket_refused:
        movq    $1, BRACKET_REFUSED(%rbx)
        jmp     bracket_end
        EXTABLE_REFUSAL bracket_on, bracket_refused
        EXTABLE_REFUSAL bracket_off, bracket_refused
