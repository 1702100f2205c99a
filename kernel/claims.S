/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of the claims, as the one place that knows them has them: kernel/report/sums_claims.c. */
    .section .rodata
    .global claims_toml
claims_toml:
    .incbin "tools/claims.toml"
    .byte 0
    .section .note.GNU-stack, "", @progbits
