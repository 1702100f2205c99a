/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that never return, which is what the call-stack mode of the LBR stack is about: their frames are
 * taken off the stack by hand. A list.
 */
#include "tests/workloads/kinds/one_kind.h"

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
        CALLEE  \name, ret
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
        CALLEE  \name, ret
        add     $8, %rsp
.endm

# Each from a place of its own to the next level; above them all two that return, the second from inside
# the first: its row of truth comes between those of the first, so its code stands farther out.
.macro LEVEL
        BRANCH  CALL, .Llevel\@, call .Llevel\@
        ud2
.Llevel\@:
.endm

.macro KIND_stay_deep name
        .rept   DEEP
        LEVEL
        .endr
        BRANCH  CALL, \name\().outer, call \name\().outer
        OUT_OF_LINE
\name\().outer:
        BRANCH  CALL, \name\().inner, call \name\().inner
        .subsection 2
\name\().inner:
        BRANCH  RET, \name\().between, ret
        OUT_OF_LINE
\name\().between:
        BRANCH  RET, \name\().after, ret
        IN_LINE
\name\().after:
        add     $DEEP * 8, %rsp
.endm

        .irp    kind, stay, stay_alone, stay_deep
        IN_KERNEL \kind
        IN_USER \kind
        .endr

# Calls that stay in both rings, and in both one more that returns.
        WORKLOAD_BEGIN both_rings_stay
        BRANCH  CALL, both_rings_stay.called, call both_rings_stay.called
        ud2
both_rings_stay.called:
        BEGIN_RING3 both_rings_stay
        KIND_stay_alone both_rings_stay.body
        CROSS   SYSCALL, both_rings_stay.landing, 0, syscall
        END_RING3
both_rings_stay.landing:
        mov     %r15, %rsp
        BRANCH  CALL, both_rings_stay.callee, call both_rings_stay.callee
        CALLEE  both_rings_stay, ret
        add     $8, %rsp
        sti
        WORKLOAD_RET
        WORKLOAD_END both_rings_stay, both_rings_stay.landing
        LISTED  both_rings_stay

        LIST_END call_stacks
