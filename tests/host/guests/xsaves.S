/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * XSAVES and XRSTORS with the x87, SSE, AVX and architectural-LBR states: CPUID, the header, where
 * each state lies, whether all come back; what is refused. And IA32_LBR_CTL over a #DB.
 */
#include "guest.h"

#define INVALID_OPCODE     6
#define GENERAL_PROTECTION 13
#define DEBUG_EXCEPTION    1

#define IA32_LBR_CTL       0x14ce
#define IA32_LBR_DEPTH     0x14cf
#define IA32_LBR_0_FROM_IP 0x1500
#define IA32_LBR_0_TO_IP   0x1600
#define IA32_LBR_0_INFO    0x1200
#define IA32_XSS           0xda0
#define ALL                0x7f0007
#define STOPPED            0x7f0006

#define CR4_OSXSAVE 0x40000

#define AVX_OFFSET  576
#define LBR_OFFSET  (576 + 256)

        .bss
        .balign 64
area:   .skip 4096
refused: .skip 4
debugged: .skip 4
loaded: .skip 32

        .section .rodata
        .balign 32
pattern:
        .long 1, 2, 3, 4, 5, 6, 7, 8

        .text
/* Both skip an instruction of seven bytes. */
refuse_with_code:
        add $4, %esp
refuse:
        incl refused
        addl $7, (%esp)
        iret

debug:
        push %eax
        push %ecx
        push %edx
        read_msr IA32_LBR_CTL
        mov %eax, debugged
        pop %edx
        pop %ecx
        pop %eax
        iret

        .macro all_states
        mov $-1, %eax
        mov $-1, %edx
        .endm

        .macro leaf number, sub
        mov $\number, %eax
        mov $\sub, %ecx
        cpuid
        .endm

        .macro show name
        mov refused, %eax
        movl $0, refused
        print \name
        .endm

        /* XOR of the entry registers of a file with every third field of the image. */
        .macro differ file, field, name
        mov $\file, %ecx
        mov $area + LBR_OFFSET + 40 + 8 * \field, %esi
        xor %ebp, %ebp
1:      rdmsr
        xor (%esi), %eax
        xor 4(%esi), %edx
        or %eax, %ebp
        or %edx, %ebp
        add $24, %esi
        inc %ecx
        cmp $\file + 32, %ecx
        jb 1b
        mov %ebp, %eax
        print \name
        .endm

guest_main:
        set_gate INVALID_OPCODE, refuse
        set_gate GENERAL_PROTECTION, refuse_with_code
        set_gate DEBUG_EXCEPTION, debug
        leaf 0xd, 1
        and $0xa, %eax
        print xsavec_xsaves
        mov %ecx, %eax
        print supervisor
        leaf 0xd, 15
        print size
        mov %ebx, %eax
        print offset
        mov %ecx, %eax
        print kind

        /* Not enabled by CR4 yet. */
        all_states
        xsaves area                     /* seven bytes */
        show refused_by_cr4
        mov %cr4, %eax
        or $CR4_OSXSAVE | 0x600, %eax
        mov %eax, %cr4
        mov %cr0, %eax
        and $~0xc, %eax
        mov %eax, %cr0
        xor %ecx, %ecx
        mov $7, %eax
        xor %edx, %edx
        xsetbv
        write_msr IA32_XSS, 0x8000
        leaf 0xd, 1
        mov %ebx, %eax
        print enabled_size
        all_states
        xsaves area+8
        show refused_unaligned

        /* Something in each state; a few branches. */
        fninit
        fld1
        vmovdqu pattern, %ymm1
        write_msr IA32_LBR_DEPTH, 32
        write_msr IA32_LBR_CTL, ALL
        jmp 1f
1:      call 2f
2:      pop %eax
        write_msr IA32_LBR_CTL, STOPPED
        all_states
        xsaves area
        show refused_saving
        mov area + 512, %eax
        print state_bv
        mov area + 520, %eax
        print comp_bv
        mov area + 524, %eax
        print comp_bv_upper
        mov area + LBR_OFFSET, %eax
        print control
        mov area + LBR_OFFSET + 8, %eax
        print depth
        mov area + AVX_OFFSET + 16 + 12, %eax
        print upper_half
        mov area + LBR_OFFSET + 40, %eax
        sub $1b, %eax
        print newest_from
        differ IA32_LBR_0_FROM_IP, 0, from_differs
        differ IA32_LBR_0_TO_IP, 1, to_differs
        differ IA32_LBR_0_INFO, 2, info_differs

        /* All of it goes, and comes back. */
        fninit
        vpxor %ymm1, %ymm1, %ymm1
        write_msr IA32_LBR_CTL, 0
        write_msr IA32_LBR_DEPTH, 32
        read_msr IA32_LBR_0_FROM_IP
        print cleared
        all_states
        xrstors area
        show refused_loading
        differ IA32_LBR_0_FROM_IP, 0, from_back
        differ IA32_LBR_0_INFO, 2, info_back
        read_msr IA32_LBR_CTL
        print control_back
        vmovdqu %ymm1, loaded
        mov loaded + 28, %eax
        print upper_half_back
        fistpl loaded
        mov loaded, %eax
        print one

        /* A state that is not in the area becomes initial; an invalid format is refused. */
        andl $~0x8000, area + 512
        all_states
        xrstors area
        read_msr IA32_LBR_CTL
        print control_initial
        andl $0x7fffffff, area + 524
        all_states
        xrstors area
        show refused_standard

        /* INT1: LBREn goes, the entries stay. */
        write_msr IA32_LBR_DEPTH, 32
        write_msr IA32_LBR_CTL, ALL
        jmp 3f
3:      .byte 0xf1
        mov debugged, %eax
        print control_in_handler
        read_msr IA32_LBR_0_TO_IP
        sub $3b, %eax
        print entry_kept
        ret
