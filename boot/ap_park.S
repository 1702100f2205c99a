/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parks another processor on a real board. A start-up message brings it here, in real-address mode
 * at CS = VV00H and IP = 0 of a copy of this code (F10.34); the next INIT takes it away. It halts,
 * but unlike a processor that waits for a start-up message it takes SMIs (F10.13).
 *
 * Several processors may be here at once. Each counts itself; all else that they write, two
 * constants and what an NMI pushes, is the same for each. INIT has masked every entry of their
 * local APICs (F10.31), and interrupts are off. NMIs get a vector and stack of ours, because
 * address 0 holds the firmware's vectors, or none. CR4.MCE is clear after INIT (F10.30), so a
 * machine check that reaches every processor shuts this one down. It would do the same to one that
 * waits for a start-up message, and ends the run anyway.
 */
#include "arch/cpu/smp/processors.h"

#define NMI_OFFSET (2 * 4) /* vector 2 of a table of four bytes each */

    .section .rodata, "a", @progbits
    .code16
    .balign 16
    .globl ap_park, ap_park_came, ap_park_end
ap_park:
    cli
    mov %cs, %ax
    mov %ax, %ds
    mov %ax, %ss
    mov $LOW_PARK_SIZE, %sp
    mov %ax, vectors + NMI_OFFSET + 2 - ap_park
    movzwl %ax, %eax
    shl $4, %eax
    add $(vectors - ap_park), %eax
    mov %eax, table + 2 - ap_park
    lidtw table - ap_park
    lock incl ap_park_came - ap_park
1:  hlt
    jmp 1b
return:
    iret

    .balign 4
vectors:
    .fill NMI_OFFSET
    .short return - ap_park, 0
table:
    .short table - vectors - 1
    .long 0
    .balign 4
ap_park_came:
    .long 0
ap_park_end:
