/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protected mode with 32-bit paging: a branch and a #UD at a second address of the code, from 2 GiB on.
 */
#include "tests/workloads/protected_mode_macros.h"

#define CR0_PG 0x80000000

        .section .rodata.protected_high, "a", @progbits
        .code16
        .globl  protected_high, protected_high_end, protected_high_enter, protected_high_there
        .globl  protected_high_target, protected_high_handler, protected_high_leave
        .globl  protected_high_back
protected_high:
        lgdtl   SHARED(GDTR)
        lidtl   SHARED(IDTR)
        DEBUGCTL_ON
        ENTER_PROTECTED
        ljmpl   *(SHARED(ENTER))
        .code32
protected_high_enter:
        SEGMENTS_PROTECTED
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
        ljmpl   *(SHARED(LEAVE))
        .code16
protected_high_leave:
        LEAVE_PROTECTED
        ljmpw   *(SHARED(BACK))
protected_high_back:
        SEGMENTS_REAL
        movl    $1, SHARED(DONE)
        ret
protected_high_end:

        .section .note.GNU-stack, "", @progbits
