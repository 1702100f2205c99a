/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sleds of jumps, one a ring: as many different records as a test asks for. */
#include "tests/workloads/truth.h"

.macro SLED_JUMP
        BRANCH  JMP, .Lafter\@, jmp .Lafter\@
        int3
.Lafter\@:
.endm

# The jumps in place, and their rows in a table of their own.
.macro SLED name
        .globl  \name, \name\()_truth
        .pushsection .truth, "a", @progbits
        .balign 32
\name\()_truth:
        .popsection
\name:
        .rept   SLED_LENGTH
        SLED_JUMP
        .endr
.endm

        .text
        .set    truth_ring, 0
        SLED    sled
        WORKLOAD_BEGIN sled.way_back
        WORKLOAD_RET
        .pushsection .truth, "a", @progbits
sled.truth_end:
        .popsection
        .pushsection .rodata, "a", @progbits
sled.name:
        .asciz  "sled"
        .balign 8
        .globl  workload_sled
workload_sled:
        .quad   sled.name, sled, sled.way_back.truth, sled.truth_end, 0, 0, 0, 0, 0, 0, 0
        .popsection

        .pushsection .user.text, "ax", @progbits
        .set    truth_ring, 3
        SLED    sled_user
        .popsection

        WORKLOAD_BEGIN sled_user.out
        USER_FRAME %rdi # where in the sled
        CROSS   IRET, sled_user, 3, iretq

        .pushsection .user.text, "ax", @progbits
        CROSS   SYSCALL, sled_user.back, 0, syscall
        .popsection

sled_user.back:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
        .pushsection .truth, "a", @progbits
sled_user.truth_end:
        .popsection
        .pushsection .rodata, "a", @progbits
sled_user.name:
        .asciz  "sled_user"
        .balign 8
        .globl  workload_sled_user
workload_sled_user:
        .quad   sled_user.name, sled_user.out, sled_user.out.truth, sled_user.truth_end
        .quad   sled_user.back, 0, 0, 0, 0, 0, 0
        .popsection
