/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An SMI that the board raises is no command, whatever the port of commands holds. SeaBIOS's handler reads
 * only that port: it would find the firmware's last command there, and with ECX one of that command's two
 * functions it would jump elsewhere.
 */
#include "guest.h"
#include "hand_over.h"

#define MSR_SMI_COUNT 0x34
#define SMI_COMMAND   0xb2
#define CALL_32_BITS  0xb5 /* SeaBIOS's, */
#define ENTER         0x1234
#define RETURN        0x5678

#define ENOUGH 5 /* SMIs */

        .text
/* Runs with the function in ECX, which RDMSR needs for itself, until SMIs have come. */
        .macro meet function
        read_msr MSR_SMI_COUNT
        mov %eax, %esi
1:      mov $\function, %ecx
        mov $10000000, %eax
2:      dec %eax
        jnz 2b
        read_msr MSR_SMI_COUNT
        sub %esi, %eax
        cmp $ENOUGH, %eax
        jb 1b
        .endm

guest_main:
        xor %ecx, %ecx                  /* neither function: this SMI does nothing */
        mov $CALL_32_BITS, %al
        out %al, $SMI_COMMAND
        call hand_over
        meet ENTER
        print entered
        meet RETURN
        print returned
        ret
