/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loops for traces of more records than any list of a test holds: RDI turns, each but the last a LOOP that is
 * taken. The row of it stands once, however often it is taken.
 */
#include "tests/workloads/kinds/one_kind.h"

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
        BEGIN_RING3 long_loop_user
        LONG_LOOP long_loop_user
        SYSCALL_BACK long_loop_user
        WORKLOAD_ROW long_loop_user, long_loop_user, long_loop_user.truth, long_loop_user.back
