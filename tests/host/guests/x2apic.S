/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the other processors by messages of x2APIC mode, in which the firmware has left them: each
 * says its APIC id, the mode in which INIT has left it, and the upper half of its TSC.
 */
#include "guest.h"
#include "hand_over.h"

#define X2APIC_ICR    0x830
#define INIT_OTHERS   0xc4500
#define START_OTHERS  0xc4608 /* at 8000H */
#define OTHER_CODE    0x8000
#define OTHERS        0x9000 /* how many have come, then a word for each; then: */
#define MODES         0x9800
#define TSCS          0xa000
#define IA32_APIC_ID  0x802

        .text
        .code16
other:
        xor %ax, %ax
        mov %ax, %ds
        mov $IA32_APIC_BASE, %ecx
        rdmsr
        mov %eax, %edi
        rdtsc
        mov %edx, %esi
        mov $IA32_APIC_ID, %ecx
        rdmsr
        mov $1, %bx
        lock xadd %bx, OTHERS
        shl $2, %bx
        mov %eax, OTHERS + 4(%bx)
        mov %edi, MODES(%bx)
        mov %esi, TSCS(%bx)
1:      hlt
        jmp 1b
other_end:
        .code32

guest_main:
        call mask_8259s
        call hand_over
        movl $0, OTHERS
        mov $other, %esi
        mov $OTHER_CODE, %edi
        mov $other_end - other, %ecx
        rep movsb
        write_msr X2APIC_ICR, INIT_OTHERS
        wait TICKS_A_SECOND / 100
        write_msr X2APIC_ICR, START_OTHERS
1:      mov OTHERS, %ebp                /* until no more of them come */
        await_change OTHERS, TICKS_A_SECOND
        cmp OTHERS, %ebp
        jne 1b
        mov OTHERS, %eax
        print others
        rdtsc
        mov %edx, %eax
        print own_tsc
        xor %ebp, %ebp
1:      cmp OTHERS, %ebp
        jae 2f
        mov OTHERS + 4(,%ebp,4), %eax
        print id
        mov MODES(,%ebp,4), %eax
        print mode
        mov TSCS(,%ebp,4), %eax
        print tsc
        inc %ebp
        jmp 1b
2:      ret
