/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 16550 in memory: in which layouts its scratch register keeps two patterns, and what comes out at its
 * end when a line is sent in each of them.
 */
#include "guest.h"

#define UART     0xfe030000
#define LCR      3
#define LSR      5
#define SCRATCH  7
#define DLAB     0x80
#define EIGHT_N1 3

        /* With accesses of this kind and registers so far apart. */
        .macro try name, stride, access, register, text
        mov $0xff, %eax
        mov\access $0x35, UART + SCRATCH * \stride
        mov\access UART + SCRATCH * \stride, \register
        print \name\()_first
        mov $0xff, %eax
        mov\access $0xca, UART + SCRATCH * \stride
        mov\access UART + SCRATCH * \stride, \register
        print \name\()_second
        mov $0, %eax
        mov\access UART + LSR * \stride, \register
        print \name\()_lsr
        mov\access $DLAB, UART + LCR * \stride
        mov\access $1, UART + 0 * \stride
        mov\access $0, UART + 1 * \stride
        mov\access $EIGHT_N1, UART + LCR * \stride
        mov $\text, %esi
1:      movzbl (%esi), %eax
        inc %esi
        test %al, %al
        jz 2f
        mov\access \register, UART
        jmp 1b
2:
        .endm

        .section .rodata
narrow: .asciz "every byte\n"
spread: .asciz "every fourth byte\n"
wide:   .asciz "every fourth byte, four at once\n"

        .text
guest_main:
        try narrow, 1, b, %al, narrow
        try spread, 4, b, %al, spread
        try wide, 4, l, %eax, wide
        ret
