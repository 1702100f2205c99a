/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches at the boundaries of pages and of canonical addresses: an instruction that lies across, one that
 * ends with the last byte, a target that is the first byte.
 */
#include "tests/workloads/kinds/one_kind.h"

        LIST_BEGIN page_boundaries

.macro KIND_page_boundary name
        BRANCH  JMP, \name\().across, jmp \name\().across
        OUT_OF_LINE
        .balign 4096
        .skip   4096 - 2, 0xcc
\name\().across:                        # five bytes, two of them before the boundary
        BRANCH  JMP, \name\().last, jmp \name\().last
        .skip   4096 - 3 - 2, 0xcc
\name\().last:                          # two bytes, the page's last
        BRANCH  JMP, \name\().first, jmp \name\().first
\name\().first:
        BRANCH  JMP, \name\().after, jmp \name\().after
        IN_LINE
\name\().after:
.endm

.macro KIND_call_at_page_end name
        BRANCH  JMP, \name\().last, jmp \name\().last
        OUT_OF_LINE
        .balign 4096
        .skip   4096 - 5, 0xcc
\name\().last:                          # returns to the next page's first byte
        BRANCH  CALL, \name\().callee, call \name\().callee
\name\().first:
        jmp     \name\().after
\name\().callee:
        BRANCH  RET, \name\().first, ret
        TRUTH   JMP, \name\().first, \name\().after, truth_ring
        IN_LINE
\name\().after:
.endm

        IN_KERNEL page_boundary
        IN_USER page_boundary
        IN_KERNEL call_at_page_end
        IN_USER call_at_page_end

        LIST_END page_boundaries

        .pushsection .rodata, 2
        .balign 8
        .globl  canonical_boundaries, canonical_boundaries_end
canonical_boundaries:
        .quad   workload_user_last_canonical, workload_kernel_first_canonical
        .quad   workload_user_last_canonical_int_n, workload_kernel_first_canonical_int_n
        .quad   workload_user_last_canonical_ud, workload_kernel_first_canonical_ud
canonical_boundaries_end:
        .globl  past_canonical, past_canonical_end
past_canonical:
        .quad   workload_user_past_canonical
past_canonical_end:
        .popsection

        .globl  last_low_page, first_high_page

        .set    low.start, LAST_LOW_PAGE
        .set    low.middle, LAST_LOW_PAGE + 4096 - 2 - 64
        .set    low.end, LAST_LOW_PAGE + 4096 - 2
        .set    low.ud, LAST_LOW_PAGE + 2
        .set    low.int_n, LAST_LOW_PAGE + 4
        .set    low.after_int_n, LAST_LOW_PAGE + 6
        .set    high.start, FIRST_HIGH_PAGE
        .set    high.ud, FIRST_HIGH_PAGE + 2
        .set    high.int_n, FIRST_HIGH_PAGE + 4
        .set    high.middle, FIRST_HIGH_PAGE + 64
        .set    high.out, FIRST_HIGH_PAGE + 64 + 7

        WORKLOAD_BEGIN user_last_canonical
        BEGIN_RING3 user_last_canonical
        movabs  $low.end, %rax
        BRANCH  JMP_INDIRECT, low.end, jmp *%rax
        .subsection 1
        .balign 4096
last_low_page:
        syscall
        ud2
        int     $VECTOR_WORKLOAD_INT
        syscall
        .skip   4096 - 2 - 64 - (. - last_low_page), 0xcc
last_low_page.middle:
        jmp     last_low_page
        .skip   64 - (. - last_low_page.middle), 0xcc
        jmp     last_low_page.middle    # ends with the last canonical byte
        .subsection 0
        TRUTH   JMP, low.end, low.middle, 3
        TRUTH   JMP, low.middle, low.start, 3
        TRUTH   SYSCALL, low.start, user_last_canonical.back, 0
        END_RING3
        BACK_IN_KERNEL user_last_canonical
        WORKLOAD_END user_last_canonical, user_last_canonical.back, flags=WORKLOAD_MAPPED

        /* One byte goes by, and no instruction can be fetched after it: #GP, from the first address that is
           not canonical. */
        .globl  past_low_page
        .set    past.last, LAST_LOW_PAGE + 4096 - 1
        .set    past.fault, LAST_LOW_PAGE + 4096

        WORKLOAD_BEGIN user_past_canonical
        BEGIN_RING3 user_past_canonical
        movabs  $past.last, %rax
        BRANCH  JMP_INDIRECT, past.last, jmp *%rax
        .subsection 1
        .balign 4096
