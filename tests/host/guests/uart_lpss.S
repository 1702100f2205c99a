/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The UART of the low-power subsystem: found by its number on bus 0, woken, taken out of reset; a line at
 * each of some divisors and clocks, of which those that fit come out as they were sent.
 */
#include "guest.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define UART_ID        0x9d278086
#define COMMAND        0x04
#define CLASS          0x08
#define BAR            0x10
#define PMCSR          0x84
#define MEMORY_ENABLE  2

#define STRIDE   4
#define LCR      (3 * STRIDE)
#define LSR      (5 * STRIDE)
#define SCRATCH  (7 * STRIDE)
#define DLAB     0x80
#define EIGHT_N1 3
#define CLOCK    0x200
#define RESETS   0x204
#define RELEASED 7

#define CLOCK_1_8432_MHZ (0x80000001 | 3125 << 16 | 48 << 1)
#define NOT_IN_EFFECT    (0x00000001 | 1 << 16 | 1 << 1) /* no update bit */
#define NO_CLOCK         (0x80000000 | 3125 << 16 | 48 << 1)

        .bss
        .balign 4
place:  .skip 4                         /* the function's configuration address */

        .text
        /* EAX: the register of the function's configuration space. */
        .macro read_config register
        mov place, %eax
        or $\register, %eax
        mov $CONFIG_ADDRESS, %edx
        out %eax, %dx
        mov $CONFIG_DATA, %edx
        in %dx, %eax
        .endm

        .macro write_config register, value
        mov place, %eax
        or $\register, %eax
        mov $CONFIG_ADDRESS, %edx
        out %eax, %dx
        mov $\value, %eax
        mov $CONFIG_DATA, %edx
        out %eax, %dx
        .endm

        .macro print_register register, name
        mov \register(%edi), %eax
        print \name
        .endm

        .macro send divisor, text
        movl $DLAB, LCR(%edi)
        movl $\divisor, 0(%edi)
        movl $0, STRIDE(%edi)
        movl $EIGHT_N1, LCR(%edi)
        .section .rodata
888:    .asciz "\text\n"
        .text
        mov $888b, %esi
1:      movzbl (%esi), %eax
        inc %esi
        test %al, %al
        jz 2f
        mov %eax, (%edi)
        jmp 1b
2:
        .endm

find:
        movl $0x80000000, place
1:      read_config 0
        cmp $UART_ID, %eax
        je 2f
        addl $0x800, place
        cmpl $0x80010000, place
        jb 1b
2:      ret

guest_main:
        call find
        mov place, %eax
        print place
        read_config CLASS
        print class
        read_config PMCSR
        print power
        read_config BAR
        and $~15, %eax
        mov %eax, %edi
        write_config COMMAND, MEMORY_ENABLE
        movl $RELEASED, RESETS(%edi)
        print_register RESETS, resets_asleep
        write_config PMCSR, 0
        print_register RESETS, resets
        movl $0x35, SCRATCH(%edi)
        print_register SCRATCH, scratch_in_reset
        movl $RELEASED, RESETS(%edi)
        movl $0x35, SCRATCH(%edi)
        print_register SCRATCH, scratch
        print_register LSR, lsr
        print_register CLOCK, clock
        xor %eax, %eax
        movb SCRATCH(%edi), %al
        print byte
        movb $0xca, SCRATCH(%edi)
        print_register SCRATCH, scratch_again
        send 5, "firmware's clock, divided by 5"
        send 1, "firmware's clock, divided by 1"
        movl $CLOCK_1_8432_MHZ, CLOCK(%edi)
        send 1, "1.8432 MHz, divided by 1"
        movl $NOT_IN_EFFECT, CLOCK(%edi)
        send 1, "as before"
        movl $NO_CLOCK, CLOCK(%edi)
        send 1, "no clock"
        movl $CLOCK_1_8432_MHZ, CLOCK(%edi)
        print_register LCR, lcr
        movl $0, RESETS(%edi)
        movl $RELEASED, RESETS(%edi)
        print_register LCR, lcr_after_reset
        ret
