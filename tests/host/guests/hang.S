/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IA32_PERF_GLOBAL_CTRL written with PEBS enabled: by a buffer in one page, and by one in two. */
#include "guest.h"

#define IA32_DS_AREA     0x600
#define IA32_PEBS_ENABLE 0x3f1

#define AREA   0x200000
#define BUFFER 0x201000
#define PAGE   0x1000

        /* Bytes of the buffer; its fields are those of the 64-bit layout, whose upper halves are 0. */
        .macro sample_into bytes
        movl $BUFFER, AREA + 0x20
        movl $BUFFER, AREA + 0x28
        movl $BUFFER + \bytes, AREA + 0x30
        movl $BUFFER + \bytes, AREA + 0x38
        write_msr IA32_PERF_GLOBAL_CTRL, 1
        .endm

guest_main:
        write_msr IA32_DS_AREA, AREA
        write_msr IA32_PEBS_ENABLE, 1
        sample_into PAGE
        mov $1, %eax
        print one_page
        sample_into PAGE + 1
        mov $2, %eax
        print two_pages
        ret
