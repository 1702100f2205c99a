/* SPDX-License-Identifier: GPL-2.0-or-later */
/* void xmm_load(const uint64_t values[16][2]) */

        .text
        .globl  xmm_load
xmm_load:
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movdqu  16 * \n(%rdi), %xmm\n
        .endr
        ret
