/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults in both rings. They do not go back: the landing takes the stack as it was before. */
#include "tests/workloads/one_kind.h"

        LIST_BEGIN faults

.macro KERNEL_FAULT name, vector, prepare, instruction:vararg
        WORKLOAD_BEGIN kernel_\name
        mov     %rsp, %r15
        \prepare
        BRANCH  EXCEPTION, kernel_\name\().back, \instruction
        BACK_IN_KERNEL kernel_\name
        WORKLOAD_END kernel_\name, gate_landing=kernel_\name\().back, gate_vector=\vector
        LISTED  kernel_\name
.endm

.macro USER_FAULT name, vector, prepare, instruction:vararg
        WORKLOAD_BEGIN user_\name
        BEGIN_RING3 user_\name
        \prepare
        CROSS   EXCEPTION, user_\name\().back, 0, \instruction
        END_RING3
        BACK_IN_KERNEL user_\name
        WORKLOAD_END user_\name, gate_landing=user_\name\().back, gate_vector=\vector
        LISTED  user_\name
.endm

.macro FAULT name, vector, prepare, instruction:vararg
        KERNEL_FAULT \name, \vector, \prepare, \instruction
        USER_FAULT \name, \vector, \prepare, \instruction
.endm

.macro NO_DIVISOR
        xor     %ecx, %ecx
.endm
.macro NOT_CANONICAL
        movabs  $0x8000000000000000, %rdx
.endm
.macro NOT_MAPPED
        mov     $user_stack_guard, %rdx
.endm

        FAULT   de, VECTOR_DE, NO_DIVISOR, div %ecx
        FAULT   ud, VECTOR_UD, nop, ud2
        FAULT   gp, VECTOR_GP, NOT_CANONICAL, mov (%rdx), %eax
        FAULT   pf, VECTOR_PF, NOT_MAPPED, mov (%rdx), %eax
        USER_FAULT privileged_instruction, VECTOR_GP, nop, hlt
        USER_FAULT int_of_a_closed_gate, VECTOR_GP, nop, int $VECTOR_DF

        LIST_END faults
