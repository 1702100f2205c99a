/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Far transfers in 64-bit mode: JMP, CALL and RET through memory, with 32-bit and 64-bit operands, to the
 * same ring, to the other, and through a call gate.
 *
 * The 32-bit forms cannot name an address of the kernel, so they run in ring 3 alone. With REX.W the
 * offset has 64 bits on Intel's processors alone: others read 32 bits and take what follows for the selector.
 */
#include "arch/cpu/traps/descriptors.h"
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN far_transfers

.macro FAR_POINTER label, offset, selector
        .balign 8
\label:
        .quad   \offset
        .short  \selector
.endm

.macro FAR_JMP64 name, selector
        BRANCH  FAR_JMP, \name\().after, rex64 ljmp *\name\().pointer(%rip)
        FAR_POINTER \name\().pointer, \name\().after, \selector
\name\().after:
.endm

.macro FAR_CALL64 name, selector
        BRANCH  FAR_CALL, \name\().callee, rex64 lcall *\name\().pointer(%rip)
        OUT_OF_LINE
\name\().callee:
        BRANCH  FAR_RET, \name\().after, lretq
        FAR_POINTER \name\().pointer, \name\().callee, \selector
        IN_LINE
\name\().after:
.endm

.macro FAR_RET64_IMM name, selector
        push    %rax
        push    %rax
        pushq   $\selector
        pushq   $\name\().after
        BRANCH  FAR_RET, \name\().after, lretq $16
        ud2
\name\().after:
.endm

        .set    list_flags, WORKLOAD_INTEL
        KERNEL_WORKLOAD far_jmp, FAR_JMP64 kernel_far_jmp, SELECTOR_KERNEL_CODE
        USER_WORKLOAD far_jmp, FAR_JMP64 user_far_jmp, SELECTOR_USER_CODE
        KERNEL_WORKLOAD far_call, FAR_CALL64 kernel_far_call, SELECTOR_KERNEL_CODE
        USER_WORKLOAD far_call, FAR_CALL64 user_far_call, SELECTOR_USER_CODE
        .set    list_flags, 0
        KERNEL_WORKLOAD far_ret_imm, FAR_RET64_IMM kernel_far_ret_imm, SELECTOR_KERNEL_CODE
        USER_WORKLOAD far_ret_imm, FAR_RET64_IMM user_far_ret_imm, SELECTOR_USER_CODE

.macro FAR_POINTER32 label, offset, selector=SELECTOR_USER_CODE
        .balign 8
\label:
        .long   \offset
        .short  \selector
.endm

.macro FAR_JMP32 name
        BRANCH  FAR_JMP, \name\().after, ljmpl *\name\().pointer(%rip)
        FAR_POINTER32 \name\().pointer, \name\().after
\name\().after:
.endm

.macro FAR_CALL32 name
        BRANCH  FAR_CALL, \name\().callee, lcalll *\name\().pointer(%rip)
        OUT_OF_LINE
\name\().callee:
        BRANCH  FAR_RET, \name\().after, lretl
        FAR_POINTER32 \name\().pointer, \name\().callee
        IN_LINE
\name\().after:
.endm

        USER_WORKLOAD far_jmp_32bit_operand, FAR_JMP32 user_far_jmp32
        USER_WORKLOAD far_call_32bit_operand, FAR_CALL32 user_far_call32

        # Out to ring 3 by far RET.
        WORKLOAD_BEGIN far_ret_to_ring3
        mov     %rsp, %r15
        push    $SELECTOR_USER_DATA
        push    $user_stack_top
        push    $SELECTOR_USER_CODE
        push    $far_ret_to_ring3.ring3
        CROSS   FAR_RET, far_ret_to_ring3.ring3, 3, lretq
        .pushsection .user.text, "ax", @progbits
far_ret_to_ring3.ring3:
        SYSCALL_BACK far_ret_to_ring3
        WORKLOAD_END far_ret_to_ring3, far_ret_to_ring3.back
        LISTED  far_ret_to_ring3

/* --- through a call gate, which alone says where it leads --- */

        WORKLOAD_BEGIN user_call_gate
        BEGIN_RING3 user_call_gate
        CROSS   FAR_CALL, user_call_gate.landing, 0, lcalll *user_call_gate.pointer(%rip)
        .text
user_call_gate.landing:
        CROSS   FAR_RET, user_call_gate.after, 3, lretq
        .section .user.text, "ax", @progbits
user_call_gate.after:
        CROSS   SYSCALL, user_call_gate.back, 0, syscall
        FAR_POINTER32 user_call_gate.pointer, 0, SELECTOR_CALL_GATE
        END_RING3
        BACK_IN_KERNEL user_call_gate
        WORKLOAD_END user_call_gate, user_call_gate.back, call_gate_landing=user_call_gate.landing
        LISTED  user_call_gate

        WORKLOAD_BEGIN kernel_call_gate
        mov     %rsp, %r15
        mov     $user_stack_top, %rsp   # QEMU's TCG keeps 32 bits of RSP here (F13.40)
        BRANCH  FAR_CALL, kernel_call_gate.landing, rex64 lcall *kernel_call_gate.pointer(%rip)
        OUT_OF_LINE
kernel_call_gate.landing:
        BRANCH  FAR_RET, kernel_call_gate.after, lretq
        FAR_POINTER kernel_call_gate.pointer, 0, SELECTOR_CALL_GATE
        IN_LINE
kernel_call_gate.after:
        mov     %r15, %rsp
        WORKLOAD_RET
        WORKLOAD_END kernel_call_gate, flags=WORKLOAD_INTEL, call_gate_landing=kernel_call_gate.landing
        LISTED  kernel_call_gate

        WORKLOAD_BEGIN kernel_jmp_call_gate
        BRANCH  FAR_JMP, kernel_jmp_call_gate.landing, rex64 ljmp *kernel_jmp_call_gate.pointer(%rip)
        OUT_OF_LINE
kernel_jmp_call_gate.landing:
        WORKLOAD_RET
        FAR_POINTER kernel_jmp_call_gate.pointer, 0, SELECTOR_CALL_GATE
        IN_LINE
        WORKLOAD_END kernel_jmp_call_gate, flags=WORKLOAD_INTEL, call_gate_landing=kernel_jmp_call_gate.landing
        LISTED  kernel_jmp_call_gate

        LIST_END far_transfers
