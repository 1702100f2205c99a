/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two 8259 interrupt controllers. All inputs stay masked, but an interrupt that was on its way,
 * or a glitch, still arrives as the last input. The in-service register tells such a spurious
 * interrupt.
 */
#ifndef ARCH_CPU_APIC_PIC_H
#define ARCH_CPU_APIC_PIC_H

#include <stdbool.h>
#include <stdint.h>

#define PIC_VECTOR 0x20u /* of the first one's input 0; the vectors of both are in a row */
#define PIC_INPUTS 16u

/*
 * Masks all inputs and moves their vectors away from those of exceptions, where PC firmware puts
 * them (F11.9). Does nothing if there is no 8259.
 */
void pic_init(void);

/*
 * Ends the interrupt with this vector. If it is spurious, its 8259 gets no EOI. For a spurious
 * interrupt of the second 8259 the first one still gets an EOI. Returns false if the vector is not
 * one of theirs.
 */
bool pic_end(uint8_t vector);

#endif
