/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protected mode with IA-32e mode off. DS and SS keep the page where the processor started as their base, so
 * that offsets mean the same in every mode; the code segments are written at their branches.
 */
#include "tests/workloads/modes/protected_mode_macros.h"

#define OFFSET(label) (LOW_CODE + label - protected_branches)

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
        SET_DS_AREA
        DEBUGCTL_ON
        ENTER_PROTECTED
        BRANCH  FAR_JMP, protected_enter, ljmpl *(SHARED(ENTER))
        int3

        .code32
protected_enter:
        SEGMENTS_PROTECTED
        JUMPS   protected_branches
        mov     SHARED(START), %eax
        add     $OFFSET(protected_branches.after_jmp_register), %eax
        BRANCH  JMP_INDIRECT, protected_branches.after_jmp_register, jmp *%eax
        int3
protected_branches.after_jmp_register:
        CALL_AND_LOOP protected_branches
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

        BEGIN_PROTECTED protected_ud, DEBUGCTL_ON
        .globl  protected_ud_jmp, protected_ud_target, protected_ud_handler
protected_ud_jmp:
        jmp     protected_ud_target
        int3
protected_ud_target:
        ud2
protected_ud_handler:
        DEBUGCTL_OFF
        READ_ASKED
        add     $12, %esp               # EIP, CS, EFLAGS
        END_PROTECTED protected_ud

        BEGIN_PROTECTED protected_registers
        .globl  protected_registers_fault
        mov     $SHARED(REGISTERS), %ebx
protected_registers.again:
        mov     PROTECTED_REGISTER_NUMBER(%ebx), %ecx
        jecxz   protected_registers.out
        mov     PROTECTED_REGISTER_VALUE(%ebx), %eax
        mov     PROTECTED_REGISTER_VALUE + 4(%ebx), %edx
        wrmsr
        xor     %eax, %eax
        xor     %edx, %edx
        rdmsr
        mov     %eax, PROTECTED_REGISTER_FOUND(%ebx)
        mov     %edx, PROTECTED_REGISTER_FOUND + 4(%ebx)
protected_registers.next:
        add     $PROTECTED_REGISTER_SIZE, %ebx
        jmp     protected_registers.again
protected_registers_fault:
        add     $16, %esp               # error code, EIP, CS, EFLAGS
        movl    $1, PROTECTED_REGISTER_REFUSED(%ebx)
        jmp     protected_registers.next
protected_registers.out:
        END_PROTECTED protected_registers

        .section .note.GNU-stack, "", @progbits
