/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both rings and every way between them: ring 0, IRET, ring 3, SYSCALL, ring 0, SYSRET, ring 3, INT n,
 * ring 0, INT n and IRET inside ring 0.
 */
#include "tests/workloads/truth.h"

        WORKLOAD_BEGIN rings
        NEAR_BRANCHES rings.kernel
        USER_FRAME $rings.user
        CROSS   IRET, rings.user, 3, iretq

        .pushsection .user.text, "ax", @progbits
        NEAR_BRANCHES rings.user
        CROSS   SYSCALL, rings.syscall_landing, 0, syscall
        .popsection

rings.syscall_landing:                  # IF = 0 by IA32_FMASK, still on the stack of ring 3
        BRANCH  JMP, rings.between, jmp rings.between
        ud2
rings.between:
        mov     $rings.user_again, %rcx
        mov     $USER_RFLAGS, %r11
        CROSS   SYSRET, rings.user_again, 3, sysretq

        .pushsection .user.text, "ax", @progbits
rings.user_again:
        BRANCH  JMP, rings.user_last, jmp rings.user_last
        ud2
rings.user_last:
        SOFTWARE_INTERRUPT VECTOR_USER_INT, rings.int_landing
        .popsection

rings.int_landing:
        mov     %r15, %rsp
        BRANCH  JMP, rings.kernel_again, jmp rings.kernel_again
        ud2
rings.kernel_again:
        sti
        SOFTWARE_INTERRUPT VECTOR_WORKLOAD_INT, rings.kernel_int_landing
        OUT_OF_LINE
rings.kernel_int_landing:
        BRANCH  IRET, rings.after_int, iretq
        IN_LINE
rings.after_int:
        WORKLOAD_RET
        WORKLOAD_END rings, rings.syscall_landing, rings.int_landing, rings.kernel_int_landing
