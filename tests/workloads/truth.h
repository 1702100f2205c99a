/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembly macros that emit a branch and its row of truth together.
 *
 *     WORKLOAD_BEGIN name                 ring 0 entry; the truth table starts here
 *     BRANCH  JMP, target, jmp target     a taken branch that stays in its ring
 *     CROSS   IRET, target, 3, iretq      a branch that leads to another ring
 *     NOT_TAKEN jz somewhere              no row: a branch not taken leaves no record (F4.1)
 *     WORKLOAD_RET                        RET to the bracket
 *     WORKLOAD_END name, syscall landing, INT landing from ring 3, INT landing from ring 0
 *                                         and more entry points by name: struct workload
 *     WORKLOAD_ROW name, entry, truth, …  the same with an entry or truth elsewhere; not gathered, so not
 *                                         run with all others
 *
 * Each macro adds its row to the table, so write a workload in the order in which it runs. Write a
 * callee at its call, between OUT_OF_LINE and IN_LINE, which put its code elsewhere.
 */
#ifndef TESTS_WORKLOADS_TRUTH_H
#define TESTS_WORKLOADS_TRUTH_H

#include "arch/cpu/traps/trap_frame.h"
#include "arch/cpu/traps/user.h"
#include "tests/workloads/workload.h"

        .set    truth_ring, 0           # the ring of the code being written

/* The kinds as symbols: the C preprocessor does not see the value of \kind. */
#define TRANSFER(kind, number, ...) .set kind_##kind, number
#include "tests/workloads/transfers.def"
#undef TRANSFER

.macro TRUTH kind, from, to, to_ring, from_next=0
        .pushsection .truth, "a", @progbits
        .quad   \from, \to, \from_next
        .long   kind_\kind
        .byte   truth_ring, \to_ring
        .short  0
        .popsection
        .set    truth_ring, \to_ring
.endm

.macro BRANCH kind, to, instruction:vararg
.Lbranch\@:
        \instruction
        TRUTH   \kind, .Lbranch\@, \to, truth_ring
.endm

.macro CROSS kind, to, to_ring, instruction:vararg
.Lbranch\@:
        \instruction
        TRUTH   \kind, .Lbranch\@, \to, \to_ring
.endm

# A trap into ring 0. The manual leaves open whether FROM is the instruction or the next one (F4.3, F4.4).
.macro TRAP kind, to, instruction:vararg
.Lbranch\@:
        \instruction
.Lnext\@:
        TRUTH   \kind, .Lbranch\@, \to, 0, .Lnext\@
.endm

# Pushes IRET's frame for ring 3. The arguments are operands of PUSH; flags=now: RFLAGS as they are.
.macro IRET_FRAME entry, code=$SELECTOR_USER_CODE, flags=$USER_RFLAGS
        push    $SELECTOR_USER_DATA
        push    $user_stack_top
    .ifc \flags, now
        pushf
    .else
        push    \flags
    .endif
        push    \code
        push    \entry
.endm

# The same, and keeps the stack pointer in R15, which ring 3 must not change.
.macro USER_FRAME entry, code=$SELECTOR_USER_CODE, flags=$USER_RFLAGS
        mov     %rsp, %r15
        IRET_FRAME \entry, \code, \flags
.endm

.macro SOFTWARE_INTERRUPT vector, to
        TRAP    INT, \to, int $\vector
.endm

.macro NOT_TAKEN instruction:vararg
        \instruction
.endm

# A branch that is taken `count` times in a row.
.macro REPEATED count, kind, to, instruction:vararg
.Lbranch\@:
        \instruction
        .rept   \count
        TRUTH   \kind, .Lbranch\@, \to, truth_ring
        .endr
.endm

.macro OUT_OF_LINE
        .subsection 1
.endm

.macro IN_LINE
        .subsection 0
.endm

# What the CALL before it goes to, name.callee, and where that returns to.
.macro CALLEE name, ret:vararg
        OUT_OF_LINE
\name\().callee:
        BRANCH  RET, \name\().after, \ret
        IN_LINE
\name\().after:
.endm

.macro WORKLOAD_BEGIN name
        .pushsection .truth, "a", @progbits
        .balign 32
\name\().truth:
        .popsection
        .text
        .set    truth_ring, 0
\name:
.endm

.macro WORKLOAD_RET
        BRANCH  RET, bracket_return, ret
.endm

