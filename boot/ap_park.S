/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where another processor waits on a real board: a start-up message brings it here, in real-address
 * mode at CS = VV00H and IP = 0 of a copy of this (F10.34), the next INIT takes it away. It stands
 * still, but an SMI reaches it, which none does that waits for a start-up message (F10.13).
 *
 * Any number of them are here at once and stay while others come: each counts itself, and what else
 * they write, two constants and what an NMI pushes, is the same of each. INIT has masked every entry
 * of their local APICs (F10.31), and interrupts are off. An NMI that comes all the same finds our
 * vector and stack: at address 0 are the firmware's, or nothing. CR4.MCE is clear, as INIT has left
 * it (F10.30), and so a machine check that meets every processor shuts this one down. It would have
 * done so to one that waits for a start-up message, and ends the run anyway.
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
