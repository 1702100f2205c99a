/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches in both rings, a WRMSR that makes IA32_DEBUGCTL what the argument says, and branches in both
 * rings again: the second half's truth begins at switched_truth. A value that is refused fails the test,
 * and the rest of this runs all the same.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/msr.h"
#include "tests/workloads/kinds/one_kind.h"

        WORKLOAD_BEGIN switched
        mov     %rdi, %r14              # nothing here touches R14
        NEAR_BRANCHES switched.kernel
        USER_FRAME $switched.user
        CROSS   IRET, switched.user, 3, iretq
        .pushsection .user.text, "ax", @progbits
switched.user:
        NEAR_BRANCHES switched.user_branches
        CROSS   SYSCALL, switched.back, 0, syscall
        .popsection
switched.back:
        mov     %r15, %rsp
        mov     $IA32_DEBUGCTL, %ecx
        mov     %r14d, %eax
        xor     %edx, %edx
switched.write:
        wrmsr
switched.written:
        sti
        EXTABLE_MSR_FAULT switched.write, switched.written

        .pushsection .truth, "a", @progbits
        .globl  switched_truth
switched_truth:
        .popsection
        NEAR_BRANCHES switched.kernel_again
        USER_FRAME $switched.user_again
        CROSS   IRET, switched.user_again, 3, iretq
        .pushsection .user.text, "ax", @progbits
switched.user_again:
        NEAR_BRANCHES switched.user_branches_again
        SOFTWARE_INTERRUPT VECTOR_USER_INT, switched.back_again
        .popsection
switched.back_again:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        WORKLOAD_END switched, switched.back, switched.back_again, flags=WORKLOAD_DEBUGCTL
