/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RDMSR and WRMSR, plain and with a fixup; RDPMC with a fixup. */
#include "arch/cpu/ground/function.h"

    .text
    FUNCTION rdmsr              /* EDI = number; returns RAX */
    mov %edi, %ecx
    rdmsr
    shl $32, %rdx
    or %rdx, %rax
    ret
    END rdmsr

    FUNCTION wrmsr              /* EDI = number, RSI = value */
    mov %edi, %ecx
    mov %esi, %eax
    mov %rsi, %rdx
    shr $32, %rdx
    wrmsr
    ret
    END wrmsr

    FUNCTION rdmsr_safe         /* EDI = number, RSI = where to; returns a struct exception in RAX */
    mov %edi, %ecx
1:  rdmsr
    shl $32, %rdx
    or %rdx, %rax
    mov %rax, (%rsi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END rdmsr_safe

    FUNCTION wrmsr_safe         /* EDI = number, RSI = value; returns a struct exception in RAX */
    mov %edi, %ecx
    mov %esi, %eax
    mov %rsi, %rdx
    shr $32, %rdx
1:  wrmsr
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END wrmsr_safe

    FUNCTION rdpmc_safe         /* EDI = index, RSI = where to; returns a struct exception in RAX */
    mov %edi, %ecx
1:  rdpmc
    shl $32, %rdx
    or %rdx, %rax
    mov %rax, (%rsi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END rdpmc_safe

    /* EDI = number, RSI = where to store RAX and RDX, all ones before; the same for RDPMC */
    .macro READ_WHOLE name, instruction
    FUNCTION \name
    mov %edi, %ecx
    mov $-1, %rax
    mov $-1, %rdx
1:  \instruction
    mov %rax, (%rsi)
    mov %rdx, 8(%rsi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END \name
    .endm

    READ_WHOLE rdmsr_whole, rdmsr
    READ_WHOLE rdpmc_whole, rdpmc
