/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sleds of jumps, one a ring and one of 32-bit code: as many different records as a test asks for. */
#include "tests/workloads/truth.h"

.macro SLED_JUMP
        BRANCH  JMP, .Lafter\@, jmp .Lafter\@
        int3
.Lafter\@:
.endm

# The jumps in place, and their rows in a table of their own.
.macro SLED name, length=SLED_LENGTH
        .globl  \name, \name\()_truth
        .pushsection .truth, "a", @progbits
        .balign 32
\name\()_truth:
        .popsection
\name:
        .rept   \length
        SLED_JUMP
        .endr
.endm

        .text
        .set    truth_ring, 0
        SLED    sled
        WORKLOAD_BEGIN sled.way_back
        WORKLOAD_RET
        WORKLOAD_ROW sled, sled, sled.way_back.truth

# The whole sled again and again, for more records than it has jumps.
        WORKLOAD_BEGIN sled_rounds
        mov     %rdi, %rcx
sled_rounds.again:
        BRANCH  CALL, sled, call sled
        BRANCH  LOOP, sled_rounds.again, loop sled_rounds.again
        WORKLOAD_RET
        WORKLOAD_ROW sled_rounds, sled_rounds, sled_rounds.truth

        .pushsection .user.text, "ax", @progbits
        .set    truth_ring, 3
        SLED    sled_user
        .popsection

        WORKLOAD_BEGIN sled_user.out
        USER_FRAME %rdi # where in the sled
        CROSS   IRET, sled_user, 3, iretq

        .pushsection .user.text, "ax", @progbits
sled_user.syscall:
        CROSS   SYSCALL, sled_user.back, 0, syscall
        .popsection

sled_user.back:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        WORKLOAD_ROW sled_user, sled_user.out, sled_user.out.truth, sled_user.back

/* --- the same, and 32-bit code, with IF as it was: held off it stays 0, and no interrupt comes into them --- */

        .pushsection .user.text, "ax", @progbits
        .code32
        .set    truth_ring, 3
        SLED    sled_compat, SLED_COMPAT_LENGTH
sled_compat.int:                        # SYSCALL does not exist here
        int     $VECTOR_USER_INT
sled_compat.int_next:
        .code64
        .popsection

# Out to the address in RDI, and the way back, which starts with the row that is given.
.macro SLED_HELD_OFF name, sled, selector, kind, from, from_next
        WORKLOAD_BEGIN \name\().out
        USER_FRAME %rdi, $\selector, now
        CROSS   IRET, \sled, 3, iretq
        TRUTH   \kind, \from, \name\().back, 0, \from_next
\name\().back:
        mov     %r15, %rsp
        WORKLOAD_RET
    .ifc \kind, SYSCALL
        WORKLOAD_ROW \name, \name\().out, \name\().out.truth, syscall_landing=\name\().back
    .else
        WORKLOAD_ROW \name, \name\().out, \name\().out.truth, user_int_landing=\name\().back
    .endif
.endm

        SLED_HELD_OFF sled_held_off, sled_user, SELECTOR_USER_CODE, SYSCALL, sled_user.syscall, 0
        SLED_HELD_OFF sled_compat, sled_compat, SELECTOR_USER_CODE32, INT, sled_compat.int, sled_compat.int_next
        SLED_HELD_OFF sled_based, sled_compat, SELECTOR_USER_CODE32_BASED, INT, sled_compat.int, sled_compat.int_next
