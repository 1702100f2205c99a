/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same five instructions between the WRMSR that starts a counter of instructions and the one
 * that stops it: started by each register that can, alone or beside another counter, twice each.
 */
#include "guest.h"

#define INSTRUCTIONS 0x300c0 /* in all rings; IA32_PERFEVTSELx */
#define ENABLED      0x4300c0

        /* Counts with a counter at zero; EAX has the value that starts, EBX the one that stops. */
        .macro measure name, msr, counter
        write_msr \counter, 0
        mov $\msr, %ecx
        mov %esi, %eax
        xor %edx, %edx
        wrmsr
        nop
        nop
        nop
        nop
        mov %edi, %eax
        wrmsr
        read_msr \counter
        print \name
        .endm

guest_main:
        mov $2, %ebp
again:
        write_msr IA32_FIXED_CTR_CTRL, 0
        write_msr IA32_PERFEVTSEL1, ENABLED

        /* By IA32_PERF_GLOBAL_CTRL: nothing else counts, then PMC1 does. */
        write_msr IA32_PERFEVTSEL0, ENABLED
        write_msr IA32_PERF_GLOBAL_CTRL, 0
        mov $1, %esi
        mov $0, %edi
        measure global_alone, IA32_PERF_GLOBAL_CTRL, IA32_PMC0
        write_msr IA32_PERF_GLOBAL_CTRL, 2
        mov $3, %esi
        mov $2, %edi
        measure global_beside, IA32_PERF_GLOBAL_CTRL, IA32_PMC0

        /* By IA32_PERFEVTSEL0.EN. */
        write_msr IA32_PERFEVTSEL0, INSTRUCTIONS
        write_msr IA32_PERF_GLOBAL_CTRL, 1
        mov $ENABLED, %esi
        mov $INSTRUCTIONS, %edi
        measure select_alone, IA32_PERFEVTSEL0, IA32_PMC0
        write_msr IA32_PERF_GLOBAL_CTRL, 3
        measure select_beside, IA32_PERFEVTSEL0, IA32_PMC0

        /* By IA32_FIXED_CTR_CTRL. */
        write_msr IA32_PERFEVTSEL0, 0
        write_msr IA32_PERFEVTSEL1, 0
        write_msr IA32_PERF_GLOBAL_CTRL, 2, 1
        mov $3, %esi
        mov $0, %edi
        measure fixed_alone, IA32_FIXED_CTR_CTRL, IA32_FIXED_CTR0
        write_msr IA32_PERFEVTSEL1, ENABLED
        measure fixed_beside, IA32_FIXED_CTR_CTRL, IA32_FIXED_CTR0
        write_msr IA32_PERF_GLOBAL_CTRL, 0
        dec %ebp
        jnz again
        ret
