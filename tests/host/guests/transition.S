/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the LBR stack of Nehalem (16 entries at 680H and 6C0H, the top at 1C9H) says of the first two
 * branches after the clock has changed, or might have: 1 for a FROM that is the branch's own, 0 for
 * another; and the same with TO.
 */
#include "guest.h"
#include "hand_over.h"

#define IA32_PERF_CTL         0x199
#define IA32_CLOCK_MODULATION 0x19a
#define IA32_MISC_ENABLE      0x1a0
#define MSR_LASTBRANCH_TOS    0x1c9
#define IA32_DEBUGCTL         0x1d9
#define MSR_POWER_CTL         0x1fc
#define LBR_FROM              0x680
#define LBR_TO                0x6c0
#define DEPTH_MASK            15

#define LBR     1
#define EIST    0x10000
#define NO_TURBO 0x40 /* in the upper half */

#define APIC           0xfee00000
#define APIC_EOI       (APIC + 0x0b0)
#define APIC_SVR       (APIC + 0x0f0)
#define APIC_LVT_TIMER (APIC + 0x320)
#define APIC_FROM      (APIC + 0x380)
#define TIMER_VECTOR   0x41
#define SOON           1000000

#define TRIES 100000

        .bss
        .balign 4
top:    .skip 4
wrong:  .skip 4

        .text
timer:
        movl $0, APIC_EOI
        iret

        .macro record_branches on
        write_msr IA32_DEBUGCTL, \on
        .endm

        .macro remember_top
        read_msr MSR_LASTBRANCH_TOS
        mov %eax, top
        .endm

        /* EAX: 1 where the entry with this number (from 1) holds the address; EBX is lost. */
        .macro holds entry, stack, address
        mov top, %ecx
        add $\entry, %ecx
        and $DEPTH_MASK, %ecx
        add $\stack, %ecx
        rdmsr
        xor %ebx, %ebx
        cmp $\address, %eax
        sete %bl
        mov %ebx, %eax
        .endm

        /* The instructions are to make the clock change; two jumps follow. */
        .macro try name, instructions:vararg
        remember_top
        record_branches LBR
        \instructions
881:    jmp 883f
882:    jmp 884f
883:    jmp 882b
884:    record_branches 0
        holds 1, LBR_FROM, 881b
        print \name\()_from
        holds 1, LBR_TO, 883b
        print \name\()_to
        holds 2, LBR_FROM, 883b
        print \name\()_next
        .endm

        .macro change msr, low, high=0
        write_msr \msr, \low, \high
        .endm

/* The branch that the first entry holds is the interrupt's, from what follows HLT. */
        .macro try_halt name
        movl $SOON, APIC_FROM
        remember_top
        record_branches LBR
        sti
        hlt
881:    cli
        record_branches 0
        holds 1, LBR_FROM, 881b
        print \name\()_from
        holds 1, LBR_TO, timer
        print \name\()_to
        holds 2, LBR_TO, 881b
        print \name\()_iret
        .endm

        /* How often is FROM wrong at all? */
        .macro count name
        movl $0, wrong
        mov $TRIES, %ebp
885:    remember_top
        record_branches LBR
886:    jmp 887f
887:    record_branches 0
        holds 1, LBR_FROM, 886b
        xor $1, %eax
        add %eax, wrong
        dec %ebp
        jnz 885b
        mov wrong, %eax
        print \name
        .endm

guest_main:
        set_gate TIMER_VECTOR, timer
        call mask_8259s
        movl $0x1ff, APIC_SVR
        movl $TIMER_VECTOR, APIC_LVT_TIMER
        try none, nop
        try same, change IA32_PERF_CTL, 0x1800
        try other, change IA32_PERF_CTL, 0x1000
        try modulated, change IA32_CLOCK_MODULATION, 0x18
        try_halt halt
        write_msr MSR_POWER_CTL, 0
        try_halt halt_without_c1e
        read_msr IA32_MISC_ENABLE
        and $~EIST, %eax
        wrmsr
        try other_without_eist, change IA32_PERF_CTL, 0x800
        read_msr IA32_MISC_ENABLE
        or $EIST, %eax
        wrmsr
        count before
        call hand_over
        count by_itself
        read_msr IA32_MISC_ENABLE
        or $NO_TURBO, %edx
        wrmsr
        count without_turbo
        ret
