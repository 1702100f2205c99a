/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 32-bit code in ring 3 (compatibility mode): the transfers of 64-bit mode once more, where FROM and TO have
 * their upper halves clear (F4.16), and those that 64-bit mode does not have: far JMP and CALL with the
 * target in the instruction, INTO, BOUND. Data lies on the stack or is read through CS: DS is null.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN compat_transfers

.macro COMPAT_WORKLOAD name, body:vararg
        WORKLOAD_BEGIN compat_\name
        BEGIN_COMPAT compat_\name
        \body
        INT_BACK compat_\name
        WORKLOAD_END compat_\name, 0, compat_\name\().back
        LISTED  compat_\name
.endm

.macro COMPAT kind
        COMPAT_WORKLOAD \kind, KIND_\kind compat_\kind\().body
.endm

.macro KIND_jmp name
        BRANCH  JMP, \name\().short, jmp \name\().short
        ud2
\name\().short:
        BRANCH  JMP, \name\().after, jmp \name\().after
        .skip   130, 0xcc
\name\().after:
.endm

.macro KIND_jcc name
        xor     %eax, %eax
        NOT_TAKEN jnz \name\().never
        NOT_TAKEN jc \name\().after
        BRANCH  JCC, \name\().short, jz \name\().short
\name\().never:
        ud2
\name\().short:
        BRANCH  JCC, \name\().after, jnc \name\().after
        .skip   130, 0xcc
\name\().after:
.endm

.macro KIND_loop name
        mov     $3, %ecx
\name\().again:
        REPEATED 2, LOOP, \name\().again, loop \name\().again
.endm

.macro KIND_jecxz name
        mov     $0x10000, %ecx
        NOT_TAKEN jecxz \name\().after
        BRANCH  JRCXZ, \name\().jcxz, jcxz \name\().jcxz
        ud2
\name\().jcxz:                          # CX alone counted
        xor     %ecx, %ecx
        BRANCH  JRCXZ, \name\().after, jecxz \name\().after
        ud2
\name\().after:
.endm

.macro KIND_call name
        push    %eax
        BRANCH  CALL, \name\().callee, call \name\().callee
        CALLEE  \name, ret $4
.endm

.macro KIND_jmp_indirect name
        mov     $\name\().register, %eax
        BRANCH  JMP_INDIRECT, \name\().register, jmp *%eax
        ud2
\name\().register:
        BRANCH  JMP_INDIRECT, \name\().after, jmp *%cs:\name\().slot
        .balign 4
\name\().slot:
        .long   \name\().after
\name\().after:
.endm

.macro KIND_call_indirect name
        mov     $\name\().callee, %eax
        BRANCH  CALL_INDIRECT, \name\().callee, call *%eax
        CALLEE  \name, ret
.endm

.macro KIND_far_jmp name
        BRANCH  FAR_JMP, \name\().direct, ljmpl $SELECTOR_USER_CODE32, $\name\().direct
        ud2
\name\().direct:
        BRANCH  FAR_JMP, \name\().after, ljmpl *%cs:\name\().pointer
        .balign 8
\name\().pointer:
        .long   \name\().after
        .short  SELECTOR_USER_CODE32
\name\().after:
.endm

# To 64-bit code and back.
.macro KIND_far_jmp_to_64bit name
        BRANCH  FAR_JMP, \name\().wide, ljmpl $SELECTOR_USER_CODE, $\name\().wide
        .code64
\name\().wide:
        BRANCH  FAR_JMP, \name\().after, ljmpl *\name\().pointer(%rip)
        .balign 8
\name\().pointer:
        .long   \name\().after
        .short  SELECTOR_USER_CODE32
        .code32
\name\().after:
.endm

.macro KIND_far_call name
        BRANCH  FAR_CALL, \name\().callee, lcalll $SELECTOR_USER_CODE32, $\name\().callee
        OUT_OF_LINE
