/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loops for traces of more records than any list of a test holds: RDI turns, each but the last a LOOP that is
 * taken. The row of it stands once, however often it is taken.
 */
#include "tests/workloads/truth.h"

.macro LONG_LOOP name
        mov     %rdi, %rcx
\name\().again:
        BRANCH  LOOP, \name\().again, loop \name\().again
.endm

        WORKLOAD_BEGIN long_loop
        LONG_LOOP long_loop
        WORKLOAD_RET
        WORKLOAD_ROW long_loop, long_loop, long_loop.truth

        WORKLOAD_BEGIN long_loop_user
        USER_FRAME $long_loop_user.ring3
        CROSS   IRET, long_loop_user.ring3, 3, iretq
        .pushsection .user.text, "ax", @progbits
long_loop_user.ring3:
        LONG_LOOP long_loop_user
        CROSS   SYSCALL, long_loop_user.back, 0, syscall
        .popsection
long_loop_user.back:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        WORKLOAD_ROW long_loop_user, long_loop_user, long_loop_user.truth, long_loop_user.back
