/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual-8086 code, whose CPL is 3: near branches, software interrupts that come back, code under TF. Its segments
 * and its stack are those of real-address mode, so that its offsets are the same ones; the #UD at its end takes the
 * stack of ring 0. With IOPL = 3 and CR4.VME clear INT n takes the gates of protected mode, as exceptions do.
 */
#include "arch/cpu/traps/debug.h"
#include "tests/workloads/modes/protected_mode_macros.h"

.macro BEGIN_8086 name
        .section .rodata.\name, "a", @progbits
        .code16
        .globl  \name, \name\()_end, \name\()_truth, \name\()_truth_end
        .globl  \name\()_enter, \name\()_handler, \name\()_leave, \name\()_back
        .pushsection .truth, "a", @progbits
        .balign 32
\name\()_truth:
        .popsection
        .set    truth_ring, 0
\name:
        lgdtl   SHARED(GDTR)
        lidtl   SHARED(IDTR)
.endm

.macro INTO_8086 name, flags
        ENTER_PROTECTED
        BRANCH  FAR_JMP, \name\()_enter, ljmpl *(SHARED(ENTER))
        int3
        .code32
\name\()_enter:
        SEGMENTS_PROTECTED
        mov     $PROTECTED_TASK, %eax
        ltr     %ax
        BRANCH  JMP, \name\().out, jmp \name\().out
        int3
\name\().out:
        FRAME_8086 LOW_CODE+\name\().code-\name, \flags
        CROSS   IRET, \name\().code, 3, iretl
        .code16
\name\().code:
.endm

.macro END_8086 name
        CROSS   EXCEPTION, \name\()_handler, 0, ud2
        .code32
\name\()_handler:
        SEGMENTS_PROTECTED
        add     $FRAME_OF_8086, %esp
        BRANCH  JMP, \name\().home, jmp \name\().home
        int3
\name\().home:
        BRANCH  FAR_JMP, \name\()_leave, ljmpl *(SHARED(LEAVE))
        int3
        .code16
\name\()_leave:
        LEAVE_PROTECTED
        BRANCH  FAR_JMP, \name\()_back, ljmpw *(SHARED(BACK))
        int3
\name\()_back:
        SEGMENTS_REAL
        DEBUGCTL_OFF
        movl    $1, SHARED(DONE)
        ret
        .subsection 2
\name\()_end:
        .pushsection .truth, "a", @progbits
\name\()_truth_end:
        .popsection
.endm

        BEGIN_8086 protected_8086
        READ_ASKED
        SET_DS_AREA
        DEBUGCTL_ON
        INTO_8086 protected_8086, 0
        JUMPS   protected_8086
        CALL_AND_LOOP protected_8086
        END_8086 protected_8086

        BEGIN_8086 events_8086
        SET_DS_AREA
        DEBUGCTL_ON
        INTO_8086 events_8086, RFLAGS_IOPL
        .globl  events_8086_software
        BRANCH  JMP, events_8086.int_n, jmp events_8086.int_n
        int3
events_8086.int_n:
        TRAP    INT, events_8086_software, int $PROTECTED_INT_VECTOR
        .subsection 1
        .code32
events_8086_software:                   # of all three
events_8086.iret:
        iretl
        .code16
        IN_LINE
        TRUTH   IRET, events_8086.iret, events_8086.after_int_n, 3
events_8086.after_int_n:
        TRAP    INT3, events_8086_software, int3
        TRUTH   IRET, events_8086.iret, events_8086.after_int3, 3
events_8086.after_int3:
        mov     $0x7f, %al
        add     $1, %al                 # OF = 1
        TRAP    INTO, events_8086_software, into
        TRUTH   IRET, events_8086.iret, events_8086.after_into, 3
events_8086.after_into:
        BRANCH  JMP, events_8086.last, jmp events_8086.last
        int3
events_8086.last:
        END_8086 events_8086

        BEGIN_8086 stepped_8086
        DEBUGCTL_ON
        INTO_8086 stepped_8086, RFLAGS_TF
        nop
        xor     %ax, %ax
        NOT_TAKEN jnz stepped_8086.never
        BRANCH  JMP, stepped_8086.after_jmp, jmp stepped_8086.after_jmp
stepped_8086.never:
        int3
stepped_8086.after_jmp:
        BRANCH  JCC, stepped_8086.after_jz, jz stepped_8086.after_jz
        int3
stepped_8086.after_jz:
        BRANCH  CALL, stepped_8086.callee, call stepped_8086.callee
        OUT_OF_LINE
stepped_8086.callee:
        nop
        BRANCH  RET, stepped_8086.after_call, ret
        IN_LINE
stepped_8086.after_call:
        mov     $3, %cx
stepped_8086.again:
        REPEATED 2, LOOP, stepped_8086.again, loop stepped_8086.again
        mov     $LOW_CODE + stepped_8086.after_register - stepped_8086, %ax
        BRANCH  JMP_INDIRECT, stepped_8086.after_register, jmp *%ax
        int3
stepped_8086.after_register:
        nop
        END_8086 stepped_8086

/* Only SS is a segment here. The frame's first field is EIP, whatever ring it comes from. */
#define PUSHED 16

        .section .rodata.stepped_8086, "a", @progbits
        .subsection 1
        .code32
        .globl  stepped_8086_trap
stepped_8086_trap:
        push    %eax
        push    %ebx
        push    %ecx
        push    %edx
        mov     %ss:SHARED(TRAP_COUNT), %ebx
        incl    %ss:SHARED(TRAP_COUNT)
        cmp     $PROTECTED_TRAPS_MAX, %ebx
        jae     stepped_8086.full
        mov     PUSHED(%esp), %eax
        mov     %eax, %ss:SHARED(TRAPS)(, %ebx, 4)
stepped_8086.full:
        mov     $DR6_INITIAL, %eax
        mov     %eax, %dr6
        mov     %ss:SHARED(ON), %eax
        xor     %edx, %edx
        mov     $IA32_DEBUGCTL, %ecx
        wrmsr
        pop     %edx
        pop     %ecx
        pop     %ebx
        pop     %eax
        iretl

        .section .note.GNU-stack, "", @progbits
