/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * void burst_run(struct burst *burst)
 *
 * IA32_PERF_GLOBAL_CTRL goes on before IA32_DEBUGCTL and off before it. What is called keeps RBX and the
 * stack, and nothing else, as the bracket's workloads do.
 */
#include "arch/cpu/function.h"
#include "arch/cpu/msr.h"
#include "tests/workloads/burst.h"

.macro WRITE_FIELD register, field
        mov     $\register, %ecx
        mov     \field(%rbx), %eax
        mov     \field + 4(%rbx), %edx
        wrmsr
.endm

.macro READ_FIELD register, field
        mov     $\register, %ecx
        rdmsr
        mov     %eax, \field(%rbx)
        mov     %edx, \field + 4(%rbx)
.endm

.macro WRITE_ZERO register
        mov     $\register, %ecx
        xor     %eax, %eax
        xor     %edx, %edx
        wrmsr
.endm

        .text
        .globl  burst_run, burst_on, burst_next, burst_dispatch, burst_write, burst_write_back
        .globl  burst_call, burst_call_out, burst_call_back, burst_end, burst_end_plain, burst_off
        .globl  burst_settle
burst_run:
        PUSH_CALLERS_REGISTERS
        pushf                           # IF as it was
        mov     %rdi, %rbx
        cli
        cmpq    $0, BURST_INTERRUPTS_OPEN(%rbx)
        je      1f
        sti
1:
        cmpq    $0, BURST_HAS_CONTROL(%rbx)
        je      burst_debugctl_on
        WRITE_FIELD IA32_PERF_GLOBAL_CTRL, BURST_CONTROL
burst_debugctl_on:
        WRITE_FIELD IA32_DEBUGCTL, BURST_DEBUGCTL
burst_on:
burst_next:
        mov     BURST_NEXT(%rbx), %r12
        mov     (%r12), %rax
        addq    $BURST_OPERATION_SIZE, BURST_NEXT(%rbx)
burst_dispatch:
        jmp     *burst_table(, %rax, 8)

burst_write:
        mov     BURST_OPERATION_FIRST(%r12), %ecx
        mov     BURST_OPERATION_SECOND(%r12), %eax
        mov     BURST_OPERATION_SECOND + 4(%r12), %edx
        wrmsr
burst_write_back:
        jmp     burst_next

burst_call:
        mov     BURST_OPERATION_SECOND(%r12), %rdi
burst_call_out:
        call    *BURST_OPERATION_FIRST(%r12)
burst_call_back:
        jmp     burst_next

burst_end:
        mov     $IA32_DEBUGCTL, %ecx
burst_settle:
        .rept   BURST_SETTLE
        rdmsr
        .endr
        READ_FIELD IA32_DEBUGCTL, BURST_FOUND_DEBUGCTL
        READ_FIELD IA32_PERF_GLOBAL_CTRL, BURST_FOUND_CONTROL
        READ_FIELD IA32_PERF_GLOBAL_STATUS, BURST_FOUND_STATUS
        WRITE_ZERO IA32_PERF_GLOBAL_CTRL
        WRITE_ZERO IA32_DEBUGCTL
        jmp     burst_off

burst_end_plain:
        READ_FIELD IA32_DEBUGCTL, BURST_FOUND_DEBUGCTL
        WRITE_ZERO IA32_DEBUGCTL
burst_off:
        popf
        POP_CALLERS_REGISTERS
        ret

        .section .rodata, "a", @progbits
        .balign 8
burst_table:
        .quad   burst_write, burst_call, burst_end, burst_end_plain
