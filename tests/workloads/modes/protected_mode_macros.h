/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembly macros by which the code of tests/workloads/modes/protected_mode.h enters protected mode and
 * virtual-8086 mode, and returns.
 */
#ifndef TESTS_WORKLOADS_PROTECTED_MACROS_H
#define TESTS_WORKLOADS_PROTECTED_MACROS_H

#include "arch/cpu/ground/msr.h"
#include "tests/workloads/modes/protected_mode.h"
#include "tests/workloads/truth.h"

#define CR0_PE 1
#define SHARED(field) LOW_DATA + PROTECTED_##field

.macro ENTER_PROTECTED
        mov     %cr0, %eax
        or      $CR0_PE, %al
        mov     %eax, %cr0
.endm

.macro SEGMENTS_PROTECTED
        mov     $PROTECTED_DATA, %eax
        mov     %eax, %ds
        mov     %eax, %ss
.endm

.macro SEGMENTS_REAL
        mov     %cs, %ax
        mov     %ax, %ds
        mov     %ax, %ss
.endm

.macro LEAVE_PROTECTED
        mov     %cr0, %eax
        and     $~CR0_PE, %al
        mov     %eax, %cr0
.endm

.macro READ_TO place
        rdmsr
        mov     %eax, \place
        mov     %edx, \place + 4
.endm

.macro SET_DS_AREA
        mov     SHARED(DS_AREA), %eax
        xor     %edx, %edx
        mov     $IA32_DS_AREA, %ecx
        wrmsr
.endm

.macro DEBUGCTL_ON
        mov     SHARED(ON), %eax
        xor     %edx, %edx
        mov     $IA32_DEBUGCTL, %ecx
        wrmsr
.endm

.macro DEBUGCTL_OFF
        mov     $IA32_DEBUGCTL, %ecx
        READ_TO SHARED(DEBUGCTL)
        xor     %eax, %eax
        xor     %edx, %edx
        wrmsr
.endm

.macro READ_ASKED
        mov     SHARED(ASKED), %ecx
        READ_TO SHARED(ANSWER)
        mov     SHARED(ASKED) + 4, %ecx
        READ_TO SHARED(ANSWER) + 8
.endm

#define RFLAGS_VM        0x20000
#define FRAME_OF_8086    36     /* EIP, CS, EFLAGS, ESP, SS, ES, DS, FS, GS */
#define ROOM_OF_8086     128    /* bytes from ESP0 down, for a frame and what the handler pushes */

# Pushes the frame for an IRET to virtual-8086 mode, to this offset in the segment that real-address mode had.
# Exceptions come back on the stack of the TSS, which begins where ESP is now; ESP of virtual-8086 mode is ROOM_OF_8086 below.
.macro FRAME_8086 offset, flags
        mov     %esp, SHARED(TSS) + 4
        movl    $PROTECTED_DATA, SHARED(TSS) + 8
        mov     %esp, %ecx
        sub     $ROOM_OF_8086, %ecx
        mov     SHARED(START), %eax
        shr     $4, %eax
        .rept   5                       # GS, FS, DS, ES, SS
        push    %eax
        .endr
        push    %ecx
        push    $RFLAGS_VM | 2 | \flags
        push    %eax
        push    $\offset
.endm

# Real-address code that enters protected mode at name_enter; first: what comes before.
.macro BEGIN_PROTECTED name, first:vararg
        .section .rodata.\name, "a", @progbits
        .code16
        .globl  \name, \name\()_end, \name\()_enter, \name\()_leave, \name\()_back
\name:
        lgdtl   SHARED(GDTR)
        lidtl   SHARED(IDTR)
        \first
        ENTER_PROTECTED
        ljmpl   *(SHARED(ENTER))
        .code32
\name\()_enter:
        SEGMENTS_PROTECTED
.endm

# The way back, from 32-bit code.
.macro END_PROTECTED name
        ljmpl   *(SHARED(LEAVE))
        .code16
\name\()_leave:
        LEAVE_PROTECTED
        ljmpw   *(SHARED(BACK))
\name\()_back:
        SEGMENTS_REAL
        movl    $1, SHARED(DONE)
        ret
\name\()_end:
.endm

#endif
