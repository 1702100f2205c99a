/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMIs as MSR_SMI_COUNT counts them on two processors, of which the second was never in SMM before:
 * while the machine is still the firmware's, and afterwards; the first one's while the second is in
 * INIT; whether HLT outlasts them.
 */
#include "guest.h"
#include "hand_over.h"

#define MSR_SMI_COUNT 0x34

#define APIC           0xfee00000
#define APIC_EOI       (APIC + 0x0b0)
#define APIC_SVR       (APIC + 0x0f0)
#define APIC_ICR_LOW   (APIC + 0x300)
#define APIC_LVT_TIMER (APIC + 0x320)
#define APIC_FROM      (APIC + 0x380)
#define APIC_DIVIDE    (APIC + 0x3e0)
#define INIT_OTHERS    0xc4500
#define START_OTHERS   0xc4608 /* at 8000H */

#define OTHER_CODE  0x8000
#define OTHER_COUNT 0x9000
#define OTHER_BEAT  0x9004 /* goes on with each count said */

#define TIMER_VECTOR 0x41
#define LONG_ENOUGH  100000000 /* of the APIC's timer: 0.1 seconds */

        .bss
        .balign 4
timed:  .skip 4
halts:  .skip 4

        .text
/* The second processor says its count for ever. */
        .code16
other:
        xor %ax, %ax
        mov %ax, %ds
        mov $MSR_SMI_COUNT, %ecx
1:      rdmsr
        mov %eax, OTHER_COUNT
        incw OTHER_BEAT
        jmp 1b
other_end:
        .code32

timer:
        incl timed
        movl $0, APIC_EOI
        iret

start_other:
        mov $other, %esi
        mov $OTHER_CODE, %edi
        mov $other_end - other, %ecx
        rep movsb
        movl $INIT_OTHERS, APIC_ICR_LOW
        wait TICKS_A_SECOND / 100
        movl $START_OTHERS, APIC_ICR_LOW
        ret

read_clock:                             /* EAX: the time-stamp counter in 1024s */
        rdtsc
        shrd $10, %edx, %eax
        ret

/*
 * EBP: what the second processor counts now. Between SMIs that follow each other it may have no time
 * to say its count, so that the word is old: two beats later it is not.
 */
read_other:
        mov $2, %ecx
1:      mov OTHER_BEAT, %ax
2:      pause
        cmp OTHER_BEAT, %ax
        je 2b
        loop 1b
        mov OTHER_COUNT, %ebp
        ret

/* The clock is read first and last, so that no SMI counts that came outside the time told. */
        .macro measure mine, clock, others
        call read_clock
        push %eax
        .ifnb \others
        call read_other
        .endif
        read_msr MSR_SMI_COUNT
        push %eax
        wait TICKS_A_SECOND / 2
        .ifnb \others
        sub OTHER_COUNT, %ebp
        neg %ebp
        .endif
        read_msr MSR_SMI_COUNT
        pop %ebx
        sub %ebx, %eax
        mov %eax, %ebx
        call read_clock
        pop %ecx
        sub %ecx, %eax
        print \clock
        mov %ebx, %eax
        print \mine
        .ifnb \others
        mov %ebp, %eax
        print \others
        .endif
        .endm

guest_main:
        set_gate TIMER_VECTOR, timer
        call mask_8259s
        movl $0, OTHER_COUNT
        call start_other
        measure mine_before, clock_before, others_before
        call hand_over
        measure mine, clock, others
        movl $INIT_OTHERS, APIC_ICR_LOW
        measure mine_in_init, clock_in_init

        /* How often does HLT end before the timer's interrupt has come? */
        movl $0x1ff, APIC_SVR
        movl $TIMER_VECTOR, APIC_LVT_TIMER
        movl $0xb, APIC_DIVIDE
        movl $LONG_ENOUGH, APIC_FROM
1:      sti
        hlt
        cli
        incl halts
        cmpl $0, timed
        je 1b
        mov halts, %eax
        print halts
        ret
