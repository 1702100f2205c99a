/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, whose FROM is the instruction that would have been next (F4.3). The test sends one before
 * these start, with IF = 0, or they send themselves an NMI. The handler stores the interrupted address
 * in interrupted_at; the rows hold 0 there.
 */
#include "arch/cpu/apic/apic.h"
#include "tests/workloads/kinds/one_kind.h"
#include "tests/workloads/kinds/smi.h"

#define NMI_PAUSES 16
#define NMI_READS  16 /* of a port, 1 us each: more time than an NMI takes to come, on any processor */

#define REP_READS  64

        .globl  interrupted_handler, interrupted_at
.macro INTERRUPTED ring
        TRUTH   INTERRUPT, 0, interrupted_handler, 0
        TRUTH   IRET, interrupted_handler.iret, 0, \ring
        .set    truth_ring, \ring
.endm

# No branch in it. An emulator looks for interrupts at PAUSE.
.macro WAIT_FOR_NMI
        .rept   NMI_PAUSES
        pause
        .endr
        .rept   NMI_READS
        in      $SMI_HARMLESS_PORT, %al
        .endr
.endm

        WORKLOAD_BEGIN kernel_interrupted
        sti
        .rept   16
        nop
        .endr
        cli
        INTERRUPTED 0
        WORKLOAD_RET
        WORKLOAD_END kernel_interrupted, flags=WORKLOAD_INTERRUPTED

        WORKLOAD_BEGIN user_interrupted
        BEGIN_RING3 user_interrupted
        .rept   16
        nop
        .endr
        INTERRUPTED 3
        CROSS   SYSCALL, user_interrupted.back, 0, syscall
        .popsection
user_interrupted.back:
        mov     %r15, %rsp
        WORKLOAD_RET
        WORKLOAD_END user_interrupted, user_interrupted.back, flags=WORKLOAD_INTERRUPTED

        # Not at the IRET's target: with IOPL = 3, ring 3 itself sets IF later.
        WORKLOAD_BEGIN user_interrupted_later
        BEGIN_RING3 user_interrupted_later, flags=$((USER_RFLAGS & ~RFLAGS_IF) | RFLAGS_IOPL)
        .rept   4
        nop
        .endr
        sti
        .rept   16
        nop
        .endr
        INTERRUPTED 3
        CROSS   SYSCALL, user_interrupted_later.back, 0, syscall
        .popsection
user_interrupted_later.back:
        mov     %r15, %rsp
        pushf
        andq    $~RFLAGS_IOPL, (%rsp)
        popf
        WORKLOAD_RET
        WORKLOAD_END user_interrupted_later, user_interrupted_later.back, flags=WORKLOAD_INTERRUPTED

        # The shadow of STI covers HLT: it is the instruction after HLT that is interrupted (F4.9).
        WORKLOAD_BEGIN kernel_hlt
        sti
        hlt
        cli
        INTERRUPTED 0
        WORKLOAD_RET
        WORKLOAD_END kernel_hlt, flags=WORKLOAD_INTERRUPTED

        # Iterations are no branches, nor is resuming them (F4.9).
        WORKLOAD_BEGIN kernel_rep_string
        mov     $256, %ecx
        mov     $kernel_rep_string, %rsi
        sti
        rep lodsb
        cli
        INTERRUPTED 0
        WORKLOAD_RET
        WORKLOAD_END kernel_rep_string, flags=WORKLOAD_INTERRUPTED

        # Every iteration is an access to a port, so that the interrupt strikes between two of them: from the
        # string instruction, which goes on afterwards (F4.9).
        WORKLOAD_BEGIN kernel_rep_ports
        mov     $REP_READS, %ecx
        mov     $rep_buffer, %rdi
        mov     $SMI_HARMLESS_PORT, %edx
        sti
        rep insb
        cli
        INTERRUPTED 0
        WORKLOAD_RET
        WORKLOAD_END kernel_rep_ports, flags=WORKLOAD_INTERRUPTED

        WORKLOAD_BEGIN kernel_nmi       # RDI = address of the interrupt command register
        movl    $APIC_ICR_NMI, (%rdi)
        WAIT_FOR_NMI
        INTERRUPTED 0
        WORKLOAD_RET
        WORKLOAD_END kernel_nmi, flags=WORKLOAD_INTERRUPTED|WORKLOAD_NMI

        WORKLOAD_BEGIN kernel_nmi_x2apic # EDI = destination
        mov     $APIC_X2_ICR, %ecx
        mov     $APIC_ICR_NMI, %eax
        mov     %edi, %edx
        wrmsr
        WAIT_FOR_NMI
        INTERRUPTED 0
        WORKLOAD_RET
        WORKLOAD_END kernel_nmi_x2apic, flags=WORKLOAD_INTERRUPTED|WORKLOAD_NMI

        .text
interrupted_handler:
        push    %rax
        mov     8(%rsp), %rax
        mov     %rax, interrupted_at(%rip)
        pop     %rax
interrupted_handler.iret:
        iretq

        .pushsection .bss, "aw", @nobits
        .balign 8
rep_buffer:
        .skip   REP_READS
interrupted_at:
        .skip   8
        .popsection
