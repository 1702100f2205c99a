/* SPDX-License-Identifier: GPL-2.0-or-later */
#define LOADS 70000 /* one after another: no processor does more than one a cycle */

        .text
        .globl  slow_stretch, slow_stretch_behind
slow_stretch:
        jmp     1f
1:
        mov     $__text_start, %rsi
        mov     $LOADS, %ecx
        cld
        rep lodsb
slow_stretch_behind:
        jmp     1f
1:
        ret

/*
 * Jumps with straight code of known length ahead of each: long ones, so that many instructions retire
 * between two branches, and the first of a run, of which nothing is known. Behind the longest, jumps without
 * any.
 */
        .globl  event_stretch, event_stretch_ends, event_stretch_ends_end, event_stretch_chained

        .section .rodata, "a", @progbits
        .balign 8
event_stretch_ends:
        .text
event_stretch:
        jmp     1f
1:
        .irp    length, 8, 9, 10, 11, 12, 13, 14, 15
        .rept   \length
        nop
        .endr
event_stretch_end_\length:
        jmp     1f
1:
        .pushsection .rodata, "a", @progbits
        .quad   event_stretch_end_\length
        .popsection
        .endr
        .rept   3
        jmp     1f
1:
        .endr
event_stretch_chained:
        jmp     1f
1:
        ret

        .section .rodata, "a", @progbits
event_stretch_ends_end:
