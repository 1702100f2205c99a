/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PMC3, which microcode has for itself until software takes it back. */
#include "guest.h"

#define TSX_FORCE_ABORT  0x10f
#define IA32_PMC3        0xc4
#define IA32_PERFEVTSEL3 0x189
#define INSTRUCTIONS     0x4300c0

        .macro count name
        write_msr IA32_PMC3, 1000
        write_msr IA32_PERFEVTSEL3, INSTRUCTIONS
        write_msr IA32_PERF_GLOBAL_CTRL, 8
        write_msr IA32_PERF_GLOBAL_CTRL, 0
        read_msr IA32_PMC3
        print \name
        .endm

guest_main:
        mov $7, %eax
        xor %ecx, %ecx
        cpuid
        mov %edx, %eax
        and $1 << 13, %eax
        print enumerated
        read_msr TSX_FORCE_ABORT
        print at_first
        count taken
        write_msr TSX_FORCE_ABORT, 1
        count given_back
        ret
