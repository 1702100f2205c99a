/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events whose handler's very first instruction is another: each is a record of its own. */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN nested_events

        WORKLOAD_BEGIN kernel_ud_behind_int_n
        mov     %rsp, %r15
        TRAP    INT, kernel_ud_behind_int_n.landing, int $VECTOR_WORKLOAD_INT
        OUT_OF_LINE
kernel_ud_behind_int_n.landing:
        BRANCH  EXCEPTION, kernel_ud_behind_int_n.back, ud2
        IN_LINE
        BACK_IN_KERNEL kernel_ud_behind_int_n
        WORKLOAD_END kernel_ud_behind_int_n, 0, 0, kernel_ud_behind_int_n.landing, kernel_ud_behind_int_n.back, VECTOR_UD
        LISTED  kernel_ud_behind_int_n

        WORKLOAD_BEGIN user_ud_behind_int_n
        BEGIN_RING3 user_ud_behind_int_n
        TRAP    INT, user_ud_behind_int_n.landing, int $VECTOR_USER_INT
        .pushsection .text
user_ud_behind_int_n.landing:
        BRANCH  EXCEPTION, user_ud_behind_int_n.back, ud2
        .popsection
        END_RING3
        BACK_IN_KERNEL user_ud_behind_int_n
        WORKLOAD_END user_ud_behind_int_n, 0, user_ud_behind_int_n.landing, 0, user_ud_behind_int_n.back, VECTOR_UD
        LISTED  user_ud_behind_int_n

        # The breakpoint's handler begins with INT n.
        WORKLOAD_BEGIN kernel_int_n_behind_int3
        mov     %rsp, %r15
        TRAP    INT3, kernel_int_n_behind_int3.landing, int3
        OUT_OF_LINE
kernel_int_n_behind_int3.landing:
        TRAP    INT, kernel_int_n_behind_int3.back, int $VECTOR_WORKLOAD_INT
        IN_LINE
        BACK_IN_KERNEL kernel_int_n_behind_int3
        WORKLOAD_END kernel_int_n_behind_int3, 0, 0, kernel_int_n_behind_int3.back, kernel_int_n_behind_int3.landing, VECTOR_BP
        LISTED  kernel_int_n_behind_int3

        LIST_END nested_events

        .section .note.GNU-stack, "", @progbits
