/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Known branches around an OUT that may raise a system management interrupt. */
#include "tests/workloads/kinds/one_kind.h"
#include "tests/workloads/kinds/smi.h"

#define IOPL_3 0x3000

        .data
        .balign 4
        .globl  smi_out
smi_out:
        .long   SMI_HARMLESS_PORT

# ESI is what smi_out holds. Reads of a port wait for the writes before them; an emulator looks for
# interrupts at PAUSE, and for the single-stepper's trap one instruction later.
.macro KIND_smi name, behind
        NEAR_BRANCHES \name
        mov     %esi, %edx
        mov     %esi, %eax
        shr     $16, %eax
        out     %al, %dx
        .rept   SMI_DELAY_READS
        pause
        in      $SMI_HARMLESS_PORT, %al
        .endr
        .pushsection .truth, "a", @progbits
        .globl  \behind
\behind:
        .popsection
        BRANCH  JMP, \name\().after_jmp_behind, jmp \name\().after_jmp_behind
        ud2
\name\().after_jmp_behind:
        xor     %eax, %eax              # ZF = 1
        BRANCH  JCC, \name\().end, jz \name\().end
        ud2
\name\().end:
.endm

        WORKLOAD_BEGIN kernel_smi
        mov     smi_out(%rip), %esi
        KIND_smi kernel_smi.body, kernel_smi_behind
        WORKLOAD_RET
        WORKLOAD_END kernel_smi

        WORKLOAD_BEGIN user_smi
        mov     smi_out(%rip), %esi
        # IF = 0: nothing but the SMI comes.
        BEGIN_RING3 user_smi, flags=$((USER_RFLAGS & ~0x200) | IOPL_3)
        KIND_smi user_smi.body, user_smi_behind
        CROSS   SYSCALL, user_smi.back, 0, syscall
        .popsection
user_smi.back:
        mov     %r15, %rsp
        WORKLOAD_RET
        WORKLOAD_END user_smi, user_smi.back