# Ends a table of truth, and emits the struct workload workload_name. truth: where the table starts.
.macro WORKLOAD_ROW name, entry, truth, syscall_landing=0, user_int_landing=0, kernel_int_landing=0, gate_landing=0, gate_vector=0, flags=0, sysenter_landing=0, call_gate_landing=0
        .pushsection .truth, "a", @progbits
\name\().truth_end:
        .popsection
        .pushsection .rodata, "a", @progbits
\name\().name:
        .asciz  "\name"
        .balign 8
        .globl  workload_\name
workload_\name:
        .quad   \name\().name, \entry, \truth, \name\().truth_end
        .quad   \syscall_landing, \user_int_landing, \kernel_int_landing, \gate_landing
        .long   \gate_vector, \flags
        .quad   \sysenter_landing, \call_gate_landing
        .popsection
.endm

# The same for a workload named after its entry. The linker gathers these workloads.
.macro WORKLOAD_END name, syscall_landing=0, user_int_landing=0, kernel_int_landing=0, gate_landing=0, gate_vector=0, flags=0, sysenter_landing=0, call_gate_landing=0
        WORKLOAD_ROW \name, \name, \name\().truth, \syscall_landing, \user_int_landing, \kernel_int_landing, \gate_landing, \gate_vector, \flags, \sysenter_landing, \call_gate_landing
        .pushsection .workloads, "a", @progbits
        .quad   workload_\name
        .popsection
.endm

# Jumps, then a call and a loop, in code of any size.
.macro JUMPS name
        BRANCH  JMP, \name\().after_jmp, jmp \name\().after_jmp
        int3
\name\().after_jmp:
        BRANCH  JMP, \name\().after_near_jmp, jmp \name\().after_near_jmp
        .skip   130, 0xcc               # too far for the form with a displacement of 8 bits
\name\().after_near_jmp:
        xor     %eax, %eax
        NOT_TAKEN jnz \name\().never
        BRANCH  JCC, \name\().after_jz, jz \name\().after_jz
\name\().never:
        int3
\name\().after_jz:
.endm

.macro CALL_AND_LOOP name
        BRANCH  CALL, \name\().callee, call \name\().callee
        CALLEE  \name, ret
        mov     $3, %ecx
\name\().again:
        REPEATED 2, LOOP, \name\().again, loop \name\().again
.endm

/*
 * Every kind of near branch, at least once, in the ring of truth_ring. Ends by falling out of the bottom.
 * Uses RAX, RCX and 16 bytes of stack.
 */
.macro NEAR_BRANCHES name
\name:
        JUMPS   \name                  # ZF = 1, CF = 0
        NOT_TAKEN jc \name\().never
        BRANCH  JCC, \name\().after_jnc, jnc \name\().after_jnc
\name\().after_jnc:                     # a taken branch to the next instruction counts (F4.11)
        mov     $\name\().after_jmp_register, %rax
        BRANCH  JMP_INDIRECT, \name\().after_jmp_register, jmp *%rax
        ud2
\name\().after_jmp_register:
        BRANCH  JMP_INDIRECT, \name\().after_jmp_memory, jmp *\name\().slot(%rip)
        ud2
\name\().after_jmp_memory:
        BRANCH  CALL, \name\().callee, call \name\().callee
        OUT_OF_LINE
\name\().callee:
        BRANCH  RET, \name\().after_call, ret
        .balign 8
\name\().slot:
        .quad   \name\().after_jmp_memory
\name\().call_slot:
        .quad   \name\().callee_of_memory
        IN_LINE
\name\().after_call:
        push    %rax                    # for the callee to take away
        mov     $\name\().callee_of_register, %rax
        BRANCH  CALL_INDIRECT, \name\().callee_of_register, call *%rax
        OUT_OF_LINE
\name\().callee_of_register:
        BRANCH  RET, \name\().after_call_register, ret $8
        IN_LINE
\name\().after_call_register:
        BRANCH  CALL_INDIRECT, \name\().callee_of_memory, call *\name\().call_slot(%rip)
        OUT_OF_LINE
\name\().callee_of_memory:
        BRANCH  RET, \name\().after_call_memory, ret
        IN_LINE
\name\().after_call_memory:
        mov     $3, %ecx
\name\().again:
        nop                             # backward, and not to itself
        REPEATED 2, LOOP, \name\().again, loop \name\().again
        mov     $1, %ecx
        NOT_TAKEN jrcxz \name\().never_again
        xor     %ecx, %ecx
        BRANCH  JRCXZ, \name\().after_jrcxz, jrcxz \name\().after_jrcxz
\name\().never_again:
        ud2
\name\().after_jrcxz:
.endm

#endif
