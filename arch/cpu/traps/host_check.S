/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring 3 code for host_check.c. Each function returns by SYSCALL, with the RAX named beside it. */

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
