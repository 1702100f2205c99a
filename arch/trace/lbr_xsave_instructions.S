/* SPDX-License-Identifier: GPL-2.0-or-later */
/* XSAVES and XRSTORS of the components in RSI, at RDI; return a struct exception in RAX. */
#include "arch/cpu/ground/extable.h"
#include "arch/cpu/ground/function.h"

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
