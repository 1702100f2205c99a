/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions of AVX, of its state, and those that load XMM registers. */
#include "arch/cpu/ground/function.h"

    .text
    FUNCTION avx_read_xcr0
    xor %ecx, %ecx
    xgetbv
    shl $32, %rdx
    or %rdx, %rax
    ret
    END avx_read_xcr0

    FUNCTION avx_write_xcr0     /* RDI = value */
    xor %ecx, %ecx
    mov %edi, %eax
    mov %rdi, %rdx
    shr $32, %rdx
    xsetbv
    ret
    END avx_write_xcr0

    FUNCTION avx_execute        /* returns a struct exception in RAX */
1:  vzeroupper
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END avx_execute

    FUNCTION xmm_load           /* RDI = const uint64_t values[16][2] */
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movdqu 16 * \n(%rdi), %xmm\n
    .endr
    ret
    END xmm_load
