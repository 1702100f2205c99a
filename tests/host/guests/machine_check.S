/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the lab for a machine check and is in system-management mode nearly all of the time, where a
 * machine check would shut the processor down: each write to the port is one SMI to the firmware.
 */
#include "guest.h"

#define SMI_PORT            0xb2
#define NO_COMMAND          0
#define CR4_MCE             0x40
#define MACHINE_CHECK       18
#define SMIS_AT_MOST        2000000

        .section .rodata
request:
        .asciz "# lab: machine-check?\n"

        .text
machine_check:
        mov %ebp, %eax
        print smis_to_go
        xor %eax, %eax
        mov $DEBUG_EXIT, %edx
        out %al, %dx

guest_main:
        set_gate MACHINE_CHECK, machine_check
        mov %cr4, %eax
        or $CR4_MCE, %eax
        mov %eax, %cr4
        mov $request, %esi
        call put_string
        mov $SMIS_AT_MOST, %ebp
1:      mov $NO_COMMAND, %al
        mov $SMI_PORT, %edx
        out %al, %dx
        dec %ebp
        jnz 1b
        mov $-1, %eax
        print none_came
        ret
