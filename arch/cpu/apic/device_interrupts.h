/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Controllers of device interrupts. The first I/O APIC is used to send one device interrupt to this
 * processor; it needs apic_init(). The two 8259s stay masked.
 */
#ifndef ARCH_CPU_APIC_DEVICE_INTERRUPTS_H
#define ARCH_CPU_APIC_DEVICE_INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/tables/acpi.h"

/*
 * Finds the first I/O APIC in the MADT, and masks all its pins except those that raise SMIs
 * (entry_raises_smi(); firmware_lvt() lists them). Returns NULL, or the reason it failed.
 */
const char *ioapic_init(void);

/*
 * Routes ISA interrupt `irq` (0 to 15) to this processor, unmasked, and applies the MADT's
 * overrides. An NMI is always edge-triggered and ignores the vector. Returns NULL, or the reason it
 * failed.
 */
const char *ioapic_route_isa(uint8_t irq, enum apic_delivery delivery, uint8_t vector);
void ioapic_mask_isa(uint8_t irq);

/*
 * The two 8259 interrupt controllers. All inputs stay masked, but an interrupt that was on its way,
 * or a glitch, still arrives, as that of a controller's last input. The in-service register tells
 * that such an interrupt is spurious.
 */

#define PIC_VECTOR 0x20u /* of input 0; those of both controllers' inputs follow */
#define PIC_INPUTS 16u   /* of both */

/*
 * Masks all inputs and moves their vectors away from those of exceptions, where PC firmware puts
 * them (F11.9). Does nothing if there is no 8259.
 */
void pic_init(void);

/*
 * Ends the interrupt with this vector. If it is spurious, its 8259 gets no EOI. For a spurious
 * interrupt of the second 8259 the first one still gets an EOI. Returns false if the vector belongs
 * to no 8259.
 */
bool pic_end(uint8_t vector);

#endif