\name\().callee:
        BRANCH  FAR_RET, \name\().after, lretl
        IN_LINE
\name\().after:
.endm

# 32-bit code calls 64-bit code.
.macro KIND_far_call_to_64bit name
        BRANCH  FAR_CALL, \name\().callee, lcalll $SELECTOR_USER_CODE, $\name\().callee
        OUT_OF_LINE
        .code64
\name\().callee:
        BRANCH  FAR_RET, \name\().after, lretl
        .code32
        IN_LINE
\name\().after:
.endm

.macro KIND_iret name
        pushfl
        pushl   %cs
        pushl   $\name\().after
        BRANCH  IRET, \name\().after, iretl
        ud2
\name\().after:
.endm

        .irp    kind, jmp, jcc, loop, jecxz, call, jmp_indirect, call_indirect, iret
        COMPAT  \kind
        .endr
        .irp    kind, far_jmp, far_jmp_to_64bit, far_call, far_call_to_64bit
        COMPAT  \kind
        .endr

/* --- into the kernel and back --- */

.macro COMPAT_TRAP name, kind, vector, prepare, instruction:vararg
        WORKLOAD_BEGIN compat_\name
        BEGIN_COMPAT compat_\name
        \prepare
        TRAP_AND_IRET compat_\name, 32, \kind, \instruction
        INT_BACK compat_\name
        WORKLOAD_END compat_\name, 0, compat_\name\().back, gate_landing=compat_\name\().landing, gate_vector=\vector
        LISTED  compat_\name
.endm

.macro OVERFLOW
        mov     $0x7f, %al
        add     $1, %al
.endm

        COMPAT_TRAP int_n, INT, VECTOR_WORKLOAD_INT, nop, int $VECTOR_WORKLOAD_INT
        COMPAT_TRAP int3, INT3, VECTOR_BP, nop, int3
        COMPAT_TRAP into, INTO, VECTOR_OF, OVERFLOW, into

        # Without an overflow there is no transfer, and in bounds none either.
.macro KIND_not_taken name
        xor     %eax, %eax
        into
        pushl   $1
        pushl   $0
        bound   %eax, (%esp)
        BRANCH  JMP, \name\().after, jmp \name\().after
\name\().after:
.endm
        COMPAT  not_taken

.macro COMPAT_FAULT name, vector, prepare, instruction:vararg
        WORKLOAD_BEGIN compat_\name
        BEGIN_COMPAT compat_\name
        \prepare
        CROSS   EXCEPTION, compat_\name\().back, 0, \instruction
        .code64
        .popsection
        BACK_IN_KERNEL compat_\name
        WORKLOAD_END compat_\name, gate_landing=compat_\name\().back, gate_vector=\vector
        LISTED  compat_\name
.endm

.macro OUT_OF_BOUNDS
        pushl   $1                      # upper bound
        pushl   $0                      # lower bound
        mov     $2, %eax
.endm

.macro NO_DIVISOR
        xor     %ecx, %ecx
.endm

.macro A_JUMP                           # for LER: the last branch before is one of 32-bit code
        BRANCH  JMP, compat_ud.jumped, jmp compat_ud.jumped
compat_ud.jumped:
.endm

        COMPAT_FAULT bound, VECTOR_BR, OUT_OF_BOUNDS, bound %eax, (%esp)
        COMPAT_FAULT de, VECTOR_DE, NO_DIVISOR, div %ecx
        COMPAT_FAULT ud, VECTOR_UD, A_JUMP, ud2

        LIST_END compat_transfers

        LIST_OF compat_sysenter, workload_compat_sysenter_and_sysexit

        WORKLOAD_BEGIN compat_sysenter_and_sysexit
        BEGIN_COMPAT compat_sysenter_and_sysexit
        CROSS   SYSENTER, compat_sysenter_and_sysexit.landing, 0, sysenter
        .code64
        .pushsection .text
