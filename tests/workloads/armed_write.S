/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A jump, a WRMSR and a jump, so far apart that what an overflow at the first one arms is armed by the
 * WRMSR, and what the WRMSR changes is changed by the second. The argument is the address of a
 * struct register_write. A value that is refused fails the test, and the rest of this runs all the same.
 */
#include "arch/cpu/ground/function.h"
#include "tests/workloads/armed_write.h"
#include "tests/workloads/register_write.h"
#include "tests/workloads/kinds/registers.h"

.macro WAIT
        .rept   REGISTERS_FENCES
        lfence
        .endr
.endm

        .text
        .globl  armed_write, armed_write_wrmsr, armed_write_jump, armed_write_landing
armed_write:
        mov     REGISTER_WRITE_NUMBER(%rdi), %ecx
        mov     REGISTER_WRITE_VALUE(%rdi), %eax
        mov     REGISTER_WRITE_VALUE + 4(%rdi), %edx
        WAIT
        jmp     1f
        int3
1:
        WAIT
armed_write_wrmsr:
        wrmsr
3:
        WAIT
armed_write_jump:
        jmp     armed_write_landing
        int3
armed_write_landing:
        WAIT
        ret
        EXTABLE_MSR_FAULT armed_write_wrmsr, 3b

/*
 * A few instructions, a WRMSR that stops the counters, a look at a word of memory, a WRMSR that starts them again, more
 * instructions. The argument is the address of a struct armed_pause.
 */
        .globl  armed_pause, armed_pause_off, armed_pause_on
armed_pause:
        mov     %rdi, %r8
        mov     ARMED_PAUSE_NUMBER(%r8), %ecx
        mov     ARMED_PAUSE_WORD(%r8), %r9
        xor     %eax, %eax
        xor     %edx, %edx
        nop
        nop
armed_pause_off:
        wrmsr
4:
        WAIT
        mov     (%r9), %rax
        mov     %rax, ARMED_PAUSE_FOUND(%r8)
        mov     ARMED_PAUSE_ON(%r8), %eax
        mov     ARMED_PAUSE_ON + 4(%r8), %edx
        WAIT
armed_pause_on:
        wrmsr
5:
        .rept   ARMED_PAUSE_NOPS
        nop
        .endr
        ret
        EXTABLE_MSR_FAULT armed_pause_off, 4b
        EXTABLE_MSR_FAULT armed_pause_on, 5b

        .section .note.GNU-stack, "", @progbits
