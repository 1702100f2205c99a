/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug exceptions: INT1, the single step after an instruction, and breakpoints by a debug register. The
 * handler looks at IA32_DEBUGCTL, and whether last branches are recorded, first of all, and does not go back.
 */
#include "arch/cpu/debug.h"
#include "arch/cpu/msr.h"
#include "tests/workloads/one_kind.h"

        LIST_BEGIN debug_exceptions

# TF takes effect after the instruction that follows (F9.6).
.macro STEP_NEXT
        pushfq
        orl     $RFLAGS_TF, (%rsp)
        popfq
.endm

# Last branches have their bit there, or a switch of their own; no branch, for BTS may go on.
.macro LOOK_AT_DEBUGCTL
        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        and     $~DEBUGCTL_LBR, %eax
        mov     %eax, debugctl_in_handler(%rip)
        mov     lbr_switch(%rip), %ecx
        rdmsr
        and     $DEBUGCTL_LBR, %eax
        or      %eax, debugctl_in_handler(%rip)
.endm

.macro HANDLER name, flags
\name\().handler:
        mov     %r15, %rsp
        LOOK_AT_DEBUGCTL
        sti
        WORKLOAD_RET
        WORKLOAD_END \name, flags=\flags, gate_landing=\name\().handler, gate_vector=VECTOR_DB
        LISTED  \name
.endm

.macro DEBUG_EXCEPTION name, flags, kind, prepare, instruction:vararg
        WORKLOAD_BEGIN kernel_\name
        mov     %rsp, %r15
        \prepare
        TRAP    \kind, kernel_\name\().handler, \instruction
        HANDLER kernel_\name, \flags

        WORKLOAD_BEGIN user_\name
        BEGIN_RING3 user_\name
        \prepare
        TRAP    \kind, user_\name\().handler, \instruction
        END_RING3
        HANDLER user_\name, \flags
.endm

        DEBUG_EXCEPTION int1, WORKLOAD_DEBUG|WORKLOAD_INT1, INT1, nop, .byte 0xf1
        DEBUG_EXCEPTION single_step, WORKLOAD_DEBUG, DEBUG, STEP_NEXT, nop

.macro SET_BREAKPOINT address, control=0
        mov     $\address, %rax
        mov     %rax, %dr0
        mov     $DR7_INITIAL|DR7_L0|\control, %eax
        mov     %rax, %dr7
.endm

# Without the exception the workload gets to missed, from ring 3 by SYSCALL.
.macro BREAKPOINT_HANDLER name
\name\().handler:
        LOOK_AT_DEBUGCTL
\name\().missed:
        mov     %r15, %rsp
        mov     $DR7_INITIAL, %eax
        mov     %rax, %dr7
        sti
        WORKLOAD_RET
        WORKLOAD_END \name, \name\().missed, flags=WORKLOAD_DEBUG, gate_landing=\name\().handler, gate_vector=VECTOR_DB
        LISTED  \name
.endm

# A fault: FROM is the instruction (F4.4).
.macro CODE_BREAKPOINT name
\name\().at:
        CROSS   CODE_BREAK, \name\().handler, 0, nop
.endm

        WORKLOAD_BEGIN kernel_code_breakpoint
        mov     %rsp, %r15
        SET_BREAKPOINT kernel_code_breakpoint.at
        CODE_BREAKPOINT kernel_code_breakpoint
        jmp     kernel_code_breakpoint.missed
        BREAKPOINT_HANDLER kernel_code_breakpoint

        WORKLOAD_BEGIN user_code_breakpoint
        SET_BREAKPOINT user_code_breakpoint.at
        BEGIN_RING3 user_code_breakpoint
        CODE_BREAKPOINT user_code_breakpoint
        syscall
        END_RING3
        BREAKPOINT_HANDLER user_code_breakpoint

        WORKLOAD_BEGIN kernel_data_breakpoint
        mov     %rsp, %r15
        SET_BREAKPOINT kernel_watched, DR7_WRITE0
        TRAP    DATA_BREAK, kernel_data_breakpoint.handler, movb $1, kernel_watched(%rip)
        jmp     kernel_data_breakpoint.missed
        BREAKPOINT_HANDLER kernel_data_breakpoint

        WORKLOAD_BEGIN user_data_breakpoint
        SET_BREAKPOINT user_watched, DR7_WRITE0
        BEGIN_RING3 user_data_breakpoint
        TRAP    DATA_BREAK, user_data_breakpoint.handler, movb $1, user_watched(%rip)
        syscall
        END_RING3
        BREAKPOINT_HANDLER user_data_breakpoint

        LIST_END debug_exceptions

        .globl  debugctl_in_handler
        .pushsection .bss, "aw", @nobits
        .balign 8
debugctl_in_handler:
        .skip   8
kernel_watched:
        .skip   1
        .popsection
        .pushsection .user.data, "aw", @progbits
user_watched:
        .byte   0
        .popsection
