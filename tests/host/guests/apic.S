/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IA32_APIC_BASE[11] cleared and set again: the local APIC starts anew, as after power-up, and
 * delivers the performance-monitoring interrupt as soon as its entry is programmed again.
 */
#include "guest.h"

#define APIC            0xfee00000
#define APIC_TPR        (APIC + 0x080)
#define APIC_EOI        (APIC + 0x0b0)
#define APIC_LDR        (APIC + 0x0d0)
#define APIC_DFR        (APIC + 0x0e0)
#define APIC_SVR        (APIC + 0x0f0)
#define APIC_IRR_64     (APIC + 0x220) /* vectors 40H to 5FH */
#define APIC_ICR_LOW    (APIC + 0x300)
#define APIC_ICR_HIGH   (APIC + 0x310)
#define APIC_LVT_TIMER  (APIC + 0x320)
#define APIC_LVT_PMC    (APIC + 0x340)
#define APIC_LVT_LINT0  (APIC + 0x350)
#define APIC_TIMER_FROM (APIC + 0x380)
#define APIC_DIVIDE     (APIC + 0x3e0)

#define PMI_VECTOR  0x41
#define IPI_VECTOR  0x42
#define BASE_OFF    0xfee00100 /* bootstrap processor */
#define BASE_ON     0xfee00900
#define SVR_ENABLED 0x1ff
#define TO_SELF     0x44000 /* ICR: shorthand self, asserted, fixed */
#define CPUID_APIC  0x200

        .macro print_register name, register
        mov \register, %eax
        print \name
        .endm

        .bss
        .balign 4
pmis:   .skip 4
ipis:   .skip 4

        .text
pmi:
        incl pmis
        movl $0, APIC_EOI
        iret

ipi:
        incl ipis
        movl $0, APIC_EOI
        iret

/* One overflow of PMC0, and time for its interrupt. */
overflow:
        write_msr IA32_PERF_GLOBAL_CTRL, 0
        write_msr IA32_PMC0, 0xfffffff0
        write_msr IA32_PERFEVTSEL0, 0x5300c0
        sti
        write_msr IA32_PERF_GLOBAL_CTRL, 1
        mov $1000, %ecx
1:      loop 1b
        cli
        write_msr IA32_PERF_GLOBAL_CTRL, 0
        write_msr IA32_PERF_STATUS_RESET, 1
        ret

print_feature:
        mov $1, %eax
        cpuid
        and $CPUID_APIC, %edx
        mov %edx, %eax
        print cpuid
        ret

program_apic:
        movl $SVR_ENABLED, APIC_SVR
        movl $PMI_VECTOR, APIC_LVT_PMC
        ret

guest_main:
        set_gate PMI_VECTOR, pmi
        set_gate IPI_VECTOR, ipi
        mov $0xff, %al /* no interrupt of the 8259s, which come through while the APIC is off */
        out %al, $0x21
        out %al, $0xa1
        call program_apic
        call overflow
        print_register pmis_before, pmis
        call print_feature

        /* Everything away from its power-up value, an interrupt pending. */
        movl $PMI_VECTOR, APIC_LVT_PMC
        movl $0x20, APIC_TPR
        movl $0x01000000, APIC_LDR
        movl $0x0fffffff, APIC_DFR
        movl $0x20050, APIC_LVT_TIMER
        movl $0x51, APIC_LVT_LINT0
        movl $0xb, APIC_DIVIDE
        movl $0x10000000, APIC_TIMER_FROM
        movl $0, APIC_ICR_HIGH
        movl $TO_SELF + IPI_VECTOR, APIC_ICR_LOW

        write_msr IA32_APIC_BASE, BASE_OFF
        call print_feature
        call overflow
        print_register pmis_off, pmis

        write_msr IA32_APIC_BASE, BASE_ON
        call print_feature
        read_msr IA32_APIC_BASE
        print base
        print_register svr, APIC_SVR
        print_register lvt_pmc, APIC_LVT_PMC
        print_register lvt_timer, APIC_LVT_TIMER
        print_register lvt_lint0, APIC_LVT_LINT0
        print_register tpr, APIC_TPR
        print_register ldr, APIC_LDR
        print_register dfr, APIC_DFR
        print_register irr, APIC_IRR_64
        print_register icr, APIC_ICR_LOW
        print_register divide, APIC_DIVIDE
        print_register timer_from, APIC_TIMER_FROM
        call overflow
        print_register pmis_unprogrammed, pmis

        call program_apic
        call overflow
        print_register pmis_again, pmis
        movl $TO_SELF + IPI_VECTOR, APIC_ICR_LOW
        sti
        nop
        cli
        print_register ipis, ipis

        /* The base written with bit 11 set as it is: nothing starts anew, what waits goes on. */
        movl $PMI_VECTOR, APIC_LVT_PMC
        movl $TO_SELF + IPI_VECTOR, APIC_ICR_LOW
        write_msr IA32_APIC_BASE, BASE_ON
        print_register svr_kept, APIC_SVR
        call overflow
        print_register pmis_kept, pmis
        print_register ipis_kept, ipis
        ret
