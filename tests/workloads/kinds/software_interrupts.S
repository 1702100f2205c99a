/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Transfers that lead into the kernel by their own number: INT n, INT3, SYSENTER, and the ways back by IRET to
 * the same and to the outer ring, and by SYSEXIT; and faults, which do not go back.
 */
#include "tests/workloads/kinds/one_kind.h"

/* --- there and back; INT n comes first, as INT3 may follow its reading of FROM (F4.3) --- */

        LIST_BEGIN software_interrupts

.macro KERNEL_TRAP name, kind, vector, instruction:vararg
        WORKLOAD_BEGIN kernel_\name
        TRAP    \kind, kernel_\name\().landing, \instruction
        OUT_OF_LINE
kernel_\name\().landing:
        BRANCH  IRET, kernel_\name\().after, iretq
        IN_LINE
kernel_\name\().after:
        WORKLOAD_RET
        WORKLOAD_END kernel_\name, gate_landing=kernel_\name\().landing, gate_vector=\vector
        LISTED  kernel_\name
.endm

.macro USER_TRAP name, kind, vector, instruction:vararg
        WORKLOAD_BEGIN user_\name
        BEGIN_RING3 user_\name
        TRAP_AND_IRET user_\name\(), 64, \kind, \instruction
        CROSS   SYSCALL, user_\name\().back, 0, syscall
        END_RING3
        BACK_IN_KERNEL user_\name
        WORKLOAD_END user_\name, user_\name\().back, gate_landing=user_\name\().landing, gate_vector=\vector
        LISTED  user_\name
.endm

        KERNEL_TRAP int_n, INT, VECTOR_WORKLOAD_INT, int $VECTOR_WORKLOAD_INT
        USER_TRAP int_n, INT, VECTOR_WORKLOAD_INT, int $VECTOR_WORKLOAD_INT
        KERNEL_TRAP int_3_long, INT, VECTOR_BP, .byte 0xcd, VECTOR_BP
        USER_TRAP int_3_long, INT, VECTOR_BP, .byte 0xcd, VECTOR_BP
        # No machine check, whatever its number is.
        KERNEL_TRAP int_18, INT, VECTOR_MC, int $VECTOR_MC
        USER_TRAP int_18, INT, VECTOR_MC, int $VECTOR_MC
        KERNEL_TRAP int3, INT3, VECTOR_BP, int3
        USER_TRAP int3, INT3, VECTOR_BP, int3

        LIST_END software_interrupts

        LIST_OF sysenter_transfers, workload_sysenter_and_sysexit

        WORKLOAD_BEGIN sysenter_and_sysexit
        BEGIN_RING3 sysenter_and_sysexit
        CROSS   SYSENTER, sysenter_and_sysexit.landing, 0, sysenter
        .pushsection .text
sysenter_and_sysexit.landing:           # IF = 0
        mov     $sysenter_and_sysexit.after, %rdx
        mov     $user_stack_top, %rcx
        CROSS   SYSEXIT, sysenter_and_sysexit.after, 3, sysexitq
        .popsection
sysenter_and_sysexit.after:
        SYSCALL_BACK sysenter_and_sysexit
        WORKLOAD_END sysenter_and_sysexit, sysenter_and_sysexit.back, flags=WORKLOAD_INTEL, sysenter_landing=sysenter_and_sysexit.landing
