/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembly macros that emit an instruction and count it. There is a share for each ring (kernel,
 * user), for code that runs once and for code that runs in each iteration. COUNTED_AS adds to the
 * share that it names everything that was counted since the last COUNTED_AS.
 *
 *     COUNT   mov %rdi, %rcx
 *     BRANCH  jnz 1b
 *     COUNTED_AS kernel_once
 */
#ifndef TESTS_WORKLOADS_COUNTED_TRUTH_H
#define TESTS_WORKLOADS_COUNTED_TRUTH_H

.macro COUNT_CLEAR share
        .set    \share\()_instructions, 0
        .set    \share\()_branches, 0
.endm

.macro COUNT_START
        COUNT_CLEAR counted
        COUNT_CLEAR kernel_once
        COUNT_CLEAR kernel_each
        COUNT_CLEAR user_once
        COUNT_CLEAR user_each
.endm

.macro COUNT instruction:vararg
        \instruction
        .set    counted_instructions, counted_instructions + 1
.endm

.macro BRANCH instruction:vararg
        \instruction
        .set    counted_instructions, counted_instructions + 1
        .set    counted_branches, counted_branches + 1
.endm

.macro COUNTED_AS share
        .set    \share\()_instructions, \share\()_instructions + counted_instructions
        .set    \share\()_branches, \share\()_branches + counted_branches
        COUNT_CLEAR counted
.endm

.macro COUNTED_SHARE once, each
        .quad   \once\()_instructions, \once\()_branches
        .quad   \each\()_instructions, \each\()_branches
.endm

.macro COUNTED_WORKLOAD name, syscall_landing=0
        .pushsection .rodata, "a", @progbits
\name\().name:
        .asciz  "\name"
        .balign 8
        .globl  workload_\name
workload_\name:
        .quad   \name\().name, \name, \syscall_landing
        COUNTED_SHARE kernel_once, kernel_each
        COUNTED_SHARE user_once, user_each
        .popsection
        COUNT_START
.endm

#endif
