/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loop of known branches for a machine check to interrupt, one a ring. It runs until the handler ends it
 * or the time is up, then makes jumps that a trace must not hold. The truth of one round is beside it.
 */
#include "tests/workloads/machine_check.h"
#include "tests/workloads/truth.h"

.macro ROUNDS name, area, leave:vararg
        .globl  \name, \name\()_round, \name\()_round_end, \name\()_end
        .pushsection .truth, "a", @progbits
        .balign 32
\name\()_round:
        .popsection
\name:
        incq    \area+ROUNDS_COUNT(%rip)
        BRANCH  JMP, \name\().after_jmp, jmp \name\().after_jmp
        int3
\name\().after_jmp:
        cmpq    $0, \area+ROUNDS_STOP(%rip)
        NOT_TAKEN jne \name\().out    # but the last time
        rdtsc
        shl     $32, %rdx
        or      %rdx, %rax
        cmp     \area+ROUNDS_DEADLINE(%rip), %rax
        NOT_TAKEN jae \name\().out
        BRANCH  CALL, \name\().callee, call \name\().callee
        OUT_OF_LINE
\name\().callee:
        BRANCH  RET, \name\().after_call, ret
        IN_LINE
\name\().after_call:
        BRANCH  JMP, \name, jmp \name
        .pushsection .truth, "a", @progbits
\name\()_round_end:
        .popsection
\name\().out:
        .rept   ROUNDS_JUMPS_AFTER
        jmp     . + 2
        .endr
        \leave
        OUT_OF_LINE
\name\()_end:
        IN_LINE
.endm

        .text
        .set    truth_ring, 0
        ROUNDS  rounds, rounds_area, ret

        .pushsection .user.text, "ax", @progbits
        .set    truth_ring, 3
        ROUNDS  rounds_user, rounds_user_area, syscall
        .popsection

        .globl  rounds_area, rounds_user_area
        .pushsection .bss, "aw", @nobits
        .balign 8
rounds_area:
        .skip   ROUNDS_SIZE
        .popsection
        .pushsection .user.data, "aw", @progbits
        .balign 8
rounds_user_area:
        .skip   ROUNDS_SIZE
        .popsection
