/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/workloads/kinds/one_kind.h"
#include "tests/workloads/kinds/registers.h"

        .set    counted, 0

.macro COUNT instruction:vararg
        \instruction
        .set    counted, counted + 1
.endm

# The row of the state before the next instruction.
.macro STATE
.Lstate\@:
        .pushsection .rodata, 1
        .quad   .Lstate\@, rax_now, flags_now, turned
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

# NOT of each register but RSP: both values of each bit are seen.
.macro TURN register
        STATE
        not     %\register
        .set    turned, turned + 1
.endm

.macro TURN_ALL
        .irp    register, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
        TURN    \register
        .endr
        STATE
        not     %rax
        .set    rax_now, ~rax_now
.endm

# What CMP of two bytes leaves: CF PF AF ZF SF OF of their difference, bit 1 and ID. In parentheses throughout:
# the assembler's own precedence is not that of C.
.macro COMPARED first, second
        .set    difference, ((\first) - (\second)) & 0xff
        .set    folded, difference ^ (difference >> 4)
        .set    folded, folded ^ (folded >> 2)
        .set    folded, (folded ^ (folded >> 1)) & 1
        .set    flags_now, (REGISTERS_FLAGS_FIRST & ~0xcd5) | ((((\first) - (\second)) >> 8) & 1)
        .set    flags_now, flags_now | ((folded ^ 1) << 2)
        .set    flags_now, flags_now | (((\first) ^ (\second) ^ difference) & 0x10)
        .set    flags_now, flags_now | (((difference - 1) >> 2) & 0x40)
        .set    flags_now, flags_now | (difference & 0x80)
        .set    flags_now, flags_now | (((((\first) ^ (\second)) & ((\first) ^ difference)) & 0x80) << 4)
.endm

# A step with flags of its own: DF by turns, the others as a comparison of BL leaves them.
.macro FLAGS_STEP
        STATE
    .if step_number & 1
        std
    .else
        cld
    .endif
        .set    flags_now, (flags_now & ~0x400) | ((step_number & 1) << 10)
        STATE
        .set    compared_with, (step_number * 0x4d) & 0xff
        cmpb    $compared_with, %bl
        COMPARED (~REGISTERS_VALUE(3) & 0xff), compared_with
        .set    flags_now, flags_now | ((step_number & 1) << 10)
        STEP
        .set    step_number, step_number + 1
.endm

# All steps and their rows, from the first state on.
.macro ALL_STEPS
        .set    rax_now, REGISTERS_VALUE(0)
        .set    flags_now, REGISTERS_FLAGS_FIRST
        .set    turned, 0
        STEPS   REGISTERS_STEPS / 2
        TURN_ALL
        .set    step_number, 0
        .rept   REGISTERS_STEPS / 2
        FLAGS_STEP
        .endr
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
        COUNT   mov %rsp, registers.saved        # from any address, see pebs.at_addresses_of_each_bit
.endm

.macro RESTORE
        COUNT   mov registers.saved, %rsp
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
        COUNT   mov $registers_stack - REGISTERS_OFF_STACK, %rsp
        COUNT   pushq $REGISTERS_FLAGS_FIRST
        COUNT   or %rdi, (%rsp)
        COUNT   popfq
        LOAD_ALL

        .set    counted_before, counted
        .set    counted, 0
registers_inside:
        ALL_STEPS
        COUNT   cld
        COUNT   cli                     # rings 1 and 2 end here, by #GP
        RESTORE
        .rept   REGISTERS_FENCES        # the RET is as far from the last jump as that from its own
        COUNT   lfence
        .endr
        COUNT   ret
        .globl  registers_run_end
registers_run_end:

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

.macro RUN_IN_RING ring
        .globl  registers_run_ring\ring
registers_run_ring\ring:
        SAVE
        push    $ring\ring\()_data
        push    $registers_stack - REGISTERS_OFF_STACK
        push    $REGISTERS_FLAGS_FIRST
        or      %rdi, (%rsp)
        push    $ring\ring\()_code
        push    $registers_inside
        LOAD_ALL
        iretq
.endm
        RUN_IN_RING 1
        RUN_IN_RING 2

        .globl  registers_run_user, registers_user_back
registers_run_user:
        SAVE
        IRET_FRAME $registers_user, flags=$REGISTERS_FLAGS_FIRST
        or      %rdi, 16(%rsp)          # the frame's RFLAGS
        subq    $REGISTERS_OFF_STACK, 24(%rsp)
        LOAD_ALL
        iretq
        .pushsection .user.text, "ax", @progbits
        .set    truth_ring, 3
registers_user:
        ALL_STEPS
        cld
        syscall
        .popsection
registers_user_back:
        RESTORE
        ret

        .pushsection .bss, "aw", @nobits
        .balign 64
        .skip   8192                    # room for the flags, and for an unrequested interrupt
        .globl  registers_stack
registers_stack:
        .skip   64
registers.saved:
        .skip   8
        .popsection
