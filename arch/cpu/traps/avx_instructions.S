/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions of AVX, and of its state. */
#include "arch/cpu/ground/extable.h"
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
