/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMI handler for the SMBASE that RESET sets (F10.5): branches, a software interrupt, branches,
 * RSM. RSM restores every register used here. It runs from a copy at SMI_HANDLER_BASE.
 */
#include "arch/cpu/apic/smi.h"

#define SEGMENT       ((SMI_HANDLER_BASE - SMI_HANDLER_OFFSET) >> 4)
#define OFFSET(label) (SMI_HANDLER_OFFSET + label - smi_handler)
#define STACK_TOP     0xc000
#define BRANCHES      0x100

        .section .rodata.smi_handler, "a", @progbits
        .code16
        .globl  smi_handler, smi_handler_end
smi_handler:
        mov     $SEGMENT, %ax
        mov     %ax, %ss
        mov     $STACK_TOP, %sp
        lidtl   %cs:OFFSET(idtr)
        mov     $BRANCHES, %cx
1:      loop    1b
        int     $0
        mov     $BRANCHES, %cx
2:      loop    2b
        rsm
routine:
        iretw
idtr:
        .short  3
        .long   SMI_HANDLER_BASE + vectors - smi_handler
vectors:
        .short  OFFSET(routine), SEGMENT
smi_handler_end:

        .section .note.GNU-stack, "", @progbits
