/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/traps/trap_frame.h"
#include "arch/cpu/traps/user.h"
#include "tests/workloads/counted.h"
#include "tests/workloads/counted_truth.h"
#include "tests/workloads/kinds/microcoded.h"

#define STRING_LENGTH 200

        COUNT_START

# Every iteration has branches taken and not taken. ECX counts down, ZF is set at the JNZ that falls through.
.macro LOOP_BODY ring, name
        COUNT   mov %edi, %ecx
        COUNT   xor %eax, %eax
        COUNTED_AS \ring\()_once
.Lagain\@:
        .rept   16
        COUNT   nop
        .endr
        COUNT   test %eax, %eax
.Lpassed\@:
        BRANCH  jnz .Lnever\@
.Lcall\@:
        BRANCH  call .Lleaf\@
.Ljmp\@:
        BRANCH  jmp .Lnext\@
.Lleaf\@:
        BRANCH  ret
.Lnever\@:
        ud2
.Lnext\@:
        COUNT   dec %ecx
.Lback\@:
        BRANCH  jnz .Lagain\@
.Lout\@:
        COUNTED_AS \ring\()_each
        .pushsection .rodata, 2
        .balign 8
        .globl  counted_loop_\name, counted_loop_\name\()_end
counted_loop_\name:
        .quad   .Lpassed\@, .Lcall\@, .Lcall\@, .Lleaf\@, .Ljmp\@, .Lnext\@
        .quad   .Lleaf\@, .Ljmp\@, .Lback\@, .Lagain\@, .Lback\@, .Lout\@
counted_loop_\name\()_end:
        .popsection
.endm

        .text
counted_loop:
        LOOP_BODY kernel, kernel
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_loop

# To ring 3 by IRET and back by SYSCALL.
.macro TO_RING_3 name, code
counted_\name:
        COUNT   mov %rsp, %r15          # ring 3 leaves R15 alone
        COUNT   pushq $SELECTOR_USER_DATA
        COUNT   pushq $user_stack_top
        COUNT   pushf
        COUNT   pushq $\code
        COUNT   pushq $counted_\name\().ring3
        BRANCH  iretq
        COUNTED_AS kernel_once
        .pushsection .user.text, "ax", @progbits
counted_\name\().ring3:
.endm

.macro FROM_RING_3 name
        BRANCH  syscall                 # leaves RFLAGS in R11
        COUNTED_AS user_once
        .popsection
counted_\name\().back:
        COUNT   mov %r15, %rsp
        COUNT   push %r11
        COUNT   popf
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_\name, counted_\name\().back
.endm

        TO_RING_3 user, SELECTOR_USER_CODE
        LOOP_BODY user, user
        FROM_RING_3 user

        TO_RING_3 compat, SELECTOR_USER_CODE32
        .code32
        LOOP_BODY user, compat
        BRANCH  ljmpl $SELECTOR_USER_CODE, $counted_compat.wide
        .code64
counted_compat.wide:
        FROM_RING_3 compat

counted_string:
        COUNT   mov %rdi, %rdx
        COUNT   xor %eax, %eax
        COUNT   cld
        COUNTED_AS kernel_once
1:
        COUNT   mov $counted_string.buffer, %rdi
        COUNT   mov $STRING_LENGTH, %ecx
        COUNT   rep stosb
        COUNT   dec %rdx
        BRANCH  jnz 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_string

        .pushsection .bss, "aw", @nobits
        .local  counted_string.buffer
counted_string.buffer:
        .skip   STRING_LENGTH
        .popsection

        .globl  counted_undefined_handler
counted_undefined:
        COUNT   mov %rdi, %rcx
        COUNTED_AS kernel_once
        .globl  counted_undefined_instruction
counted_undefined_instruction:
1:
        ud2                             # a fault: not retired (F6.26)
        COUNT   dec %rcx
        BRANCH  jnz 1b
        .subsection 1
counted_undefined_handler:
        COUNT   addq $2, (%rsp)         # the length of UD2
        BRANCH  iretq
        .subsection 0
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_undefined

        .globl  counted_interrupt_handler
counted_interrupt:
        COUNT   mov %rdi, %rcx
        COUNTED_AS kernel_once
1:
        COUNT   int $VECTOR_TEST
        COUNT   dec %rcx
        BRANCH  jnz 1b
        .subsection 1
counted_interrupt_handler:
        COUNT   addq $0, (%rsp)
        BRANCH  iretq
        .subsection 0
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_interrupt

        .globl  counted_trap_handler
counted_trap:
        COUNT   mov %rdi, %rcx
        COUNTED_AS kernel_once
1:
        COUNT   pushf
        COUNT   orq $RFLAGS_TF, (%rsp)
        COUNT   popf
        COUNT   nop                     # the trap comes after this one (F9.6)
        COUNT   dec %rcx
        BRANCH  jnz 1b
        .subsection 1
counted_trap_handler:
        COUNT   andq $~RFLAGS_TF, 16(%rsp)
        BRANCH  iretq
        .subsection 0
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_trap

counted_misses:
        COUNT   mov %rdi, %rcx
        COUNTED_AS kernel_once
1:
        COUNT   clflush counted_misses.line(%rip)
        COUNT   mfence
        COUNT   mov counted_misses.line(%rip), %rax
        COUNT   lfence
        COUNT   dec %rcx
        BRANCH  jnz 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_misses
        .pushsection .data, "aw", @progbits
        .balign 64
counted_misses.line:
        .skip   64
        .popsection

counted_self:
        COUNT   mov %rdi, %rcx
        COUNTED_AS kernel_once
1:
        BRANCH  loop 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_self

counted_far:
        COUNT   mov %rdi, %rcx
        COUNTED_AS kernel_once
1:
        COUNT   pushq $SELECTOR_KERNEL_CODE
        COUNT   pushq $counted_far.returned
        BRANCH  lretq
counted_far.returned:
        COUNT   dec %rcx
        BRANCH  jnz 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_far

# The carry is the top bit of a random sequence (64-bit linear congruential, Knuth's numbers). One
# of the two jumps to 3 retires, whichever way JC went.
counted_random:
        COUNT   mov %rdi, %rcx
        COUNT   rdtsc                   # another sequence each time: the last one may be known
        COUNT   mov $6364136223846793005, %rdx
        COUNTED_AS kernel_once
1:
        COUNT   imul %rdx, %rax
        COUNT   add $1442695041, %rax
        COUNT   bt $63, %rax
        BRANCH  jc 2f
        BRANCH  jmp 3f
2:
        jmp     3f
3:
        COUNT   dec %rcx
        BRANCH  jnz 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_random

# R9 counts: most of the registers have another use.
.macro MICROCODED_LOOP group
counted_\group:
        COUNT   mov %rdi, %r9
        COUNTED_AS kernel_once
1:
        DO_\group
        COUNT   dec %r9
        BRANCH  jnz 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_\group
.endm

        .irp    group, cpuid, rdmsr, rdtsc, in_out, mov_cr, invlpg, pause
        MICROCODED_LOOP \group
        .endr

        .globl  counted_nops
counted_nops:
        .rept   COUNTED_NOPS_LENGTH
        COUNT   nop
        .endr
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_nops

/* Ring 3: reads counter RDI by RDPMC and comes back with it in RAX. */
        .pushsection .user.text, "ax", @progbits
        .globl  user_read_counter
user_read_counter:
        mov     %edi, %ecx
        rdpmc
        shl     $32, %rdx
        or      %rdx, %rax
        syscall
        .popsection