past_low_page:
        .skip   4096 - 1, 0xcc
        nop
        .subsection 0
        TRUTH   EXCEPTION, past.fault, user_past_canonical.back, 0
        END_RING3
        BACK_IN_KERNEL user_past_canonical
        WORKLOAD_END user_past_canonical, gate_landing=user_past_canonical.back, gate_vector=VECTOR_GP, flags=WORKLOAD_MAPPED

        WORKLOAD_BEGIN kernel_first_canonical
        movabs  $high.start, %rax
        BRANCH  JMP_INDIRECT, high.start, jmp *%rax
        OUT_OF_LINE
        .balign 4096
first_high_page:                        # the first canonical byte of the upper half
        jmp     first_high_page.middle
        ud2
        int     $VECTOR_WORKLOAD_INT
        .skip   64 - (. - first_high_page), 0xcc
first_high_page.middle:
        mov     $kernel_first_canonical.after, %rax
first_high_page.out:
        jmp     *%rax
        .balign 4096
        IN_LINE
        TRUTH   JMP, high.start, high.middle, 0
        TRUTH   JMP_INDIRECT, high.out, kernel_first_canonical.after, 0
kernel_first_canonical.after:
        WORKLOAD_RET
        WORKLOAD_END kernel_first_canonical, flags=WORKLOAD_MAPPED

        /* Events there. */
        WORKLOAD_BEGIN user_last_canonical_int_n
        BEGIN_RING3 user_last_canonical_int_n
        movabs  $low.int_n, %rax
        BRANCH  JMP_INDIRECT, low.int_n, jmp *%rax
        END_RING3
        TRUTH   INT, low.int_n, user_last_canonical_int_n.landing, 0, low.after_int_n
user_last_canonical_int_n.landing:
        CROSS   IRET, low.after_int_n, 3, iretq
        TRUTH   SYSCALL, low.after_int_n, user_last_canonical_int_n.back, 0
        BACK_IN_KERNEL user_last_canonical_int_n
        WORKLOAD_END user_last_canonical_int_n, user_last_canonical_int_n.back, gate_landing=user_last_canonical_int_n.landing, gate_vector=VECTOR_WORKLOAD_INT, flags=WORKLOAD_MAPPED

        WORKLOAD_BEGIN user_last_canonical_ud
        BEGIN_RING3 user_last_canonical_ud
        movabs  $low.ud, %rax
        BRANCH  JMP_INDIRECT, low.ud, jmp *%rax
        END_RING3
        TRUTH   EXCEPTION, low.ud, user_last_canonical_ud.back, 0
        BACK_IN_KERNEL user_last_canonical_ud
        WORKLOAD_END user_last_canonical_ud, gate_landing=user_last_canonical_ud.back, gate_vector=VECTOR_UD, flags=WORKLOAD_MAPPED

.macro KERNEL_EVENT_ABOVE name, kind, vector, from_next
        WORKLOAD_BEGIN kernel_first_canonical_\name
        mov     %rsp, %r15
        movabs  $high.\name, %rax
        BRANCH  JMP_INDIRECT, high.\name, jmp *%rax
        TRUTH   \kind, high.\name, kernel_first_canonical_\name\().back, 0, \from_next
        BACK_IN_KERNEL kernel_first_canonical_\name
        WORKLOAD_END kernel_first_canonical_\name, gate_landing=kernel_first_canonical_\name\().back, gate_vector=\vector, flags=WORKLOAD_MAPPED
.endm

        KERNEL_EVENT_ABOVE int_n, INT, VECTOR_WORKLOAD_INT, high.int_n + 2
        KERNEL_EVENT_ABOVE ud, EXCEPTION, VECTOR_UD, 0
