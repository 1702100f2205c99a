/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/workloads/counted_truth.h"
#include "tests/workloads/kinds/smi.h"

        .text
        COUNT_START
counted_smi:
        COUNT   mov %rdi, %rcx
        COUNT   mov smi_out(%rip), %esi
        COUNTED_AS kernel_once
1:
        COUNT   mov %esi, %edx
        COUNT   mov %esi, %eax
        COUNT   shr $16, %eax
        COUNT   out %al, %dx
        .rept   SMI_DELAY_READS
        COUNT   pause
        COUNT   in $SMI_HARMLESS_PORT, %al
        .endr
        BRANCH  call 2f
        BRANCH  jmp 3f
2:
        BRANCH  ret
3:
        COUNT   dec %rcx
        BRANCH  jnz 1b
        COUNTED_AS kernel_each
        BRANCH  ret
        COUNTED_AS kernel_once
        COUNTED_WORKLOAD counted_smi
