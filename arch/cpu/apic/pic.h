/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two 8259s: all their inputs stay masked, but what was on its way when they were, or a glitch,
 * still comes, as their last input: a spurious interrupt, which is told by the register of what is
 * in service.
 */
#ifndef ARCH_CPU_APIC_PIC_H
#define ARCH_CPU_APIC_PIC_H

#include <stdbool.h>
#include <stdint.h>

#define PIC_VECTOR 0x20u /* of input 0 of the first; their sixteen vectors are in a row */
#define PIC_INPUTS 16u

/*
 * Away from the vectors of exceptions, where PC firmware has them (F11.9), and masked. Where there
 * is no 8259 this does nothing.
 */
void pic_init(void);

/*
 * Ends the interrupt of that vector as far as it wants it: a spurious one no end at all, one of the
 * second 8259 the first one's alone. False: no vector of theirs.
 */
bool pic_end(uint8_t vector);

#endif
