/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two 8259 interrupt controllers, of which we want nothing (F11.9). */
#ifndef ARCH_CPU_PIC_H
#define ARCH_CPU_PIC_H

void pic_mask_all(void);

#endif
