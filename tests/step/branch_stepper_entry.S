/* SPDX-License-Identifier: GPL-2.0-or-later */
/* #DB while branch-stepping. No branch but the IRET: the tracing under test may go on. */
#include "arch/cpu/traps/debug.h"
#include "arch/cpu/ground/msr.h"
#include "tests/step/branch_stepper.h"

#define PUSHED      40 /* bytes below the processor's frame */
#define FRAME_RIP   PUSHED
#define FRAME_CS    (PUSHED + 8)

        .text
        .globl  branch_stepper_entry, branch_stepper_iret
branch_stepper_entry:
        push    %rax
        push    %rcx
        push    %rdx
        push    %rbx
        push    %rsi
        mov     branch_stepper_count(%rip), %rbx
        incq    branch_stepper_count(%rip)
        mov     $BRANCH_TRAPS_MAX - 1, %esi
        cmp     %rsi, %rbx
        cmova   %rsi, %rbx
        shl     $BRANCH_TRAP_SHIFT, %rbx
        add     $branch_stepper_traps, %rbx
        mov     FRAME_RIP(%rsp), %rax
        mov     %rax, BRANCH_TRAP_RIP(%rbx)
        mov     FRAME_CS(%rsp), %rax
        mov     %rax, BRANCH_TRAP_CS(%rbx)
        mov     %dr6, %rax
        mov     %rax, BRANCH_TRAP_STATUS(%rbx)
        mov     $DR6_INITIAL, %eax
        mov     %rax, %dr6
        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        mov     %eax, BRANCH_TRAP_DEBUGCTL(%rbx)
        mov     %edx, BRANCH_TRAP_DEBUGCTL + 4(%rbx)
        mov     branch_stepper_rearm(%rip), %eax
        xor     %edx, %edx
        wrmsr
        pop     %rsi
        pop     %rbx
        pop     %rdx
        pop     %rcx
        pop     %rax
branch_stepper_iret:
        iretq

        .section .note.GNU-stack, "", @progbits
