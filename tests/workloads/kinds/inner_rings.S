/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings 1 and 2, which are CPL > 0 as ring 3 is, in pages of the kernel and on its stack: in by IRET, out
 * by INT n.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN inner_rings

.macro FAR_JMP_IN_RING ring, name
        BRANCH  FAR_JMP, \name\().after, rex64 ljmp *\name\().pointer(%rip)
        .balign 8
\name\().pointer:
        .quad   \name\().after
        .short  ring\ring\()_code
\name\().after:
.endm

.macro RING_WORKLOAD ring
        WORKLOAD_BEGIN ring\ring
        mov     %rsp, %r15
        INTO_RING \ring, ring\ring\().inside
ring\ring\().inside:
        NEAR_BRANCHES ring\ring\().branches
        FAR_JMP_IN_RING \ring, ring\ring\().far_jmp
        SOFTWARE_INTERRUPT VECTOR_USER_INT, ring\ring\().back
        BACK_IN_KERNEL ring\ring
        WORKLOAD_END ring\ring, user_int_landing=ring\ring\().back
        LISTED  ring\ring
.endm

        RING_WORKLOAD 1
        RING_WORKLOAD 2

        # Outwards through all of them: whichever ring decides, 1 to 2 and 2 to 3 are CPL > 0.
        WORKLOAD_BEGIN rings_outwards
        mov     %rsp, %r15
        INTO_RING 1, rings_outwards.ring1
rings_outwards.ring1:
        BRANCH  JMP, rings_outwards.to_ring2, jmp rings_outwards.to_ring2
        ud2
rings_outwards.to_ring2:
        INTO_RING 2, rings_outwards.ring2
rings_outwards.ring2:
        BRANCH  JMP, rings_outwards.to_ring3, jmp rings_outwards.to_ring3
        ud2
rings_outwards.to_ring3:
        IRET_FRAME $rings_outwards.ring3
        CROSS   IRET, rings_outwards.ring3, 3, iretq
        .pushsection .user.text, "ax", @progbits
rings_outwards.ring3:
        SOFTWARE_INTERRUPT VECTOR_USER_INT, rings_outwards.back
        .popsection
        BACK_IN_KERNEL rings_outwards
        WORKLOAD_END rings_outwards, user_int_landing=rings_outwards.back
        LISTED  rings_outwards

        LIST_END inner_rings
