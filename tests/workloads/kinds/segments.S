/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring 3 code in segments that are not flat: 16-bit code, whose near branches wrap at 64 KiB; 32-bit code whose
 * linear addresses wrap at 4 GiB; a conforming segment, whose descriptor says ring 0 while CPL is 3.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_OF wrapping_transfers, workload_wrapping_16bit
        LIST_OF high_segment_transfers, workload_high_near, workload_high_int_n, workload_high_ud
        LIST_OF conforming_transfers, workload_conforming_near, workload_conforming_far, workload_conforming_int_n, workload_conforming_ud

/* --- 16-bit code: one page twice, as the first and as the last of its 64 KiB --- */

        .globl  wrapping_page
        .pushsection .user.text, "ax", @progbits
        .balign 4096
wrapping_page:
        .popsection

/* No spaces: these are arguments of macros. */
#define PAGE       4096
#define FIRST(l)   USER_CODE16_BASE+l-wrapping_page
#define LAST_IP(l) l-wrapping_page+0x10000-PAGE
#define LAST(l)    USER_CODE16_BASE+LAST_IP(l)

/* In the page's own addresses: from its last appearance on to the first, and back. */
#define ONWARD(l)   l+PAGE
#define BACKWARD(l) l-PAGE

.macro IN_PAGE label, offset
        .skip   \offset - (. - wrapping_page), 0xcc
\label:
.endm

        WORKLOAD_BEGIN wrapping_16bit
        USER_FRAME $LAST_IP(wrap.high), $SELECTOR_USER_CODE16
        CROSS   IRET, LAST(wrap.high), 3, iretq
        .pushsection .user.text, "ax", @progbits
        .code16
        IN_PAGE wrap.low, 0x10
        jmp     BACKWARD(wrap.high_again)
        IN_PAGE wrap.low_looping, 0x20
        loop    BACKWARD(wrap.high_looped)      # displacement of 8 bits, of the others 16
        IN_PAGE wrap.low_far, 0x200
        jmp     BACKWARD(wrap.high_far)
        IN_PAGE wrap.low_callee, 0x300
        ret
        IN_PAGE wrap.high_far, 0xc00
        call    ONWARD(wrap.low_callee)
wrap.high_called:
        mov     $2, %cx
wrap.high_jmp_on:
        jmp     ONWARD(wrap.low_looping)
        IN_PAGE wrap.high_again, 0xfc0
        xor     %ax, %ax
wrap.high_jz:
        jz      ONWARD(wrap.low_far)
        IN_PAGE wrap.high_looped, 0xfd0
        mov     $LAST_IP(wrap.high_indirect), %ax
wrap.high_jmp:
        jmp     *%ax
wrap.high_indirect:
        int     $VECTOR_USER_INT
wrap.after_int:
        IN_PAGE wrap.high, 0xff0
        jmp     ONWARD(wrap.low)
        .skip   PAGE - (. - wrapping_page), 0xcc
        .code64
        .popsection

        TRUTH   JMP, LAST(wrap.high), FIRST(wrap.low), 3
        TRUTH   JMP, FIRST(wrap.low), LAST(wrap.high_again), 3
        TRUTH   JCC, LAST(wrap.high_jz), FIRST(wrap.low_far), 3
        TRUTH   JMP, FIRST(wrap.low_far), LAST(wrap.high_far), 3
        TRUTH   CALL, LAST(wrap.high_far), FIRST(wrap.low_callee), 3
        TRUTH   RET, FIRST(wrap.low_callee), LAST(wrap.high_called), 3
        TRUTH   JMP, LAST(wrap.high_jmp_on), FIRST(wrap.low_looping), 3
        TRUTH   LOOP, FIRST(wrap.low_looping), LAST(wrap.high_looped), 3
        TRUTH   JMP_INDIRECT, LAST(wrap.high_jmp), LAST(wrap.high_indirect), 3
        TRUTH   INT, LAST(wrap.high_indirect), wrapping_16bit.back, 0, LAST(wrap.after_int)
        BACK_IN_KERNEL wrapping_16bit
        WORKLOAD_END wrapping_16bit, 0, wrapping_16bit.back, flags=WORKLOAD_MAPPED

/* --- 32-bit code whose segment ends far above 4 GiB --- */

#define HIGH_OFFSET(l) l+0x100000000-USER_CODE32_HIGH_BASE

.macro BEGIN_HIGH name
        BEGIN_COMPAT \name, $SELECTOR_USER_CODE32_HIGH, +0x100000000-USER_CODE32_HIGH_BASE
.endm

        WORKLOAD_BEGIN high_near
        BEGIN_HIGH high_near
        BRANCH  JMP, high_near.jumped, jmp high_near.jumped
        ud2
high_near.jumped:
        BRANCH  CALL, high_near.callee, call high_near.callee
        OUT_OF_LINE
