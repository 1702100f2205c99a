/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For branch-stepping: TF goes along into ring 3 and back, as the frame for IRET has the RFLAGS of now and R11 is
 * left alone between SYSCALL and SYSRET. INT n at the end clears it (F9.6).
 */
#include "tests/workloads/truth.h"

        WORKLOAD_BEGIN branch_step_rings
        NEAR_BRANCHES branch_step_rings.kernel
        USER_FRAME $branch_step_rings.user, flags=now
        CROSS   IRET, branch_step_rings.user, 3, iretq

        .pushsection .user.text, "ax", @progbits
        NEAR_BRANCHES branch_step_rings.user
        CROSS   SYSCALL, branch_step_rings.syscall_landing, 0, syscall
        .popsection

branch_step_rings.syscall_landing:      # IF = 0 by IA32_FMASK, still on the stack of ring 3
        mov     $branch_step_rings.user_again, %rcx
        CROSS   SYSRET, branch_step_rings.user_again, 3, sysretq

        .pushsection .user.text, "ax", @progbits
branch_step_rings.user_again:
        BRANCH  JMP, branch_step_rings.user_last, jmp branch_step_rings.user_last
        ud2
branch_step_rings.user_last:
        SOFTWARE_INTERRUPT VECTOR_USER_INT, branch_step_rings.int_landing
        .popsection

branch_step_rings.int_landing:
        mov     %r15, %rsp
        sti
        nop
        WORKLOAD_RET
        WORKLOAD_END branch_step_rings, branch_step_rings.syscall_landing, branch_step_rings.int_landing

/* One branch, then instructions: with BTF cleared there is a trap after each of them. */
        .globl  branch_step_places, branch_step_places_end
        WORKLOAD_BEGIN branch_step_once
        nop
        BRANCH  JMP, branch_step_once.place0, jmp branch_step_once.place0
        ud2
branch_step_once.place0:
        nop
branch_step_once.place1:
        lea     1(%rax), %rax
branch_step_once.place2:
        nop
branch_step_once.place3:
        WORKLOAD_RET
        WORKLOAD_END branch_step_once

        .section .rodata, "a", @progbits
        .balign 8
branch_step_places:
        .quad   branch_step_once.place0, branch_step_once.place1
        .quad   branch_step_once.place2, branch_step_once.place3
branch_step_places_end:
