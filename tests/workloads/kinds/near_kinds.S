/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The near branches that single_branches.S leaves out: all sixteen conditions, taken and not taken in
 * both forms, LOOPE and LOOPNE, and operands by every register form and addressing form.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN near_kinds

/* --- flags, made without POPF, which would not be the same under a single-stepper --- */

.macro ZERO                             # ZF = 1, PF = 1, others 0
        xor     %eax, %eax
.endm
.macro ONE                              # all 0
        mov     $1, %eax
        test    %eax, %eax
.endm
.macro MINUS                            # SF = 1, others 0
        mov     $-2, %eax
        test    %eax, %eax
.endm
.macro CARRY                            # CF = 1
        stc
.endm
.macro OVER                             # OF = 1
        mov     $0x7f, %al
        add     $1, %al
.endm

# Both forms of the condition, not taken and then taken.
.macro CONDITION name, condition, taken, not_taken
        \not_taken
        NOT_TAKEN j\condition \name\().never
        NOT_TAKEN j\condition \name\().far
        \taken
        BRANCH  JCC, \name\().short, j\condition \name\().short
\name\().never:
        ud2
\name\().short:
        \taken
        BRANCH  JCC, \name\().far, j\condition \name\().far
        .skip   130, 0xcc               # too far for a displacement of 8 bits
\name\().far:
.endm

.macro IN_BOTH_CONDITION condition, taken, not_taken
        KERNEL_WORKLOAD j\condition, CONDITION kernel_j\condition\().body, \condition, \taken, \not_taken
        USER_WORKLOAD j\condition, CONDITION user_j\condition\().body, \condition, \taken, \not_taken
.endm

        IN_BOTH_CONDITION o, OVER, ONE
        IN_BOTH_CONDITION no, ONE, OVER
        IN_BOTH_CONDITION b, CARRY, ONE
        IN_BOTH_CONDITION ae, ONE, CARRY
        IN_BOTH_CONDITION e, ZERO, ONE
        IN_BOTH_CONDITION ne, ONE, ZERO
        IN_BOTH_CONDITION be, CARRY, ONE
        IN_BOTH_CONDITION a, ONE, CARRY
        IN_BOTH_CONDITION s, MINUS, ONE
        IN_BOTH_CONDITION ns, ONE, MINUS
        IN_BOTH_CONDITION p, ZERO, ONE
        IN_BOTH_CONDITION np, ONE, ZERO
        IN_BOTH_CONDITION l, MINUS, ONE
        IN_BOTH_CONDITION ge, ONE, MINUS
        IN_BOTH_CONDITION le, ZERO, ONE
        IN_BOTH_CONDITION g, ONE, ZERO

/* --- loops --- */

.macro KIND_loope name
        mov     $9, %ecx
        ONE
        NOT_TAKEN loope \name\().never  # ZF = 0
        mov     $3, %ecx
        ZERO
\name\().again:
        REPEATED 2, LOOP, \name\().again, loope \name\().again
\name\().never:
.endm

.macro KIND_loopne name
        mov     $9, %ecx
        ZERO
        NOT_TAKEN loopne \name\().never # ZF = 1
        mov     $3, %ecx
        ONE
\name\().again:
        REPEATED 2, LOOP, \name\().again, loopne \name\().again
\name\().never:
.endm

# LOOP that counts in ECX and lets the upper half of RCX alone.
.macro KIND_loop_ecx name
        mov     $3, %ecx
\name\().again:
        REPEATED 2, LOOP, \name\().again, addr32 loop \name\().again
.endm

.macro KIND_jecxz name
        mov     $1, %ecx
        NOT_TAKEN jecxz \name\().never
        movabs  $0x100000000, %rcx      # ECX alone counts
        NOT_TAKEN jrcxz \name\().never
        BRANCH  JRCXZ, \name\().after, jecxz \name\().after
\name\().never:
        ud2
\name\().after:
.endm

/* --- indirect forms --- */

.macro KIND_jmp_r9 name
        mov     $\name\().after, %r9
        BRANCH  JMP_INDIRECT, \name\().after, jmp *%r9
        ud2
\name\().after:
.endm

.macro KIND_call_r9 name
        mov     $\name\().callee, %r9
        BRANCH  CALL_INDIRECT, \name\().callee, call *%r9
        CALLEE  \name, ret
.endm

# Base, index and scale.
.macro KIND_jmp_table name
        mov     $\name\().table - 64, %rdx
        mov     $9, %ecx
        BRANCH  JMP_INDIRECT, \name\().after, jmp *(%rdx,%rcx,8)
        .balign 8
\name\().table:
        .quad   0, \name\().after
\name\().after:
.endm

.macro KIND_call_table name
        mov     $\name\().table, %rdx
        mov     $1, %ecx
        BRANCH  CALL_INDIRECT, \name\().callee, call *(%rdx,%rcx,8)
        OUT_OF_LINE
        .balign 8
\name\().table:
        .quad   0, \name\().callee
\name\().callee:
        BRANCH  RET, \name\().after, ret
        IN_LINE
\name\().after:
.endm

# Operand on the stack.
.macro KIND_jmp_stack name
        pushq   $\name\().after
        BRANCH  JMP_INDIRECT, \name\().after, jmp *(%rsp)
        ud2
\name\().after:
        pop     %rax
.endm

.macro KIND_ret_to_pushed name
        pushq   $\name\().after
        BRANCH  RET, \name\().after, ret
        ud2
\name\().after:
.endm

.macro KIND_ret_imm name
        push    %rax
        push    %rax
        BRANCH  CALL, \name\().callee, call \name\().callee
        CALLEE  \name, ret $16
.endm

/* --- targets --- */

.macro KIND_call_next name              # a target that is the next instruction counts (F4.10)
        BRANCH  CALL, \name\().after, call \name\().after
\name\().after:
        pop     %rax
.endm

.macro KIND_jmp_next name
        BRANCH  JMP, \name\().after, jmp \name\().after
\name\().after:
.endm

        .irp    kind, loope, loopne, loop_ecx, jecxz, jmp_r9, jmp_table, jmp_stack
        IN_KERNEL \kind
        IN_USER \kind
        .endr
        .irp    kind, call_r9, call_table, ret_to_pushed, ret_imm, call_next, jmp_next
        IN_KERNEL \kind
        IN_USER \kind
        .endr

        LIST_END near_kinds
