/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults in all rings. They do not go back: the landing takes the stack as it was before. */
#include "tests/workloads/kinds/one_kind.h"

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

.macro RING_FAULT ring, name, vector, prepare, instruction:vararg
        WORKLOAD_BEGIN ring\ring\()_\name
        mov     %rsp, %r15
        INTO_RING \ring, ring\ring\()_\name\().inside
ring\ring\()_\name\().inside:
        \prepare
        CROSS   EXCEPTION, ring\ring\()_\name\().back, 0, \instruction
        BACK_IN_KERNEL ring\ring\()_\name
        WORKLOAD_END ring\ring\()_\name, gate_landing=ring\ring\()_\name\().back, gate_vector=\vector
        LISTED  ring\ring\()_\name
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
        RING_FAULT 1, ud, VECTOR_UD, nop, ud2
        RING_FAULT 2, pf, VECTOR_PF, NOT_MAPPED, mov (%rdx), %eax
        USER_FAULT privileged_instruction, VECTOR_GP, nop, hlt
        USER_FAULT int_of_a_closed_gate, VECTOR_GP, nop, int $VECTOR_DF

        /* A branch that faults is not taken (F4.1): the exception alone, from the branch (F4.4). */
.macro NULL_FAR_POINTER
        push    $0
        push    $0
.endm
.macro NULL_CODE_FRAME
        IRET_FRAME $0, code=$0
.endm
.macro UNMAPPED_STACK
        mov     $user_stack_guard + 2048, %rsp
.endm

        FAULT   jmp_operand, VECTOR_PF, NOT_MAPPED, jmp *(%rdx)
        FAULT   call_operand, VECTOR_PF, NOT_MAPPED, call *(%rdx)
        FAULT   far_jmp_to_null, VECTOR_GP, NULL_FAR_POINTER, rex64 ljmp *(%rsp)
        FAULT   far_ret_to_null, VECTOR_GP, NULL_FAR_POINTER, lretq
        FAULT   iret_to_null, VECTOR_GP, NULL_CODE_FRAME, iretq
        USER_FAULT call_stack, VECTOR_PF, UNMAPPED_STACK, call user_call_stack.ring3
        USER_FAULT ret_stack, VECTOR_PF, UNMAPPED_STACK, ret

        /* A branch to where nothing can be fetched is taken; the fault is its target's (F4.4). */
.macro AND_NOTHING_THERE name
        TRUTH   EXCEPTION, user_stack_guard, \name\().back, 0
.endm

.macro KERNEL_FETCH_FAULT name, prepare, kind, instruction:vararg
        WORKLOAD_BEGIN kernel_\name
        mov     %rsp, %r15
        \prepare
        BRANCH  \kind, user_stack_guard, \instruction
        AND_NOTHING_THERE kernel_\name
        BACK_IN_KERNEL kernel_\name
        WORKLOAD_END kernel_\name, gate_landing=kernel_\name\().back, gate_vector=VECTOR_PF
        LISTED  kernel_\name
.endm

.macro USER_FETCH_FAULT name, prepare, kind, instruction:vararg
        WORKLOAD_BEGIN user_\name
        BEGIN_RING3 user_\name
        \prepare
        BRANCH  \kind, user_stack_guard, \instruction
        AND_NOTHING_THERE user_\name
        END_RING3
        BACK_IN_KERNEL user_\name
        WORKLOAD_END user_\name, gate_landing=user_\name\().back, gate_vector=VECTOR_PF
        LISTED  user_\name
.endm

.macro FETCH_FAULT name, prepare, kind, instruction:vararg
        KERNEL_FETCH_FAULT \name, \prepare, \kind, \instruction
        USER_FETCH_FAULT \name, \prepare, \kind, \instruction
.endm

.macro NOT_MAPPED_PUSHED
        push    $user_stack_guard
.endm

        FETCH_FAULT jmp_to_nothing, NOT_MAPPED, JMP_INDIRECT, jmp *%rdx
        FETCH_FAULT call_to_nothing, NOT_MAPPED, CALL_INDIRECT, call *%rdx
        FETCH_FAULT ret_to_nothing, NOT_MAPPED_PUSHED, RET, ret
        USER_FETCH_FAULT direct_jmp_to_nothing, nop, JMP, jmp user_stack_guard

        # Out to ring 3, and not an instruction of it.
        WORKLOAD_BEGIN kernel_iret_to_nothing
        USER_FRAME $user_stack_guard
        CROSS   IRET, user_stack_guard, 3, iretq
        AND_NOTHING_THERE kernel_iret_to_nothing
        BACK_IN_KERNEL kernel_iret_to_nothing
        WORKLOAD_END kernel_iret_to_nothing, gate_landing=kernel_iret_to_nothing.back, gate_vector=VECTOR_PF
        LISTED  kernel_iret_to_nothing

        LIST_END faults
