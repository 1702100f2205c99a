/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/workloads/registers.h"
#include "tests/workloads/truth.h"

        .set    counted, 0

.macro COUNT instruction:vararg
        \instruction
        .set    counted, counted + 1
.endm

# The row of the state before the next instruction.
.macro STATE
.Lstate\@:
        .pushsection .rodata, 1
        .quad   .Lstate\@, rax_now, flags_now
        .popsection
.endm

.macro FENCE
        STATE
        lfence
.endm

.macro STEP
        STATE
        lea     1(%rax), %rax
        .set    rax_now, rax_now + 1
        .rept   REGISTERS_FENCES
        FENCE
        .endr
        STATE
        BRANCH  JMP, .Lover\@, jmp .Lover\@
        int3
.Lover\@:
.endm

.macro STEPS count
        .rept   \count
        STEP
        .endr
.endm

# All steps and their rows, from the first state on.
.macro ALL_STEPS
        .set    rax_now, REGISTERS_VALUE(0)
        .set    flags_now, REGISTERS_FLAGS_FIRST
        STEPS   REGISTERS_STEPS / 2
        STATE
        cld
        .set    flags_now, flags_now & ~0x400
        STATE
        cmp     %rbx, %rbx
        .set    flags_now, REGISTERS_FLAGS_SECOND
        STEPS   REGISTERS_STEPS / 2
        STATE
.endm

.macro LOAD number, register
        movabs  $REGISTERS_VALUE(\number), %\register
.endm

.macro LOAD_ALL
        COUNT   LOAD 0, rax
        COUNT   LOAD 1, rcx
        COUNT   LOAD 2, rdx
        COUNT   LOAD 3, rbx
        COUNT   LOAD 5, rbp
        COUNT   LOAD 6, rsi
        COUNT   LOAD 7, rdi
        COUNT   LOAD 8, r8
        COUNT   LOAD 9, r9
        COUNT   LOAD 10, r10
        COUNT   LOAD 11, r11
        COUNT   LOAD 12, r12
        COUNT   LOAD 13, r13
        COUNT   LOAD 14, r14
        COUNT   LOAD 15, r15
.endm

# What the caller wants back, and where the stack was.
.macro SAVE
        COUNT   push %rbx
        COUNT   push %rbp
        COUNT   push %r12
        COUNT   push %r13
        COUNT   push %r14
        COUNT   push %r15
        COUNT   mov %rsp, registers.saved(%rip)
.endm

.macro RESTORE
        COUNT   mov registers.saved(%rip), %rsp
        COUNT   pop %r15
        COUNT   pop %r14
        COUNT   pop %r13
        COUNT   pop %r12
        COUNT   pop %rbp
        COUNT   pop %rbx
.endm

        .pushsection .rodata, 1
        .balign 8
        .globl  register_states, register_states_end
register_states:
        .popsection
        .pushsection .truth, "a", @progbits
        .balign 32
        .globl  registers_truth
registers_truth:
        .popsection

        .text
        .globl  registers_run
registers_run:
        SAVE
        COUNT   mov $registers_stack, %rsp
        COUNT   pushq $REGISTERS_FLAGS_FIRST
        COUNT   popfq
        LOAD_ALL

        .set    counted_before, counted
        .set    counted, 0
        ALL_STEPS
        RESTORE
        .rept   REGISTERS_FENCES        # the RET is as far from the last jump as that from its own
        COUNT   lfence
        .endr
        COUNT   ret

        .pushsection .rodata, 1
register_states_end:
        .globl  registers_instructions_before, registers_instructions_after
registers_instructions_before:
        .quad   counted_before
registers_instructions_after:
        .quad   counted
        .globl  register_states_user
register_states_user:
        .popsection

        .globl  registers_run_user, registers_user_back
registers_run_user:
        SAVE
        IRET_FRAME $registers_user, flags=$REGISTERS_FLAGS_FIRST
        LOAD_ALL
        iretq
        .pushsection .user.text, "ax", @progbits
        .set    truth_ring, 3
registers_user:
        ALL_STEPS
        syscall
        .popsection
registers_user_back:
        RESTORE
        ret

        .pushsection .bss, "aw", @nobits
        .balign 64
        .skip   192                     # room for the flags, and to spare
        .globl  registers_stack
registers_stack:
        .skip   64
registers.saved:
        .skip   8
        .popsection
