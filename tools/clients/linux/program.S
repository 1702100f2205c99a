/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What perf looks at: ROUNDS rounds of every kind of near branch, then exit(0), without a library.
 * The last row of a round is the branch back, which the last round does not take.
 */
#include "truth.h"

        .text
        .globl  _start
_start:
        PART    BEFORE
        PLAIN   mov $ROUNDS, %ebx
        PART    ROUND
round:
        TAKEN   JMP, after_jmp, jmp after_jmp
        ud2
after_jmp:
        TAKEN   JMP, after_near_jmp, jmp after_near_jmp
        .skip   200, 0xcc               /* too far for a displacement of 8 bits */
after_near_jmp:
        PLAIN   xor %eax, %eax
        NOT_TAKEN jnz never
        NOT_TAKEN jc never
        TAKEN   JCC, after_jz, jz after_jz
never:
        ud2
after_jz:
        TAKEN   JCC, after_jnc, jnc after_jnc
after_jnc:                              /* taken, to the next instruction */
        PLAIN   mov $after_jmp_register, %eax
        TAKEN   JMP_INDIRECT, after_jmp_register, jmp *%rax
        ud2
after_jmp_register:
        TAKEN   JMP_INDIRECT, after_jmp_memory, jmp *jmp_slot(%rip)
        ud2

after_jmp_memory:
        TAKEN   CALL, outer, call outer
        LEVEL   1
outer:
        PLAIN   nop
        TAKEN   CALL, middle, call middle
        LEVEL   2
middle:
        PLAIN   nop
        TAKEN   CALL_INDIRECT, inner, call *inner_slot(%rip)
        LEVEL   3
inner:
        PLAIN   mov $3, %ecx
        REPEATED 2, inner_again
        TAKEN   RET, after_inner, ret
        LEVEL   2
after_inner:
        PLAIN   mov word(%rip), %rax
        TAKEN   RET, after_middle, ret
        LEVEL   1
after_middle:
        PLAIN   mov %rax, word(%rip)
        TAKEN   RET, after_outer, ret
        LEVEL   0
after_outer:

        PLAIN   push %rax               /* for the callee to take away */
        PLAIN   mov $with_argument, %eax
        TAKEN   CALL_INDIRECT, with_argument, call *%rax
        LEVEL   1
with_argument:
        TAKEN   RET, after_with_argument, ret $8
        LEVEL   0
after_with_argument:
        PLAIN   xor %ecx, %ecx
        TAKEN   JCC, after_jrcxz, jrcxz after_jrcxz
        ud2
after_jrcxz:
        PLAIN   mov $1, %ecx
        NOT_TAKEN jrcxz never
        PLAIN   dec %ebx
        TAKEN   JCC, round, jnz round

        PART    AFTER
        PLAIN   mov $60, %eax           /* exit */
        PLAIN   xor %edi, %edi
        STRAIGHT SYSCALL, syscall

        .data
        .balign 8
jmp_slot:
        .quad   after_jmp_memory
inner_slot:
        .quad   inner
word:
        .quad   1
