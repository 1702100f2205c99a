/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First and last instructions of the debug store interrupt service routine.
 *
 * TR goes off before the first branch and comes back after the last one but IRET, so the routine leaves
 * exactly two records in a trace (F5.24). TR comes back by a fresh read of IA32_DEBUGCTL: the
 * processor may have cleared other bits meanwhile (F2.11), and what was off stays off (ISR-5).
 *
 * The stack holds a struct trap_frame (arch/cpu/interrupts.h):
 *
 *      RSP -> r15 … rax        pushed here
 *             vector           pushed here
 *             error code, 0    pushed here
 *             RIP CS RFLAGS RSP SS    pushed by the processor
 */
#include "arch/cpu/interrupts.h"
#include "arch/cpu/msr.h"

.macro PMI_ROUTINE name, vector, service
        .globl  \name\()_entry, \name\()_iret
\name\()_entry:
        pushq   $0                      # error code
        pushq   $\vector
        push    %rax
        push    %rbx
        push    %rcx
        push    %rdx
        push    %rsi
        push    %rdi
        push    %rbp
        push    %r8
        push    %r9
        push    %r10
        push    %r11
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        cld
        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        mov     %eax, %r12d             # what was on (bits 63:32 are reserved)
        and     $~DEBUGCTL_TR, %eax
        wrmsr                           # from here on branches leave no record

        mov     %rsp, %rdi              # the frame
        mov     %r12, %rsi              # IA32_DEBUGCTL as it was
        mov     %rsp, %rbp
        and     $-16, %rsp
        call    \service
        mov     %rbp, %rsp
        mov     %eax, %r12d             # what to set again

        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        or      %r12d, %eax
        wrmsr                           # TR as it was
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %r11
        pop     %r10
        pop     %r9
        pop     %r8
        pop     %rbp
        pop     %rdi
        pop     %rsi
        pop     %rdx
        pop     %rcx
        pop     %rbx
        pop     %rax
        add     $16, %rsp               # vector and error code
\name\()_iret:
        iretq
.endm

        .text
        PMI_ROUTINE pmi, VECTOR_PMI, pmi_service
        PMI_ROUTINE pmi_nmi, VECTOR_NMI, pmi_nmi_service