compat_sysenter_and_sysexit.landing:    # IF = 0
        mov     $compat_sysenter_and_sysexit.after, %edx
        mov     $user_stack_top, %ecx
        CROSS   SYSEXIT, compat_sysenter_and_sysexit.after, 3, sysexitl
        .popsection
        .code32
compat_sysenter_and_sysexit.after:
        INT_BACK compat_sysenter_and_sysexit
        WORKLOAD_END compat_sysenter_and_sysexit, 0, compat_sysenter_and_sysexit.back, flags=WORKLOAD_INTEL, sysenter_landing=compat_sysenter_and_sysexit.landing

/* --- the same in a segment with a base: FROM and TO are linear addresses all the same (F3.12) --- */

        LIST_OF based_transfers, workload_based_near, workload_based_far, workload_based_int_n, workload_based_ud

.macro BEGIN_BASED name
        BEGIN_COMPAT \name, $SELECTOR_USER_CODE32_BASED, -USER_CODE32_BASE
.endm

        WORKLOAD_BEGIN based_near
        BEGIN_BASED based_near
        BRANCH  JMP, based_near.first, jmp based_near.first
        ud2
based_near.first:
        BRANCH  CALL, based_near.callee, call based_near.callee
        OUT_OF_LINE
based_near.callee:
        BRANCH  RET, based_near.called, ret
        IN_LINE
based_near.called:
        mov     $based_near.second - USER_CODE32_BASE, %eax
        BRANCH  JMP_INDIRECT, based_near.second, jmp *%eax
        ud2
based_near.second:
        xor     %eax, %eax
        BRANCH  JCC, based_near.third, jz based_near.third
        ud2
based_near.third:
        mov     $2, %ecx
        BRANCH  LOOP, based_near.third_again, loop based_near.third_again
        ud2
based_near.third_again:
        INT_BACK based_near
        WORKLOAD_END based_near, 0, based_near.back, flags=WORKLOAD_BASED

        # Inside the segment, out of it and back.
        WORKLOAD_BEGIN based_far
        BEGIN_BASED based_far
        BRANCH  FAR_JMP, based_far.first, ljmpl $SELECTOR_USER_CODE32_BASED, $based_far.first - USER_CODE32_BASE
        ud2
based_far.first:
        BRANCH  FAR_JMP, based_far.flat, ljmpl $SELECTOR_USER_CODE32, $based_far.flat
        ud2
based_far.flat:
        BRANCH  FAR_CALL, based_far.callee, lcalll $SELECTOR_USER_CODE32_BASED, $based_far.callee - USER_CODE32_BASE
        OUT_OF_LINE
based_far.callee:
        BRANCH  FAR_RET, based_far.called, lretl
        IN_LINE
based_far.called:
        pushfl
        pushl   $SELECTOR_USER_CODE32_BASED
        pushl   $based_far.second - USER_CODE32_BASE
        BRANCH  IRET, based_far.second, iretl
        ud2
based_far.second:
        INT_BACK based_far
        WORKLOAD_END based_far, 0, based_far.back, flags=WORKLOAD_BASED

        WORKLOAD_BEGIN based_int_n
        BEGIN_BASED based_int_n
        TRAP_AND_IRET based_int_n, 32, INT, int $VECTOR_WORKLOAD_INT
        INT_BACK based_int_n
        WORKLOAD_END based_int_n, 0, based_int_n.back, gate_landing=based_int_n.landing, gate_vector=VECTOR_WORKLOAD_INT, flags=WORKLOAD_BASED

        WORKLOAD_BEGIN based_ud
        BEGIN_BASED based_ud
        BRANCH  JMP, based_ud.jumped, jmp based_ud.jumped
        ud2
based_ud.jumped:
        CROSS   EXCEPTION, based_ud.back, 0, ud2
        .code64
        .popsection
        BACK_IN_KERNEL based_ud
        WORKLOAD_END based_ud, gate_landing=based_ud.back, gate_vector=VECTOR_UD, flags=WORKLOAD_BASED
