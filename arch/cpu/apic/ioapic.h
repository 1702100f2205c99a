/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first I/O APIC: sends one outside interrupt to this processor. Needs apic_init(). */
#ifndef ARCH_CPU_APIC_IOAPIC_H
#define ARCH_CPU_APIC_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/cpu/tables/acpi.h"
#include "arch/cpu/apic/apic.h"

/*
 * Finds it through the MADT and masks all its pins but those that raise SMIs (left_alone.h).
 * Returns NULL or the reason it failed.
 */
const char *ioapic_init(void);

/*
 * Routes ISA interrupt irq (0 to 15, overrides of the MADT applied) to this processor, unmasked.
 * An NMI is always sent edge-triggered and ignores the vector. Returns NULL or the reason.
 */
const char *ioapic_route_isa(uint8_t irq, enum apic_delivery delivery, uint8_t vector);
void ioapic_mask_isa(uint8_t irq);

#endif
