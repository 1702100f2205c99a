/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that microcode executes or a hypervisor intercepts, each group with its setup. COUNT
 * precedes each instruction. RBX, RDI and R9 are kept.
 */
#ifndef TESTS_WORKLOADS_KINDS_MICROCODED_H
#define TESTS_WORKLOADS_KINDS_MICROCODED_H

#include "arch/cpu/ground/msr.h"

#define POST_PORT 0x80 /* a write is displayed, at most */
#define PORT_B    0x61 /* a read changes nothing */

.macro DO_cpuid
        COUNT   mov %rbx, %r8
        COUNT   xor %eax, %eax
        COUNT   cpuid
        COUNT   mov %r8, %rbx
.endm

# Writes IA32_PAT with the value that it has.
.macro DO_rdmsr
        COUNT   mov $IA32_PAT, %ecx
        COUNT   rdmsr
        COUNT   wrmsr
.endm

.macro DO_rdtsc
        COUNT   rdtsc
.endm

.macro DO_in_out
        COUNT   in $PORT_B, %al
        COUNT   out %al, $POST_PORT
.endm

.macro DO_mov_cr
        COUNT   mov %cr0, %rax
        COUNT   mov %rax, %cr0
        COUNT   mov %cr3, %rax
        COUNT   mov %rax, %cr3
        COUNT   mov %dr7, %rax
.endm

.macro DO_invlpg
        COUNT   invlpg (%rsp)
.endm

.macro DO_pause
        COUNT   pause
.endm

#endif
