/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros for workloads that run one kind of transfer and the way back, and for lists of them.
 *
 *     LIST_BEGIN name … LIST_END name     an array of pointers for C: name[] up to name_end[]
 *     IN_KERNEL kind, IN_USER kind        workloads kernel_kind and user_kind of the macro KIND_kind,
 *                                         which ends by falling out of the bottom
 *     KERNEL_WORKLOAD name, body          the same of any macro and its arguments
 *     USER_WORKLOAD name, body
 *
 * A file has one list. LISTED adds a workload that is written by hand with WORKLOAD_END.
 */
#ifndef TESTS_WORKLOADS_KINDS_ONE_KIND_H
#define TESTS_WORKLOADS_KINDS_ONE_KIND_H

#include "arch/cpu/traps/descriptors.h"
#include "tests/workloads/truth.h"

        .set    list_flags, 0           # flags that KERNEL_WORKLOAD and USER_WORKLOAD give

.macro LIST_BEGIN name
        .pushsection .rodata, 1
        .balign 8
        .globl  \name, \name\()_end
\name:
        .popsection
.endm

.macro LISTED name
        .pushsection .rodata, 1
        .quad   workload_\name
        .popsection
.endm

.macro LIST_END name
        .pushsection .rodata, 1
\name\()_end:
        .popsection
.endm

# The landing of SYSCALL, and of faults and traps that do not return.
.macro BACK_IN_KERNEL name
\name\().back:
        mov     %r15, %rsp
        sti
        WORKLOAD_RET
.endm

# Leaves for ring 3: code from here to END_RING3 runs there. code: its segment; bias: from a label to its offset there.
.macro BEGIN_RING3 name, code=$SELECTOR_USER_CODE, bias, flags=$USER_RFLAGS
        USER_FRAME $\name\().ring3\bias, \code, \flags
        CROSS   IRET, \name\().ring3, 3, iretq
        .pushsection .user.text, "ax", @progbits
\name\().ring3:
.endm

.macro END_RING3
        .popsection
.endm

# 32-bit code in ring 3.
.macro BEGIN_COMPAT name, code=$SELECTOR_USER_CODE32, bias
        BEGIN_RING3 \name, \code, \bias
        .code32
.endm

# The ways back of both. SYSCALL does not exist in 32-bit code on Intel's processors.
.macro SYSCALL_BACK name
        CROSS   SYSCALL, \name\().back, 0, syscall
        END_RING3
        BACK_IN_KERNEL \name
.endm

.macro INT_BACK name
        SOFTWARE_INTERRUPT VECTOR_USER_INT, \name\().back
        .code64
        END_RING3
        BACK_IN_KERNEL \name
.endm

# From ring 3, in code of so many bits, into the kernel and back.
.macro TRAP_AND_IRET name, bits, kind, instruction:vararg
        TRAP    \kind, \name\().landing, \instruction
        .code64
        .pushsection .text
\name\().landing:
        CROSS   IRET, \name\().after, 3, iretq
        .popsection
        .code\bits
\name\().after:
.endm

# A list that names all its workloads here.
.macro LIST_OF name, workloads:vararg
        .pushsection .rodata, 3
        .balign 8
        .globl  \name, \name\()_end
\name:
        .quad   \workloads
\name\()_end:
        .popsection
.endm

/* The C preprocessor is done before the ring is known. */
        .set    ring1_code, SELECTOR_RING1_CODE
        .set    ring1_data, SELECTOR_RING1_DATA
        .set    ring2_code, SELECTOR_RING2_CODE
        .set    ring2_data, SELECTOR_RING2_DATA

# IRET to a ring on the stack that R15 keeps.
.macro INTO_RING ring, entry
        push    $ring\ring\()_data
        push    %r15
        push    $USER_RFLAGS
        push    $ring\ring\()_code
        push    $\entry
        CROSS   IRET, \entry, \ring, iretq
.endm

.macro KERNEL_WORKLOAD name, body:vararg
        WORKLOAD_BEGIN kernel_\name
        \body
        WORKLOAD_RET
        WORKLOAD_END kernel_\name, flags=list_flags
        LISTED  kernel_\name
.endm

.macro USER_WORKLOAD name, body:vararg
        WORKLOAD_BEGIN user_\name
        BEGIN_RING3 user_\name
        \body
        CROSS   SYSCALL, user_\name\().back, 0, syscall
        END_RING3
        BACK_IN_KERNEL user_\name
        WORKLOAD_END user_\name, user_\name\().back, flags=list_flags
        LISTED  user_\name
.endm

.macro IN_KERNEL kind
        KERNEL_WORKLOAD \kind, KIND_\kind kernel_\kind\().body
.endm

.macro IN_USER kind
        USER_WORKLOAD \kind, KIND_\kind user_\kind\().body
.endm

#endif
