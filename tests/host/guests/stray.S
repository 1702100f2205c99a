/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many unrequested interrupts come in half a second each: while the machine is still the
 * firmware's, in protected mode after the hand-over, and in long mode.
 */
#include "guest.h"
#include "hand_over.h"

#define APIC     0xfee00000
#define APIC_EOI (APIC + 0x0b0)
#define APIC_SVR (APIC + 0x0f0)

#define NMI_VECTOR   2
#define PIC_SPURIOUS 0x0f /* where firmware leaves the 8259 */
#define VECTOR       0x51

#define LONG_SELECTOR 0x18

        .bss
        .balign 4
nmis:     .skip 4
spurious: .skip 4
vectors:  .skip 4

        .text
nmi_protected:
        incl nmis
        iret

pic_protected:
        incl spurious
        iret

vector_protected:
        incl vectors
        movl $0, APIC_EOI
        iret

        /* Addresses are 32 bits wide, and go through a register. */
        .macro add_one counter
        push %rax
        mov $\counter, %eax
        incl (%rax)
        .endm

        .code64
nmi_long:
        add_one nmis
        pop %rax
        iretq

pic_long:
        add_one spurious
        pop %rax
        iretq

vector_long:
        add_one vectors
        mov $APIC_EOI, %eax
        movl $0, (%rax)
        pop %rax
        iretq
        .code32

        .section .rodata
        .balign 8
long_segments:
        .quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff, 0x00af9a000000ffff
long_segments_register:
        .word . - long_segments - 1
        .long long_segments
long_descriptors_register:
        .word 256 * 16 - 1
        .long long_descriptors

        .bss
        .balign 16
long_descriptors:
        .skip 256 * 16

        .text
        .macro set_long_gate vector, handler
        mov $\handler, %eax
        mov %ax, long_descriptors + 16 * \vector
        movw $LONG_SELECTOR, long_descriptors + 16 * \vector + 2
        movw $0x8e00, long_descriptors + 16 * \vector + 4
        shr $16, %eax
        mov %ax, long_descriptors + 16 * \vector + 6
        .endm

        .macro measure name
        movl $0, nmis
        movl $0, spurious
        movl $0, vectors
        sti
        wait TICKS_A_SECOND / 2
        cli
        mov nmis, %eax
        print nmis_\name
        mov spurious, %eax
        print pic_\name
        mov vectors, %eax
        print vectors_\name
        .endm

guest_main:
        set_gate NMI_VECTOR, nmi_protected
        set_gate PIC_SPURIOUS, pic_protected
        set_gate VECTOR, vector_protected
        set_long_gate NMI_VECTOR, nmi_long
        set_long_gate PIC_SPURIOUS, pic_long
        set_long_gate VECTOR, vector_long
        call mask_8259s
        movl $0x1ff, APIC_SVR
        measure before
        call hand_over
        measure protected
        lgdt long_segments_register
        call enter_long_mode
        lidt long_descriptors_register
        measure long
        ret
