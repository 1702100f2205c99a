/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * void bracket_run(struct bracket *bracket)
 *
 * What the register turns on is on from the first WRMSR to the second. Between them stand the CALL and the
 * workload's RET, the only branches of the bracket that a trace may hold, and so many instructions; whether
 * the two WRMSR themselves are counted is left to the processor. IA32_LBR_CTL is on around that, where it
 * is to be: no branch is taken meanwhile.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr_arch.h"
#include "tests/workloads/counted_truth.h"
#include "tests/workloads/workload.h"

        .text
        COUNT_START
        .globl  bracket_run, bracket_call, bracket_return, bracket_off
bracket_run:
        PUSH_CALLERS_REGISTERS
        pushf                           # IF as it was
        mov     %rdi, %rbx
        cmpq    $0, BRACKET_REGISTER(%rbx)
        jne     1f
        movq    $IA32_DEBUGCTL, BRACKET_REGISTER(%rbx)
1:
        cmpq    $0, BRACKET_HOLD_OFF(%rbx)
        je      1f
        cli
1:
        cmpq    $0, BRACKET_LBR(%rbx)
        je      1f
        mov     $IA32_LBR_CTL, %ecx
        mov     BRACKET_LBR(%rbx), %eax
        xor     %edx, %edx
bracket_lbr_on:
        wrmsr
1:
        mov     BRACKET_ARGUMENT(%rbx), %rdi
        mov     BRACKET_REGISTER(%rbx), %ecx
        mov     BRACKET_ON(%rbx), %eax
        mov     BRACKET_ON + 4(%rbx), %edx
bracket_on:
        wrmsr
bracket_call:
        BRANCH  call *BRACKET_ENTRY(%rbx)
bracket_return:
        COUNT   mov BRACKET_REGISTER(%rbx), %ecx
        COUNT   rdmsr
        COUNT   mov %eax, BRACKET_FOUND(%rbx)
        COUNT   mov %edx, BRACKET_FOUND + 4(%rbx)
        COUNT   mov BRACKET_OFF(%rbx), %eax
        COUNT   mov BRACKET_OFF + 4(%rbx), %edx
        COUNTED_AS kernel_once
bracket_off:
        wrmsr
bracket_end:
        cmpq    $0, BRACKET_LBR(%rbx)
        je      1f
        mov     $IA32_LBR_CTL, %ecx
        rdmsr
        mov     %eax, BRACKET_LBR_SEEN(%rbx)
        and     $~LBR_CTL_LBREN, %eax
        xor     %edx, %edx
        wrmsr
1:
        popf
        POP_CALLERS_REGISTERS
        ret

bracket_refused:
        movq    $1, BRACKET_REFUSED(%rbx)
        jmp     bracket_end
        EXTABLE_MSR_FAULT bracket_lbr_on, bracket_refused
        EXTABLE_MSR_FAULT bracket_on, bracket_refused
        EXTABLE_MSR_FAULT bracket_off, bracket_refused

        .section .rodata, "a", @progbits
        .balign 8
        .globl  bracket_share
bracket_share:
        COUNTED_SHARE kernel_once, kernel_each
