/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * void burst(struct burst *burst), void burst_lbr(struct burst *burst)
 *
 * IA32_PERF_GLOBAL_CTRL goes on before IA32_DEBUGCTL and off before it. A function called keeps only
 * RBX and the stack, as the bracket's workloads do.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr_arch.h"
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

# All of it, with IA32_LBR_CTL or without: nothing of what is on may stand beside a jump that asks. That
# one goes on first, and off last.
.macro BURST name, lbr
        .text
\name:
        PUSH_CALLERS_REGISTERS
        pushf                           # IF as it was
        mov     %rdi, %rbx
        cli
        cmpq    $0, BURST_INTERRUPTS_OPEN(%rbx)
        je      1f
        sti
1:
    .if \lbr
        WRITE_FIELD IA32_LBR_CTL, BURST_LBR
\name\()_ctl_on:
        WRITE_FIELD IA32_PERF_GLOBAL_CTRL, BURST_CONTROL
    .else
        cmpq    $0, BURST_HAS_CONTROL(%rbx)
        je      \name\()_debugctl_on
        WRITE_FIELD IA32_PERF_GLOBAL_CTRL, BURST_CONTROL
    .endif
\name\()_debugctl_on:
        WRITE_FIELD IA32_DEBUGCTL, BURST_DEBUGCTL
\name\()_on:
    .if !\lbr
\name\()_ctl_on:
    .endif
\name\()_next:
        mov     BURST_NEXT(%rbx), %r12
        mov     (%r12), %rax
        addq    $BURST_OPERATION_SIZE, BURST_NEXT(%rbx)
\name\()_dispatch:
        jmp     *\name\()_table(, %rax, 8)

\name\()_write:
        mov     BURST_OPERATION_FIRST(%r12), %ecx
        mov     BURST_OPERATION_SECOND(%r12), %eax
        mov     BURST_OPERATION_SECOND + 4(%r12), %edx
        wrmsr
\name\()_write_back:
        jmp     \name\()_next

\name\()_call:
        mov     BURST_OPERATION_SECOND(%r12), %rdi
\name\()_call_out:
        call    *BURST_OPERATION_FIRST(%r12)
\name\()_call_back:
        jmp     \name\()_next

\name\()_end:
        mov     $IA32_DEBUGCTL, %ecx
\name\()_settle:
        .rept   BURST_SETTLE
        rdmsr
        .endr
        READ_FIELD IA32_DEBUGCTL, BURST_FOUND_DEBUGCTL
        READ_FIELD IA32_PERF_GLOBAL_CTRL, BURST_FOUND_CONTROL
        READ_FIELD IA32_PERF_GLOBAL_STATUS, BURST_FOUND_STATUS
        WRITE_ZERO IA32_PERF_GLOBAL_CTRL
        WRITE_ZERO IA32_DEBUGCTL
\name\()_cleared:
    .if \lbr
        READ_FIELD IA32_LBR_CTL, BURST_FOUND_LBR
        and     $~LBR_CTL_LBREN, %eax
        wrmsr
    .endif
        jmp     \name\()_off

\name\()_end_plain:
        READ_FIELD IA32_DEBUGCTL, BURST_FOUND_DEBUGCTL
        WRITE_ZERO IA32_DEBUGCTL
\name\()_off:
        popf
        POP_CALLERS_REGISTERS
        ret

        .section .rodata, "a", @progbits
        .balign 8
\name\()_table:
        .quad   \name\()_write, \name\()_call, \name\()_end, \name\()_end_plain
        .globl  \name\()_code
\name\()_code:                          # struct burst_code
        .quad   \name, \name\()_ctl_on, \name\()_on, \name\()_next, \name\()_dispatch
        .quad   \name\()_write, \name\()_write_back
        .quad   \name\()_call, \name\()_call_out, \name\()_call_back
        .quad   \name\()_end, \name\()_settle, \name\()_cleared, \name\()_end_plain, \name\()_off
.endm

        BURST   burst, 0
        BURST   burst_lbr, 1
