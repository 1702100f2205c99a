/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * XBEGIN and XABORT: TO is the fallback, FROM where the transaction was when it was aborted (F4.3), which
 * may be its beginning.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN transactions

.macro TRANSACTION name
\name\().begin:
        xbegin  \name\().fallback
\name\().abort:
        xabort  $1
        ud2
        TRUTH   ABORT, \name\().abort, \name\().fallback, truth_ring, \name\().begin
\name\().fallback:
.endm

        WORKLOAD_BEGIN kernel_xabort
        TRANSACTION kernel_xabort.body
        WORKLOAD_RET
        WORKLOAD_END kernel_xabort, flags=WORKLOAD_RTM
        LISTED  kernel_xabort

        WORKLOAD_BEGIN user_xabort
        BEGIN_RING3 user_xabort
        TRANSACTION user_xabort.body
        SYSCALL_BACK user_xabort
        WORKLOAD_END user_xabort, user_xabort.back, flags=WORKLOAD_RTM
        LISTED  user_xabort

        LIST_END transactions
