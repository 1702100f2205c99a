/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * void stepper_bracket_run(struct stepper_bracket *bracket)
 *
 * The first trap after a POPF that sets TF comes after the instruction that follows it: that is the NOP, so
 * that a single-stepper sees the CALL before it executes.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/msr.h"
#include "tests/step/stepper_bracket.h"

        .text
        .globl  stepper_bracket_run, stepper_bracket_call, stepper_bracket_return, stepper_bracket_end
stepper_bracket_run:
        PUSH_CALLERS_REGISTERS
        mov     %rdi, %rbx
        mov     STEPPER_BRACKET_ARGUMENT(%rbx), %rdi
        mov     STEPPER_BRACKET_ON(%rbx), %eax
        test    %eax, %eax
        jz      1f
        mov     $IA32_DEBUGCTL, %ecx
        xor     %edx, %edx
3:      wrmsr
1:
        mov     STEPPER_BRACKET_FLAGS(%rbx), %rax
        pushf
        or      %rax, (%rsp)
        popf
        nop
stepper_bracket_call:
        call    *STEPPER_BRACKET_ENTRY(%rbx)
stepper_bracket_return:
        pushf                           # TF off before anything branches
        andq    $~0x100, (%rsp)
        popf
        nop
        cmpq    $0, STEPPER_BRACKET_ON(%rbx)
        je      2f
        mov     $IA32_DEBUGCTL, %ecx
        rdmsr
        mov     %eax, STEPPER_BRACKET_FOUND(%rbx)
        mov     %edx, STEPPER_BRACKET_FOUND + 4(%rbx)
        xor     %eax, %eax
        xor     %edx, %edx
4:      wrmsr
2:
        POP_CALLERS_REGISTERS
        ret
stepper_bracket_end:

        EXTABLE_MSR_FAULT 3b, 2b
        EXTABLE_MSR_FAULT 4b, 2b

        .section .note.GNU-stack, "", @progbits
