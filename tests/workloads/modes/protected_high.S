/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protected mode with 32-bit paging: a branch and a #UD at a second address of the code, from 2 GiB on.
 */
#include "tests/workloads/modes/protected_mode_macros.h"

#define CR0_PG 0x80000000

        BEGIN_PROTECTED protected_high, DEBUGCTL_ON
        .globl  protected_high_there, protected_high_target, protected_high_handler
        mov     SHARED(DIRECTORY), %eax
        mov     %eax, %cr3
        mov     %cr0, %eax
        or      $CR0_PG, %eax
        mov     %eax, %cr0
        jmp     protected_high.paged
protected_high.paged:
        ljmpl   *(SHARED(BASED))
protected_high_there:
        jmp     protected_high_target
        int3
protected_high_target:
        ud2
protected_high_handler:
        DEBUGCTL_OFF
        READ_ASKED
        add     $12, %esp               # EIP, CS, EFLAGS
        mov     %cr0, %eax
        and     $~CR0_PG, %eax
        mov     %eax, %cr0
        jmp     protected_high.not_paged
protected_high.not_paged:
        END_PROTECTED protected_high

        .section .note.GNU-stack, "", @progbits
