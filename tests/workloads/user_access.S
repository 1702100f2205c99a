/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ring 3 code that touches one byte at the address in RDI and comes back by SYSCALL. */
        .pushsection .user.text, "ax", @progbits
        .globl  user_read_byte, user_write_byte, user_return
user_read_byte:
        movb    (%rdi), %al
        movzbl  %al, %eax
        syscall
user_write_byte:
        movb    $0x5a, (%rdi)
        syscall
user_return:
        mov     %rdi, %rax
        syscall
        .popsection

/* A byte of ring 3's own, to show that the two above work where they may. */
        .pushsection .user.data, "aw", @progbits
        .globl  user_byte
user_byte:
        .byte   0xc3
        .popsection
