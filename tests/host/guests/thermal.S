/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thermal entry of two local APICs, which firmware may have to itself: before and after the
 * hand-over, after INIT, written anew by the second processor, and then by the first, which masks it
 * or, where it is alone, has another interrupt.
 */
#include "guest.h"
#include "hand_over.h"

#define APIC_LVT_THERMAL 0xfee00330
#define APIC_ICR_LOW     0xfee00300
#define X2APIC_THERMAL   0x833
#define INIT_OTHERS      0xc4500
#define START_OTHERS     0xc4608 /* at 8000H */
#define X2APIC_MODE      0xc00

#define OTHER_CODE  0x8000
#define OTHER_FOUND 0x9000
#define OTHER_KEPT  0x9004
#define OTHER_COUNT 0x9008

#define BY_SMI  0x200
#define BY_NMI  0x400
#define MASKED  0x10000

        .text
/* The second processor asks in x2APIC mode, which needs no address above 1 MiB; and runs on. */
        .code16
other:
        xor %ax, %ax
        mov %ax, %ds
        mov $IA32_APIC_BASE, %ecx
        rdmsr
        or $X2APIC_MODE, %eax
        wrmsr
        mov $X2APIC_THERMAL, %ecx
        rdmsr
        mov %eax, OTHER_FOUND
        mov $MASKED | BY_NMI, %eax
        xor %edx, %edx
        wrmsr
        rdmsr
        mov %eax, OTHER_KEPT
1:      incl OTHER_COUNT
        jmp 1b
other_end:
        .code32

start_other:
        mov $other, %esi
        mov $OTHER_CODE, %edi
        mov $other_end - other, %ecx
        rep movsb
        movl $0, OTHER_FOUND
        movl $0, OTHER_KEPT
        movl $0, OTHER_COUNT
        movl $INIT_OTHERS, APIC_ICR_LOW
        wait TICKS_A_SECOND / 100
        movl $START_OTHERS, APIC_ICR_LOW
        xor %ebp, %ebp
        await_change OTHER_COUNT, 4*TICKS_A_SECOND
        ret

        .macro print_entry name
        mov APIC_LVT_THERMAL, %eax
        print \name
        .endm

        .macro rewrite entry, name
        movl $\entry, APIC_LVT_THERMAL
        jmp 1f
1:      print_entry \name
        .endm

guest_main:
        call mask_8259s
        print_entry before
        call hand_over
        print_entry found
        call start_other
        mov OTHER_FOUND, %eax
        print others
        mov OTHER_KEPT, %eax
        print others_kept
        mov OTHER_COUNT, %ebp
        test %ebp, %ebp
        jz 1f                           /* there is none */
        await_change OTHER_COUNT, 4*TICKS_A_SECOND
1:      cmp OTHER_COUNT, %ebp
        setne %al
        movzx %al, %eax
        print others_run
        rewrite BY_SMI, kept
        cmpl $0, OTHER_COUNT
        je 2f
        rewrite MASKED | BY_SMI, masked
        ret
2:      rewrite BY_NMI, changed
        ret
