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
