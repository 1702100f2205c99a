/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of tools/claims.toml, for kernel/report/sums/claim_text.c. */
        .section .rodata
        .globl  claim_table
claim_table:
        .incbin "tools/claims.toml"
        .byte   0

        .section .note.GNU-stack, "", @progbits
