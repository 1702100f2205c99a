/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug exceptions: INT1, and the single step after an instruction. The handler looks at IA32_DEBUGCTL first
 * of all, and does not go back.
 */
#include "arch/cpu/msr.h"
#include "tests/workloads/one_kind.h"

#define RFLAGS_TF 0x100

        LIST_BEGIN debug_exceptions

# TF takes effect after the instruction that follows (F9.6).
.macro STEP_NEXT
        pushfq
        orl     $RFLAGS_TF, (%rsp)
        popfq
.endm

.macro HANDLER name, flags
\name\().handler:
        mov     %r15, %rsp
        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        mov     %eax, debugctl_in_handler(%rip)
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

        LIST_END debug_exceptions

        .globl  debugctl_in_handler
        .pushsection .bss, "aw", @nobits
        .balign 8
debugctl_in_handler:
        .skip   8
        .popsection
