/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every kind of near branch in ring 0, and the same in ring 3. */
#include "tests/workloads/truth.h"

        WORKLOAD_BEGIN near_branches
        NEAR_BRANCHES near_branches.body
        WORKLOAD_RET
        WORKLOAD_END near_branches

        WORKLOAD_BEGIN user_branches
        USER_FRAME $user_branches.ring3
        CROSS   IRET, user_branches.ring3, 3, iretq

        .pushsection .user.text, "ax", @progbits
        NEAR_BRANCHES user_branches.ring3
        CROSS   SYSCALL, user_branches.back, 0, syscall
        .popsection

user_branches.back:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        WORKLOAD_END user_branches, user_branches.back
