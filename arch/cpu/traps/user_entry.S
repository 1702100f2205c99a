/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Into ring 3 and back. The kernel's stack while ring 3 runs, from the highest address down:
 *
 *     return address of user_enter()
 *     RBP, RBX, R12 … R15
 *     RFLAGS
 *     struct user_result *       <- kernel_rsp of the per-CPU structure
 *
 * Every way back ends in user_leave with RAX as ring 3 left it, RDX = a struct exception, RCX = CR2.
 * The processor switches the stack for INT and exceptions (to RSP0's own), but not for SYSCALL.
 */
#include "arch/cpu/ground/function.h"
#include "arch/cpu/ground/percpu.h"
#include "arch/cpu/traps/user.h"

#define RESULT_EXCEPTION  0
#define RESULT_CR2    8
#define RESULT_RAX    16

.macro CLEAR_REGISTERS          /* ring 3 gets only its argument */
    xor %eax, %eax
    xor %ebx, %ebx
    xor %edx, %edx
    xor %esi, %esi
    xor %ebp, %ebp
    xor %r8d, %r8d
    xor %r9d, %r9d
    xor %r10d, %r10d
    xor %r12d, %r12d
    xor %r13d, %r13d
    xor %r14d, %r14d
    xor %r15d, %r15d
.endm

    .text
    FUNCTION user_enter         /* RDI = result, RSI = entry, RDX = argument, ECX = how */
    PUSH_CALLERS_REGISTERS frame=0
    pushfq
    push %rdi
    cli                         /* no interrupt may run in ring 0 on ring 3's stack */
    mov %rsp, %gs:CPU_KERNEL_RSP
    mov %rdx, %rdi
    test %ecx, %ecx
    jnz 1f

    push $SELECTOR_USER_DATA    /* USER_ENTRY_IRET */
    push $user_stack_top
    push $USER_RFLAGS
    push $SELECTOR_USER_CODE
    push %rsi
    CLEAR_REGISTERS
    xor %ecx, %ecx
    xor %r11d, %r11d
    iretq

1:  mov %rsi, %rcx              /* USER_ENTRY_SYSRET */
    mov $USER_RFLAGS, %r11d
    CLEAR_REGISTERS
    mov $user_stack_top, %rsp
    sysretq
    END user_enter

    FUNCTION user_syscall_entry /* LSTAR; IF and TF are clear by FMASK */
    cmpq $0, %gs:CPU_KERNEL_RSP
    je 1f
    mov %rsp, %gs:CPU_USER_RSP
    mov %gs:CPU_KERNEL_RSP, %rsp
    mov $NO_VECTOR, %edx
    xor %ecx, %ecx
    jmp user_leave
1:  mov $user_unawaited, %rcx
    sysretq
    END user_syscall_entry

    FUNCTION user_int_entry     /* gate of VECTOR_USER_INT; the frame on RSP0's stack is dropped */
    cmpq $0, %gs:CPU_KERNEL_RSP
    je 1f
    mov %gs:CPU_KERNEL_RSP, %rsp
    mov $NO_VECTOR, %edx
    xor %ecx, %ecx
    jmp user_leave
1:  movq $user_unawaited, (%rsp)
    iretq
    END user_int_entry

/* For runaway ring 3 code that returns while no user_enter() waits: raises #UD in ring 3. */
    .pushsection .user.text, "ax", @progbits
    FUNCTION user_unawaited
    ud2
    END user_unawaited
    .popsection

    FUNCTION user_leave
    cld
    movq $0, %gs:CPU_KERNEL_RSP
    pop %rdi
    mov %rdx, RESULT_EXCEPTION(%rdi)
    mov %rcx, RESULT_CR2(%rdi)
    mov %rax, RESULT_RAX(%rdi)
    popfq                       /* IF as it was */
    POP_CALLERS_REGISTERS
    ret
    END user_leave

/* Ring 3's stack: its own pages, the lowest one unmapped by paging_init(). */
    .section .user.stack, "aw", @nobits
    .balign 4096
    .globl user_stack_guard, user_stack, user_stack_top
user_stack_guard:
    .skip 4096
user_stack:
    .skip USER_STACK_SIZE
user_stack_top:

/* Ring 3 code for host_check(). Each function returns by SYSCALL, with the RAX named beside it. */

#define BEFORE_END 24 /* bytes of the sled before the end of the page */

    .section .user.text.host_check, "ax", @progbits
    .balign 4096
    .globl host_check_syscall, host_check_sled, host_check_split
host_check_syscall:             /* RDI */
    mov %rdi, %rax
    syscall

    .org 4096 - BEFORE_END
host_check_sled:                /* RDI + 16: twelve instructions of four bytes, six in each page */
    lea -28(%rdi), %rax
    .rept 11
    lea 4(%rax), %rax
    .endr
    syscall

    .org 2 * 4096 - 3
host_check_split:               /* RDI + 1234567890H, whose last seven bytes of ten are in the next page */
    movabs $0x1234567890, %rax
    add %rdi, %rax
    syscall
