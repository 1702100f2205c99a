/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints CPUID, with a hypervisor's leaves. Then, for registers other than those of tracing and for two that a
 * hypervisor may not lend, what RDMSR reads and whether WRMSR of the same or another value is refused.
 */
#include "guest.h"
#include "hand_over.h"

#define GENERAL_PROTECTION 13
#define REFUSED            0xbad

        .bss
        .balign 4
refused: .skip 4

        .text
/* The instruction is RDMSR or WRMSR, of two bytes; there is an error code. */
fault:
        movl $REFUSED, refused
        add $4, %esp
        addl $2, (%esp)
        iret

        .macro try instruction, name
        movl $0, refused
        \instruction
        push %eax
        mov refused, %eax
        print \name
        pop %eax
        .endm

        /* Prints whether reading is refused, both halves, whether rewriting, and writing is. */
        .macro look msr, name, bits
        mov $\msr, %ecx
        xor %eax, %eax
        xor %edx, %edx
        try rdmsr, \name\()_read
        print \name
        xchg %eax, %edx
        print \name\()_upper
        xchg %eax, %edx
        try wrmsr, \name\()_rewrite
        xor $\bits, %eax
        try wrmsr, \name\()_write
        try rdmsr, \name\()_read_again
        print \name\()_again
        .endm

guest_main:
        set_gate GENERAL_PROTECTION, fault
        call hand_over
        mov $7, %eax
        xor %ecx, %ecx
        cpuid
        mov %edx, %eax
        print leaf_7
        mov $7, %eax
        mov $1, %ecx
        cpuid
        print leaf_7_1
        .irp leaf, 0, 0xa, 0x1a, 0x1c, 0x23
        mov $\leaf, %eax
        xor %ecx, %ecx
        cpuid
        print leaf_\leaf
        .endr
        mov $1, %eax
        cpuid
        mov %ecx, %eax
        print leaf_1_ecx
        mov $0x40000000, %eax
        cpuid
        print hypervisor_leaf
        mov %ebx, %eax
        print hypervisor_ebx
        mov %ecx, %eax
        print hypervisor_ecx
        mov %edx, %eax
        print hypervisor_edx
        look 0x1b, apic_base, 0xc00
        look 0x34, smi_count, 1
        look 0xbd, xapic_disable_status, 1
        look 0x10a, arch_capabilities, 0
        look 0x198, perf_status, 0x100
        look 0x199, perf_ctl, 0x100
        look 0x19a, clock_modulation, 0x16
        look 0x1fc, power_ctl, 2
        look 0x1d9, debugctl, 0x40
        look 0x600, ds_area, 0x1000
        ret
