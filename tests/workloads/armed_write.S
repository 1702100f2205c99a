/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A jump, a WRMSR and a jump, so far apart that what an overflow at the first one arms is armed by the
 * WRMSR, and what the WRMSR changes is changed by the second. The argument is the address of a
 * struct register_write. A value that is refused fails the test, and the rest of this runs all the same.
 */
#include "arch/cpu/extable.h"
#include "tests/workloads/armed_write.h"
#include "tests/workloads/register_write.h"
#include "tests/workloads/registers.h"

.macro WAIT
        .rept   REGISTERS_FENCES
        lfence
        .endr
.endm

        .text
        .globl  armed_write, armed_write_jump, armed_write_landing
armed_write:
        mov     REGISTER_WRITE_NUMBER(%rdi), %ecx
        mov     REGISTER_WRITE_VALUE(%rdi), %eax
        mov     REGISTER_WRITE_VALUE + 4(%rdi), %edx
        WAIT
        jmp     1f
        int3
1:
        WAIT
2:
        wrmsr
3:
        WAIT
armed_write_jump:
        jmp     armed_write_landing
        int3
armed_write_landing:
        WAIT
        ret
        EXTABLE_REFUSAL 2b, 3b

        .section .note.GNU-stack, "", @progbits
