/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of an LBR stack, read one by one, and by XSAVES. */
#include "arch/cpu/ground/function.h"
#include "arch/trace/lbr_format.h"

/*
 * uint64_t lbr_capture_registers(struct lbr_raw *raw, uint32_t from, uint32_t to, uint32_t info,
 *                                uint32_t depth, uint32_t top_of_stack)
 *
 * Reads FROM and TO of each entry, then INFO of each where info is not 0; returns the top of stack. Straight
 * code: no branch is taken before everything was read, so a stack that records meanwhile stays as it is.
 */

        .set    RAW_SIZE, 24            # struct lbr_raw: from, to, info

.macro STORE_MSR offset
        rdmsr
        mov     %eax, \offset(%rdi)
        mov     %edx, \offset+4(%rdi)
.endm

        .text
        .globl  lbr_capture_registers
lbr_capture_registers:
        mov     %edx, %r10d             # RDMSR takes RAX, RCX, RDX
        mov     %ecx, %r11d
        mov     %r9d, %ecx
        rdmsr
        shl     $32, %rdx
        or      %rdx, %rax
        mov     %rax, %r9               # the top of stack

        .set    entry, 0
        .rept   LBR_DEPTH_MAX
        cmp     $entry, %r8d
        jbe     1f                      # the first jump that is taken
        lea     entry(%rsi), %ecx
        STORE_MSR entry*RAW_SIZE
        lea     entry(%r10), %ecx
        STORE_MSR entry*RAW_SIZE+8
        .set    entry, entry + 1
        .endr
1:
        test    %r11d, %r11d
        jz      2f
        .set    entry, 0
        .rept   LBR_DEPTH_MAX
        cmp     $entry, %r8d
        jbe     2f
        lea     entry(%r11), %ecx
        STORE_MSR entry*RAW_SIZE+16
        .set    entry, entry + 1
        .endr
2:
        mov     %r9, %rax
        ret

/*
 * struct exception lbr_xsave_save(void *area, uint64_t components)
 * struct exception lbr_xsave_restore(const void *area, uint64_t components)
 *
 * XSAVES and XRSTORS.
 */
.macro COMPONENTS
    mov %esi, %eax
    mov %rsi, %rdx
    shr $32, %rdx
.endm

    .text
    FUNCTION lbr_xsave_save
    COMPONENTS
1:  xsaves64 (%rdi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END lbr_xsave_save

    FUNCTION lbr_xsave_restore
    COMPONENTS
1:  xrstors64 (%rdi)
    mov $NO_VECTOR, %eax
2:  ret
    EXTABLE 1b, 2b
    END lbr_xsave_restore
