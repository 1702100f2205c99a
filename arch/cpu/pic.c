/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/pic.h"
#include "arch/cpu/insn.h"

#define PIC_FIRST_MASK  0x21
#define PIC_SECOND_MASK 0xa1

void pic_mask_all(void)
{
    insn_out8(PIC_SECOND_MASK, 0xff);
    insn_out8(PIC_FIRST_MASK, 0xff);
}
