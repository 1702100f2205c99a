/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros that emit an instruction and its truth together, for a ring 3 program under Linux.
 *
 *     PLAIN     mov $1, %eax              an instruction that is no branch
 *     TAKEN     JMP, target, jmp target   a branch that is taken
 *     NOT_TAKEN jz somewhere              a branch that falls through: counted, not recorded
 *     REPEATED  2, again                  a LOOP to itself, taken 2 times if ECX was set to 3
 *
 * Each macro adds its rows to the section .truth in the order of the source, so write the code in
 * the order in which it runs. Write a callee right behind its call: first LEVEL with the callee's
 * level, then the callee, then LEVEL with the caller's level. LEVEL moves code; the rows stay in
 * order. The section is not loaded. A row of it has four values of 64 bits: from, to, kind, part.
 */
        .set    KIND_PLAIN, 0
        .set    KIND_NOT_TAKEN, 1
        .set    KIND_JMP, 2
        .set    KIND_JMP_INDIRECT, 3
        .set    KIND_JCC, 4
        .set    KIND_CALL, 5
        .set    KIND_CALL_INDIRECT, 6
        .set    KIND_RET, 7
        .set    KIND_SYSCALL, 8

        .set    PART_BEFORE, 0
        .set    PART_ROUND, 1
        .set    PART_AFTER, 2

/* The rows that follow belong to this part. PART_ROUND is the loop that the program repeats. */
.macro PART name
        .set    part, PART_\name
.endm

.macro ROW kind, from, to
        .pushsection .truth, "", @progbits
        .quad   \from, \to, KIND_\kind, part
        .popsection
.endm

/* An instruction that goes on to the next one. */
.macro STRAIGHT kind, instruction:vararg
.Lfrom\@:
        \instruction
.Lnext\@:
        ROW     \kind, .Lfrom\@, .Lnext\@
.endm

.macro PLAIN instruction:vararg
        STRAIGHT PLAIN, \instruction
.endm

.macro NOT_TAKEN instruction:vararg
        STRAIGHT NOT_TAKEN, \instruction
.endm

.macro TAKEN kind, to, instruction:vararg
.Lfrom\@:
        \instruction
        ROW     \kind, .Lfrom\@, \to
.endm

.macro REPEATED times, label
\label:
        .rept   \times
        ROW     JCC, \label, \label
        .endr
        NOT_TAKEN loop \label
.endm

/* Puts the code that follows behind all code of lower levels. The outermost code has level 0, a
 * callee a higher level than its caller. */
.macro LEVEL number
        .subsection \number
.endm
