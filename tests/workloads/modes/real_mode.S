/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a processor executes right after INIT and start-up, in real-address mode. CS = DS = ES = SS is the page
 * where it started; LOW_CODE is the offset of this code there. Only differences of labels are used, for the
 * code runs from a copy.
 */
#include "arch/cpu/ground/msr.h"
#include "tests/workloads/modes/real_mode.h"
#include "tests/workloads/truth.h"

#define OFFSET(label) (LOW_CODE + label - real_mode_branches)

        .section .rodata.real_mode, "a", @progbits
        .code16
        .globl  real_mode_branches, real_mode_branches_end, real_mode_truth, real_mode_truth_end
        .globl  real_mode_in_far, real_mode_in_back, real_mode_in_call, real_mode_in_int
        .pushsection .truth, "a", @progbits
        .balign 32
real_mode_truth:
        .popsection
        .set    truth_ring, 0
real_mode_branches:
        lidtw   LOW_DATA + REAL_IDTR
        mov     LOW_DATA + REAL_DS_AREA, %eax
        xor     %edx, %edx
        mov     $IA32_DS_AREA, %ecx
        wrmsr
        mov     LOW_DATA + REAL_ON, %eax
        mov     $IA32_DEBUGCTL, %ecx
        wrmsr                           # from here on

        JUMPS   real_mode
        mov     $OFFSET(real_mode.after_jmp_register), %ax
        BRANCH  JMP_INDIRECT, real_mode.after_jmp_register, jmp *%ax
        int3
real_mode.after_jmp_register:
        CALL_AND_LOOP real_mode
        BRANCH  JRCXZ, real_mode.after_jcxz, jcxz real_mode.after_jcxz
        int3
real_mode.after_jcxz:

        BRANCH  FAR_JMP, real_mode_in_far, ljmpw *(LOW_DATA + REAL_FAR)
        int3
real_mode_in_far:                       # the same page through another segment
        BRANCH  JMP, real_mode.in_other_segment, jmp real_mode.in_other_segment
        int3
real_mode.in_other_segment:
        BRANCH  FAR_JMP, real_mode_in_back, ljmpw *(LOW_DATA + REAL_BACK)
        int3
real_mode_in_back:
        BRANCH  FAR_CALL, real_mode_in_call, lcallw *(LOW_DATA + REAL_CALL)
        OUT_OF_LINE
real_mode_in_call:                      # through the other segment, too
        BRANCH  FAR_RET, real_mode.after_far_call, lretw
        IN_LINE
real_mode.after_far_call:
        # Its FROM has a reading of its own: no gate is involved (F4.3).
        TRAP    REAL_INT, real_mode_in_int, int $REAL_INT_VECTOR
        OUT_OF_LINE
real_mode_in_int:
        BRANCH  IRET, real_mode.after_int, iretw
        IN_LINE
real_mode.after_int:

        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        mov     %eax, LOW_DATA + REAL_DEBUGCTL
        mov     %edx, LOW_DATA + REAL_DEBUGCTL + 4
        xor     %eax, %eax
        xor     %edx, %edx
        wrmsr                           # up to here
        movl    $1, LOW_DATA + REAL_DONE
        ret
        .subsection 2
real_mode_branches_end:
        .pushsection .truth, "a", @progbits
real_mode_truth_end:
        .popsection

.macro READ_TO number, place
        mov     $\number, %ecx
        rdmsr
        mov     %eax, LOW_DATA + \place
        mov     %edx, LOW_DATA + \place + 4
.endm

        .section .rodata.after_init, "a", @progbits
        .globl  after_init, after_init_end
after_init:
        READ_TO IA32_DEBUGCTL, REAL_DEBUGCTL
        READ_TO IA32_DS_AREA, REAL_AREA_FOUND
        cmpl    $0, LOW_DATA + REAL_READ_PEBS
        je      after_init.branch
        READ_TO IA32_PEBS_ENABLE, REAL_PEBS_FOUND
        mov     LOW_DATA + REAL_DS_AREA, %eax   # INIT may have cleared it: PEBS that is still on
        xor     %edx, %edx                      # would store elsewhere, unseen
        mov     $IA32_DS_AREA, %ecx
        wrmsr
after_init.branch:
        mov     $AFTER_INIT_LOOPS, %cx
after_init.again:
        jmp     after_init.next
after_init.next:
        loop    after_init.again
        movl    $1, LOW_DATA + REAL_DONE
        ret
after_init_end:

        .text
        .code64
        .globl  before_init_halt, before_init_run, before_init_loop
.macro RECORD_ON
        cli
        mov     $IA32_DEBUGCTL, %ecx
        mov     BEFORE_INIT_ON(%rdi), %eax
        xor     %edx, %edx
        wrmsr
.endm

before_init_halt:
        RECORD_ON
        .rept   BEFORE_INIT_JUMPS
        jmp     1f
1:
        .endr
        movl    $1, BEFORE_INIT_READY(%rdi)
2:      hlt
        jmp     2b

before_init_run:
        RECORD_ON
        movl    $1, BEFORE_INIT_READY(%rdi)
before_init_loop:
        jmp     before_init_loop

        .section .note.GNU-stack, "", @progbits
