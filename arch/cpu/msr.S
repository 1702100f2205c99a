/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RDMSR and WRMSR, plain and with a fixup; RDPMC with one. */
#include "arch/cpu/extable.h"

    .text
    .globl rdmsr
    .type rdmsr, @function
rdmsr:                          /* EDI = number; returns RAX */
    mov %edi, %ecx
    rdmsr
    shl $32, %rdx
    or %rdx, %rax
    ret
    .size rdmsr, . - rdmsr

    .globl wrmsr
    .type wrmsr, @function
wrmsr:                          /* EDI = number, RSI = value */
    mov %edi, %ecx
    mov %esi, %eax
    mov %rsi, %rdx
    shr $32, %rdx
    wrmsr
    ret
    .size wrmsr, . - wrmsr

    .globl rdmsr_safe
    .type rdmsr_safe, @function
rdmsr_safe:                     /* EDI = number, RSI = where to; returns a struct exception in RAX */
    mov %edi, %ecx
1:  rdmsr
    shl $32, %rdx
    or %rdx, %rax
    mov %rax, (%rsi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    .size rdmsr_safe, . - rdmsr_safe

    .globl wrmsr_safe
    .type wrmsr_safe, @function
wrmsr_safe:                     /* EDI = number, RSI = value; returns a struct exception in RAX */
    mov %edi, %ecx
    mov %esi, %eax
    mov %rsi, %rdx
    shr $32, %rdx
1:  wrmsr
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    .size wrmsr_safe, . - wrmsr_safe

    .globl rdpmc_safe
    .type rdpmc_safe, @function
rdpmc_safe:                     /* EDI = index, RSI = where to; returns a struct exception in RAX */
    mov %edi, %ecx
1:  rdpmc
    shl $32, %rdx
    or %rdx, %rax
    mov %rax, (%rsi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    .size rdpmc_safe, . - rdpmc_safe

    .section .note.GNU-stack, "", @progbits
