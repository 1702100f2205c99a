/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First and last instructions of the debug store interrupt service routine.
 *
 * TR goes off before the first branch and comes back after the last one but IRET, so the routine leaves
 * exactly two records in a trace (F5.24). TR comes back by a fresh read of IA32_DEBUGCTL: the
 * processor may have cleared other bits meanwhile (F2.11), and what was off stays off (ISR-5).
 *
 * The stack holds a struct trap_frame (arch/cpu/traps/interrupts.h):
 *
 *      RSP -> r15 … rax        pushed here
 *             vector           pushed here
 *             error code, 0    pushed here
 *             RIP CS RFLAGS RSP SS    pushed by the processor
 */
#include "arch/cpu/traps/trap_frame.h"
#include "arch/cpu/ground/msr.h"

.macro PMI_ROUTINE name, vector, service
        .globl  \name\()_entry, \name\()_iret
\name\()_entry:
        pushq   $0                      # error code
        pushq   $\vector
        SAVE_REGISTERS
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
        RESTORE_REGISTERS
\name\()_iret:
        iretq
.endm

        .text
        PMI_ROUTINE pmi, VECTOR_PMI, pmi_service
        PMI_ROUTINE pmi_nmi, VECTOR_NMI, pmi_nmi_service
