/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches in a code segment whose base is not 0, as the LBR stack has them. */
#include "guest.h"

#define IA32_DEBUGCTL      0x1d9
#define MSR_LASTBRANCH_TOS 0x1c9
#define FROM_0             0x680
#define TO_0               0x6c0

#define BASE     0x10000
#define BASED    0x08 /* our own descriptors: code with the base, data, code without it */
#define DATA     0x10
#define FLAT     0x18

        .section .rodata
        .balign 8
own_segments:
        .quad 0, 0x00cf9a010000ffff, 0x00cf92000000ffff, 0x00cf9a000000ffff
own_register:
        .word . - own_segments - 1
        .long own_segments
        .text

        /* Entry number age, 0 the newest, of a row of registers. */
        .macro entry name, row, age
        read_msr MSR_LASTBRANCH_TOS
        sub $\age, %eax
        and $31, %eax
        lea \row(%eax), %ecx
        rdmsr
        print \name
        .endm

guest_main:
        lgdt own_register
        mov $DATA, %eax
        mov %eax, %ds
        mov %eax, %es
        mov %eax, %ss
        write_msr IA32_DEBUGCTL, 1
from_flat:
        ljmp $BASED, $(based - BASE)
based:
        jmp near
        nop
near:
        ljmp $FLAT, $flat
flat:
        write_msr IA32_DEBUGCTL, 0
        entry near_from, FROM_0, 1
        entry near_to, TO_0, 1
        entry far_from, FROM_0, 2
        entry far_to, TO_0, 2
        entry back_from, FROM_0, 0
        mov $from_flat, %eax
        print from_flat
        mov $based, %eax
        print based
        mov $near, %eax
        print near
        ret
