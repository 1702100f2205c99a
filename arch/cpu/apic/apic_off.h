/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Switches the running processor's local APIC off and on again, by software in its spurious-vector
 * register (F5.15) or as a whole in IA32_APIC_BASE (F11.1). IF must be clear for the whole time.
 * Switching it on restores the timer and every LVT entry except the performance entry.
 */
#ifndef ARCH_CPU_APIC_APIC_OFF_H
#define ARCH_CPU_APIC_APIC_OFF_H

#include <stdbool.h>
#include <stdint.h>

void apic_software_off(void);
void apic_software_on(void);

/* State of the APIC after it is switched on, before any write to it. */
struct apic_found {
    bool enabled; /* by software */
    uint32_t pmi; /* the performance entry */
};

/* Returns NULL, or the reason why nothing was changed. */
const char *apic_power_off(void);

/* Restores the mode too. Returns NULL, or the reason why the APIC does not come back. */
const char *apic_power_on(struct apic_found *found);

/* Writes IA32_APIC_BASE with the value it has. Returns false if the write raises an exception. */
bool apic_base_write_again(void);

#endif
