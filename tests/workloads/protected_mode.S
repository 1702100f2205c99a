/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protected mode with IA-32e mode off. DS and SS keep the page where the processor started as their base, so
 * that offsets mean the same in every mode; the code segments are written at their branches.
 */
#include "tests/workloads/protected_mode_macros.h"

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
        READ_ASKED
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

/*
 * Virtual-8086 code, whose CPL is 3. Its segments and its stack are those of real-address mode, so that its
 * offsets are the same ones; the #UD at its end takes the stack of ring 0.
 */
        .section .rodata.protected_8086, "a", @progbits
        .code16
        .globl  protected_8086, protected_8086_end, protected_8086_truth, protected_8086_truth_end
        .globl  protected_8086_enter, protected_8086_handler, protected_8086_leave
        .globl  protected_8086_back
        .pushsection .truth, "a", @progbits
        .balign 32
protected_8086_truth:
        .popsection
        .set    truth_ring, 0
protected_8086:
        lgdtl   SHARED(GDTR)
        lidtl   SHARED(IDTR)
        READ_ASKED
        SET_DS_AREA
        DEBUGCTL_ON
        ENTER_PROTECTED
        BRANCH  FAR_JMP, protected_8086_enter, ljmpl *(SHARED(ENTER))
        int3

        .code32
protected_8086_enter:
        SEGMENTS_PROTECTED
        mov     $PROTECTED_TASK, %eax
        ltr     %ax
        BRANCH  JMP, protected_8086.out, jmp protected_8086.out
        int3
protected_8086.out:
        FRAME_8086 LOW_CODE+protected_8086.code-protected_8086, 0
        CROSS   IRET, protected_8086.code, 3, iretl

        .code16
protected_8086.code:
        JUMPS   protected_8086
        CALL_AND_LOOP protected_8086
        CROSS   EXCEPTION, protected_8086_handler, 0, ud2

        .code32
protected_8086_handler:
        SEGMENTS_PROTECTED
        add     $FRAME_OF_8086, %esp
        BRANCH  JMP, protected_8086.home, jmp protected_8086.home
        int3
protected_8086.home:
        BRANCH  FAR_JMP, protected_8086_leave, ljmpl *(SHARED(LEAVE))
        int3
        .code16
protected_8086_leave:
        LEAVE_PROTECTED
        BRANCH  FAR_JMP, protected_8086_back, ljmpw *(SHARED(BACK))
        int3
protected_8086_back:
        SEGMENTS_REAL
        DEBUGCTL_OFF
        movl    $1, SHARED(DONE)
        ret
        .subsection 2
protected_8086_end:
        .pushsection .truth, "a", @progbits
protected_8086_truth_end:
        .popsection

        .section .rodata.protected_registers, "a", @progbits
        .code16
        .globl  protected_registers, protected_registers_end, protected_registers_enter
        .globl  protected_registers_fault, protected_registers_leave, protected_registers_back
protected_registers:
        lgdtl   SHARED(GDTR)
        lidtl   SHARED(IDTR)
        ENTER_PROTECTED
        ljmpl   *(SHARED(ENTER))
        .code32
protected_registers_enter:
        SEGMENTS_PROTECTED
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
        ljmpl   *(SHARED(LEAVE))
        .code16
protected_registers_leave:
        LEAVE_PROTECTED
        ljmpw   *(SHARED(BACK))
protected_registers_back:
        SEGMENTS_REAL
        movl    $1, SHARED(DONE)
        ret
protected_registers_end:

        .section .note.GNU-stack, "", @progbits
