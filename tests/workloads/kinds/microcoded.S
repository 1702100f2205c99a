/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that microcode does, or that a hypervisor intercepts, between jumps. None of them is a
 * branch, whatever is done for it behind the scenes. A list.
 */
#include "tests/workloads/kinds/one_kind.h"
#include "tests/workloads/kinds/microcoded.h"

#define TIMES 3

.macro COUNT instruction:vararg
        \instruction
.endm

        LIST_BEGIN microcoded

/* Emulators may lose the trap of TF after PAUSE; the NOP's trap shows the stepper where it is. */
.macro ONE_BEFORE_A_JUMP do
        \do
        nop
        BRANCH  JMP, .Lbehind\@, jmp .Lbehind\@
        ud2
.Lbehind\@:
.endm

.macro SEVERAL do
        .rept   TIMES
        ONE_BEFORE_A_JUMP \do
        .endr
.endm

.macro DO_wbinvd
        wbinvd
.endm

        .irp    group, cpuid, rdmsr, rdtsc, in_out, mov_cr, invlpg, pause
        KERNEL_WORKLOAD \group, SEVERAL DO_\group
        .endr
        KERNEL_WORKLOAD wbinvd, ONE_BEFORE_A_JUMP DO_wbinvd # may take milliseconds
        .irp    group, cpuid, rdtsc, pause
        USER_WORKLOAD \group, SEVERAL DO_\group
        .endr

        LIST_END microcoded
