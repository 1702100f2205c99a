/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One kind of branch a workload, so that the smallest LBR stack (4 entries) holds it together with
 * the way back: each kind in ring 0 and in ring 3, each way between the rings, and a fault.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN single_branches

/* --- the kinds; each ends by falling out of the bottom --- */

.macro KIND_jmp_short name
        BRANCH  JMP, \name\().after, jmp \name\().after
        ud2
\name\().after:
.endm

.macro KIND_jmp_near name
        BRANCH  JMP, \name\().after, jmp \name\().after
        .skip   130, 0xcc               # too far for a displacement of 8 bits
\name\().after:
.endm

.macro KIND_jcc name
        xor     %eax, %eax
        NOT_TAKEN jnz \name\().never
        BRANCH  JCC, \name\().after, jz \name\().after
\name\().never:
        ud2
\name\().after:
.endm

.macro KIND_jcc_near name
        xor     %eax, %eax
        BRANCH  JCC, \name\().after, jz \name\().after
        .skip   130, 0xcc
\name\().after:
        NOT_TAKEN jc \name\().after
.endm

.macro KIND_jcc_to_next name
        xor     %eax, %eax
        BRANCH  JCC, \name\().after, jnc \name\().after
\name\().after:
.endm

.macro KIND_loop name
        mov     $3, %ecx
\name\().again:
        REPEATED 2, LOOP, \name\().again, loop \name\().again
.endm

.macro KIND_jrcxz name
        mov     $1, %ecx
        NOT_TAKEN jrcxz \name\().never
        xor     %ecx, %ecx
        BRANCH  JRCXZ, \name\().after, jrcxz \name\().after
\name\().never:
        ud2
\name\().after:
.endm

.macro KIND_jmp_register name
        mov     $\name\().after, %rax
        BRANCH  JMP_INDIRECT, \name\().after, jmp *%rax
        ud2
\name\().after:
.endm

.macro KIND_jmp_memory name
        BRANCH  JMP_INDIRECT, \name\().after, jmp *\name\().slot(%rip)
        ud2
        .balign 8
\name\().slot:
        .quad   \name\().after
\name\().after:
.endm

.macro KIND_call name
        BRANCH  CALL, \name\().callee, call \name\().callee
        CALLEE  \name, ret
.endm

.macro KIND_call_register name
        push    %rax                    # for the callee to take away
        mov     $\name\().callee, %rax
        BRANCH  CALL_INDIRECT, \name\().callee, call *%rax
        CALLEE  \name, ret $8
.endm

.macro KIND_call_memory name
        BRANCH  CALL_INDIRECT, \name\().callee, call *\name\().slot(%rip)
        OUT_OF_LINE
\name\().callee:
        BRANCH  RET, \name\().after, ret
        .balign 8
\name\().slot:
        .quad   \name\().callee
        IN_LINE
\name\().after:
.endm

# Branches that are not taken leave nothing; the last one is, and does.
.macro KIND_only_last_taken name
        xor     %eax, %eax
        NOT_TAKEN jnz \name\().never
        NOT_TAKEN jc \name\().never
        mov     $1, %ecx
        NOT_TAKEN loop \name\().never
        BRANCH  JRCXZ, \name\().last, jecxz \name\().last
\name\().never:
        ud2
\name\().last:
.endm

        .irp    kind, jmp_short, jmp_near, jcc, jcc_near, jcc_to_next, loop, jmp_register, jmp_memory
        IN_KERNEL \kind
        IN_USER \kind
        .endr
        .irp    kind, call, call_register, call_memory
        IN_KERNEL \kind
        IN_USER \kind
        .endr
        IN_KERNEL jrcxz
        IN_USER jrcxz
        IN_KERNEL only_last_taken
        IN_USER only_last_taken

        WORKLOAD_BEGIN iret_and_syscall
        BEGIN_RING3 iret_and_syscall
        SYSCALL_BACK iret_and_syscall
        WORKLOAD_END iret_and_syscall, iret_and_syscall.back
        LISTED  iret_and_syscall

        WORKLOAD_BEGIN sysret_and_int
        mov     %rsp, %r15
        mov     $sysret_and_int.ring3, %rcx
        mov     $USER_RFLAGS, %r11
        cli                             # between the stacks
        mov     $user_stack_top, %rsp
        CROSS   SYSRET, sysret_and_int.ring3, 3, sysretq
        .pushsection .user.text, "ax", @progbits
sysret_and_int.ring3:
        SOFTWARE_INTERRUPT VECTOR_USER_INT, sysret_and_int.back
        .popsection
        BACK_IN_KERNEL sysret_and_int
        WORKLOAD_END sysret_and_int, 0, sysret_and_int.back
        LISTED  sysret_and_int

        WORKLOAD_BEGIN int_and_iret
        SOFTWARE_INTERRUPT VECTOR_WORKLOAD_INT, int_and_iret.landing
        OUT_OF_LINE
int_and_iret.landing:
        BRANCH  IRET, int_and_iret.after, iretq
        IN_LINE
int_and_iret.after:
        WORKLOAD_RET
        WORKLOAD_END int_and_iret, 0, 0, int_and_iret.landing
        LISTED  int_and_iret

        LIST_END single_branches

/* --- those that need more than their entry points set up --- */

        # #UD must lead to the landing.
        WORKLOAD_BEGIN kernel_fault
        mov     %rsp, %r15
        BRANCH  EXCEPTION, kernel_fault_landing, ud2
        OUT_OF_LINE
        .globl  kernel_fault_landing
kernel_fault_landing:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        IN_LINE
        WORKLOAD_END kernel_fault, gate_landing=kernel_fault_landing, gate_vector=VECTOR_UD

        WORKLOAD_BEGIN user_fault
        BEGIN_RING3 user_fault
        CROSS   EXCEPTION, user_fault_landing, 0, ud2
        .popsection
        .globl  user_fault_landing
user_fault_landing:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        WORKLOAD_END user_fault, gate_landing=user_fault_landing, gate_vector=VECTOR_UD
