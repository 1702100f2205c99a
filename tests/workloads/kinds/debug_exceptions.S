/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug exceptions: INT1, the single step after an instruction, and breakpoints by a debug register. The
 * handler looks at IA32_DEBUGCTL, and whether last branches are recorded, first of all, and does not go back.
 */
#include "arch/cpu/traps/debug.h"
#include "arch/cpu/ground/msr.h"
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN debug_exceptions

# TF takes effect after the instruction that follows (F9.6).
.macro STEP_NEXT
        pushfq
        orl     $RFLAGS_TF, (%rsp)
        popfq
.endm

# A trap that is late comes within this.
.macro STEP_NO_MORE
        pushfq
        andl    $~RFLAGS_TF, (%rsp)
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

# Without the exception a workload gets to missed, from ring 3 by SYSCALL, and says its name. R15: the stack.
.macro WAY_BACK name, flags, undo:vararg
\name\().missed:
        movq    $\name\().name, debug_exception_missed(%rip)
\name\().handler:
        mov     %r15, %rsp
        LOOK_AT_DEBUGCTL
        \undo
        sti
        WORKLOAD_RET
        WORKLOAD_END \name, \name\().missed, flags=\flags, gate_landing=\name\().handler, gate_vector=VECTOR_DB
        LISTED  \name
.endm

.macro DEBUG_EXCEPTION name, flags, kind, prepare, undo, instruction:vararg
        WORKLOAD_BEGIN kernel_\name
        mov     %rsp, %r15
        \prepare
        TRAP    \kind, kernel_\name\().handler, \instruction
        \undo
        WAY_BACK kernel_\name, \flags

        WORKLOAD_BEGIN user_\name
        BEGIN_RING3 user_\name
        \prepare
        TRAP    \kind, user_\name\().handler, \instruction
        syscall
        END_RING3
        WAY_BACK user_\name, \flags
.endm

        DEBUG_EXCEPTION int1, WORKLOAD_DEBUG|WORKLOAD_INT1, INT1, nop, nop, .byte 0xf1
        DEBUG_EXCEPTION single_step, WORKLOAD_DEBUG, DEBUG, STEP_NEXT, STEP_NO_MORE, nop

.macro SET_BREAKPOINT address, control=0
        mov     $\address, %rax
        mov     %rax, %dr0
        mov     $DR7_INITIAL|DR7_L0|\control, %eax
        mov     %rax, %dr7
.endm

.macro CLEAR_BREAKPOINT
        mov     $DR7_INITIAL, %eax
        mov     %rax, %dr7
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
        WAY_BACK kernel_code_breakpoint, WORKLOAD_DEBUG, CLEAR_BREAKPOINT

        WORKLOAD_BEGIN user_code_breakpoint
        SET_BREAKPOINT user_code_breakpoint.at
        BEGIN_RING3 user_code_breakpoint
        CODE_BREAKPOINT user_code_breakpoint
        syscall
        END_RING3
        WAY_BACK user_code_breakpoint, WORKLOAD_DEBUG, CLEAR_BREAKPOINT

        WORKLOAD_BEGIN kernel_data_breakpoint
        mov     %rsp, %r15
        SET_BREAKPOINT kernel_watched, DR7_WRITE0
        TRAP    DATA_BREAK, kernel_data_breakpoint.handler, movb $1, kernel_watched(%rip)
        WAY_BACK kernel_data_breakpoint, WORKLOAD_DEBUG, CLEAR_BREAKPOINT

        WORKLOAD_BEGIN user_data_breakpoint
        SET_BREAKPOINT user_watched, DR7_WRITE0
        BEGIN_RING3 user_data_breakpoint
        TRAP    DATA_BREAK, user_data_breakpoint.handler, movb $1, user_watched(%rip)
        syscall
        END_RING3
        WAY_BACK user_data_breakpoint, WORKLOAD_DEBUG, CLEAR_BREAKPOINT

        LIST_END debug_exceptions

        .globl  debugctl_in_handler, debug_exception_missed
        .pushsection .bss, "aw", @nobits
        .balign 8
debugctl_in_handler:
        .skip   8
debug_exception_missed:
        .skip   8
kernel_watched:
        .skip   1
        .popsection
        .pushsection .user.data, "aw", @progbits
user_watched:
        .byte   0
        .popsection