high_near.callee:
        BRANCH  RET, high_near.called, ret
        IN_LINE
high_near.called:
        mov     $HIGH_OFFSET(high_near.indirect), %eax
        BRANCH  JMP_INDIRECT, high_near.indirect, jmp *%eax
        ud2
high_near.indirect:
        xor     %eax, %eax
        BRANCH  JCC, high_near.out, jz high_near.out
        ud2
high_near.out:
        BRANCH  FAR_JMP, high_near.flat, ljmpl $SELECTOR_USER_CODE32, $high_near.flat
        ud2
high_near.flat:
        BRANCH  FAR_JMP, high_near.again, ljmpl $SELECTOR_USER_CODE32_HIGH, $HIGH_OFFSET(high_near.again)
        ud2
high_near.again:
        INT_BACK high_near
        WORKLOAD_END high_near, 0, high_near.back, flags=WORKLOAD_BASED

        WORKLOAD_BEGIN high_int_n
        BEGIN_HIGH high_int_n
        TRAP_AND_IRET high_int_n, 32, INT, int $VECTOR_WORKLOAD_INT
        INT_BACK high_int_n
        WORKLOAD_END high_int_n, 0, high_int_n.back, gate_landing=high_int_n.landing, gate_vector=VECTOR_WORKLOAD_INT, flags=WORKLOAD_BASED

        WORKLOAD_BEGIN high_ud
        BEGIN_HIGH high_ud
        CROSS   EXCEPTION, high_ud.back, 0, ud2
        .code64
        END_RING3
        BACK_IN_KERNEL high_ud
        WORKLOAD_END high_ud, gate_landing=high_ud.back, gate_vector=VECTOR_UD, flags=WORKLOAD_BASED

/* --- conforming code: whoever comes keeps its CPL --- */

        WORKLOAD_BEGIN conforming_near
        BEGIN_RING3 conforming_near, $SELECTOR_CONFORMING
        BRANCH  JMP, conforming_near.jumped, jmp conforming_near.jumped
conforming_near.jumped:
        BRANCH  CALL, conforming_near.callee, call conforming_near.callee
        OUT_OF_LINE
conforming_near.callee:
        BRANCH  RET, conforming_near.called, ret
        IN_LINE
conforming_near.called:
        SYSCALL_BACK conforming_near
        WORKLOAD_END conforming_near, conforming_near.back

        # Out of the segment, into it, and inside it.
        WORKLOAD_BEGIN conforming_far
        BEGIN_RING3 conforming_far, $SELECTOR_CONFORMING
        BRANCH  FAR_JMP, conforming_far.plain, ljmpl *conforming_far.to_plain(%rip)
        .balign 8
conforming_far.to_plain:
        .long   conforming_far.plain
        .short  SELECTOR_USER_CODE
        .balign 8
conforming_far.to_conforming:
        .long   conforming_far.callee
        .short  SELECTOR_CONFORMING
        .balign 8
conforming_far.inside:
        .long   conforming_far.last
        .short  SELECTOR_CONFORMING
conforming_far.plain:
        BRANCH  FAR_CALL, conforming_far.callee, lcalll *conforming_far.to_conforming(%rip)
        OUT_OF_LINE
conforming_far.callee:
        BRANCH  FAR_RET, conforming_far.called, lretl
        IN_LINE
conforming_far.called:
        BRANCH  FAR_CALL, conforming_far.callee, lcalll *conforming_far.to_conforming(%rip)
        TRUTH   FAR_RET, conforming_far.callee, conforming_far.called_again, 3
conforming_far.called_again:
        mov     %rsp, %rax
        push    $SELECTOR_USER_DATA
        push    %rax
        pushf
        push    $SELECTOR_CONFORMING
        push    $conforming_far.returned
        BRANCH  IRET, conforming_far.returned, iretq
conforming_far.returned:
        BRANCH  FAR_JMP, conforming_far.last, ljmpl *conforming_far.inside(%rip)
conforming_far.last:
        SYSCALL_BACK conforming_far
        WORKLOAD_END conforming_far, conforming_far.back

        WORKLOAD_BEGIN conforming_int_n
        BEGIN_RING3 conforming_int_n, $SELECTOR_CONFORMING
        TRAP_AND_IRET conforming_int_n, 64, INT, int $VECTOR_WORKLOAD_INT
        SYSCALL_BACK conforming_int_n
        WORKLOAD_END conforming_int_n, conforming_int_n.back, gate_landing=conforming_int_n.landing, gate_vector=VECTOR_WORKLOAD_INT

        WORKLOAD_BEGIN conforming_ud
        BEGIN_RING3 conforming_ud, $SELECTOR_CONFORMING
        CROSS   EXCEPTION, conforming_ud.back, 0, ud2
        .popsection
        BACK_IN_KERNEL conforming_ud
        WORKLOAD_END conforming_ud, gate_landing=conforming_ud.back, gate_vector=VECTOR_UD
