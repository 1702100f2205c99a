/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that never return, which is what the call-stack mode of the LBR stack is about: their frames are
 * taken off the stack by hand. A list.
 */
#include "tests/workloads/one_kind.h"

#define DEEP 40 /* calls; more than any LBR stack has entries */

        LIST_BEGIN call_stacks

# A direct and an indirect call that stay; one to the next instruction, and one that returns.
.macro KIND_stay name
        BRANCH  CALL, \name\().direct, call \name\().direct
        ud2
\name\().direct:
        mov     $\name\().indirect, %rax
        BRANCH  CALL_INDIRECT, \name\().indirect, call *%rax
        ud2
\name\().indirect:
        BRANCH  CALL, \name\().next, call \name\().next
\name\().next:
        pop     %rax
        BRANCH  CALL, \name\().callee, call \name\().callee
        OUT_OF_LINE
\name\().callee:
        BRANCH  RET, \name\().after, ret
        IN_LINE
\name\().after:
        BRANCH  JMP, \name\().end, jmp \name\().end
        ud2
\name\().end:
        add     $16, %rsp
.endm

# The last one, which returns, leaves a call uncovered that had one after it.
.macro KIND_stay_alone name
        mov     $\name\().indirect, %rax
        BRANCH  CALL_INDIRECT, \name\().indirect, call *%rax
        ud2
\name\().indirect:
        mov     $\name\().callee, %rax
        BRANCH  CALL_INDIRECT, \name\().callee, call *%rax
        OUT_OF_LINE
\name\().callee:
        BRANCH  RET, \name\().after, ret
        IN_LINE
\name\().after:
        add     $8, %rsp
.endm

# Again and again to the same place; the first is another one.
.macro KIND_stay_deep name
        mov     $DEEP, %ecx
        BRANCH  JMP, \name\().first, jmp \name\().first
\name\().again:
        dec     %ecx
\name\().leave:
        jz      \name\().end            # taken once, behind all the calls: its row is below
\name\().first:
        REPEATED DEEP, CALL, \name\().again, call \name\().again
\name\().end:
        TRUTH   JCC, \name\().leave, \name\().end, truth_ring
        add     $DEEP * 8, %rsp
.endm

        .irp    kind, stay, stay_alone, stay_deep
        IN_KERNEL \kind
        IN_USER \kind
        .endr

        LIST_END call_stacks
