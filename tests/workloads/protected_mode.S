/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protected mode with IA-32e mode off. DS and SS keep the page where the processor started as their base, so
 * that offsets mean the same in every mode; the code segments are written at their branches.
 */
#include "arch/cpu/msr.h"
#include "tests/workloads/protected_mode.h"
#include "tests/workloads/truth.h"

#define CR0_PE 1
#define SHARED(field) LOW_DATA + PROTECTED_##field
#define OFFSET(label) (LOW_CODE + label - protected_branches)

.macro ENTER_PROTECTED
        mov     %cr0, %eax
        or      $CR0_PE, %al
        mov     %eax, %cr0
.endm

.macro SEGMENTS_PROTECTED
        mov     $PROTECTED_DATA, %eax
        mov     %eax, %ds
        mov     %eax, %ss
.endm

.macro SEGMENTS_REAL
        mov     %cs, %ax
        mov     %ax, %ds
        mov     %ax, %ss
.endm

.macro LEAVE_PROTECTED
        mov     %cr0, %eax
        and     $~CR0_PE, %al
        mov     %eax, %cr0
.endm

.macro READ_TO place
        rdmsr
        mov     %eax, \place
        mov     %edx, \place + 4
.endm

.macro DEBUGCTL_ON
        mov     SHARED(ON), %eax
        xor     %edx, %edx
        mov     $IA32_DEBUGCTL, %ecx
        wrmsr
.endm

.macro DEBUGCTL_OFF
        mov     $IA32_DEBUGCTL, %ecx
        READ_TO SHARED(DEBUGCTL)
        xor     %eax, %eax
        xor     %edx, %edx
        wrmsr
.endm

        .section .rodata.protected_mode, "a", @progbits
        .code16
        .globl  protected_branches, protected_branches_end, protected_truth, protected_truth_end
        .globl  protected_enter, protected_based, protected_call, protected_leave, protected_back
        .pushsection .truth, "a", @progbits
        .balign 32
protected_truth:
        .popsection
        .set    truth_ring, 0
protected_branches:
        lgdtl   SHARED(GDTR)
        mov     SHARED(DS_AREA), %eax
        xor     %edx, %edx
        mov     $IA32_DS_AREA, %ecx
        wrmsr
        DEBUGCTL_ON
        ENTER_PROTECTED
        BRANCH  FAR_JMP, protected_enter, ljmpl *(SHARED(ENTER))
        int3

        .code32
protected_enter:
        SEGMENTS_PROTECTED
        BRANCH  JMP, protected_branches.after_jmp, jmp protected_branches.after_jmp
        int3
protected_branches.after_jmp:
        BRANCH  JMP, protected_branches.after_near_jmp, jmp protected_branches.after_near_jmp
        .skip   130, 0xcc               # too far for the form with a displacement of 8 bits
protected_branches.after_near_jmp:
        xor     %eax, %eax
        NOT_TAKEN jnz protected_branches.never
        BRANCH  JCC, protected_branches.after_jz, jz protected_branches.after_jz
protected_branches.never:
        int3
protected_branches.after_jz:
        mov     SHARED(START), %eax
        add     $OFFSET(protected_branches.after_jmp_register), %eax
        BRANCH  JMP_INDIRECT, protected_branches.after_jmp_register, jmp *%eax
        int3
protected_branches.after_jmp_register:
        BRANCH  CALL, protected_branches.callee, call protected_branches.callee
        OUT_OF_LINE
protected_branches.callee:
        BRANCH  RET, protected_branches.after_call, ret
        IN_LINE
protected_branches.after_call:
        mov     $3, %ecx
protected_branches.again:
        REPEATED 2, LOOP, protected_branches.again, loop protected_branches.again
        BRANCH  JRCXZ, protected_branches.after_jecxz, jecxz protected_branches.after_jecxz
        int3
protected_branches.after_jecxz:

        BRANCH  FAR_JMP, protected_based, ljmpl *(SHARED(BASED))
        int3
protected_based:                        # records hold linear addresses here, too (F3.12)
        BRANCH  JMP, protected_branches.in_based, jmp protected_branches.in_based
        int3
protected_branches.in_based:
        BRANCH  FAR_CALL, protected_call, lcalll *(SHARED(CALL))
        OUT_OF_LINE
protected_call:                         # in the flat segment
        BRANCH  FAR_RET, protected_branches.after_far_call, lretl
        IN_LINE
protected_branches.after_far_call:
        BRANCH  FAR_JMP, protected_leave, ljmpl *(SHARED(LEAVE))
        int3

        .code16
protected_leave:
        BRANCH  JMP, protected_branches.in_16, jmp protected_branches.in_16
        int3
protected_branches.in_16:
        LEAVE_PROTECTED
        BRANCH  FAR_JMP, protected_back, ljmpw *(SHARED(BACK))
        int3
protected_back:
        SEGMENTS_REAL
        BRANCH  JMP, protected_branches.at_end, jmp protected_branches.at_end
        int3
protected_branches.at_end:
        DEBUGCTL_OFF
        movl    $1, SHARED(DONE)
        ret
        .subsection 2
protected_branches_end:
        .pushsection .truth, "a", @progbits
protected_truth_end:
        .popsection

        .section .rodata.protected_ud, "a", @progbits
        .code16
        .globl  protected_ud, protected_ud_end, protected_ud_enter, protected_ud_jmp
        .globl  protected_ud_target, protected_ud_handler, protected_ud_leave, protected_ud_back
protected_ud:
        lgdtl   SHARED(GDTR)
        lidtl   SHARED(IDTR)
        DEBUGCTL_ON
        ENTER_PROTECTED
        ljmpl   *(SHARED(ENTER))
        .code32
protected_ud_enter:
        SEGMENTS_PROTECTED
protected_ud_jmp:
        jmp     protected_ud_target
        int3
protected_ud_target:
        ud2
protected_ud_handler:
        DEBUGCTL_OFF
        mov     SHARED(LER_REGISTER), %ecx
        READ_TO SHARED(LER_FROM)
        mov     SHARED(LER_REGISTER) + 4, %ecx
        READ_TO SHARED(LER_TO)
        add     $12, %esp               # EIP, CS, EFLAGS
        ljmpl   *(SHARED(LEAVE))
        .code16
protected_ud_leave:
        LEAVE_PROTECTED
        ljmpw   *(SHARED(BACK))
protected_ud_back:
        SEGMENTS_REAL
        movl    $1, SHARED(DONE)
        ret
protected_ud_end:

        .section .note.GNU-stack, "", @progbits
