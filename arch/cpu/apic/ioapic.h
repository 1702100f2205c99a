/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first I/O APIC, used to send one device interrupt to this processor. Needs apic_init(). */
#ifndef ARCH_CPU_APIC_IOAPIC_H
#define ARCH_CPU_APIC_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/apic/apic.h"

/*
 * Finds it in the MADT and masks all its pins except those that raise SMIs (firmware_lvt.h).
 * Returns NULL or the reason it failed.
 */
const char *ioapic_init(void);

/*
 * Routes ISA interrupt irq (0 to 15) to this processor, unmasked, and applies the MADT's overrides.
 * An NMI is always edge-triggered and ignores the vector. Returns NULL or the reason it failed.
 */
const char *ioapic_route_isa(uint8_t irq, enum apic_delivery delivery, uint8_t vector);
void ioapic_mask_isa(uint8_t irq);

#endif
