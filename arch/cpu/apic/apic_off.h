/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running processor's local APIC switched off and on again: by software, in its spurious-vector
 * register (F5.15), or as a whole, in IA32_APIC_BASE (F11.1). IF must be clear from before it is
 * off until after it is on again. The timer and every entry but the performance one are then as
 * they were; that one is as it was found.
 */
#ifndef ARCH_CPU_APIC_APIC_OFF_H
#define ARCH_CPU_APIC_APIC_OFF_H

#include <stdbool.h>
#include <stdint.h>

void apic_software_off(void);
void apic_software_on(void);

/* What a local APIC came back with, before anything in it was written. */
struct apic_found {
    bool enabled; /* by software */
    uint32_t pmi; /* the performance entry */
};

/* NULL, or why not: then nothing has happened. */
const char *apic_power_off(void);

/* NULL, or why it does not come back; in the mode in which it was. */
const char *apic_power_on(struct apic_found *found);

/* IA32_APIC_BASE gets the value that it has. False where it is refused. */
bool apic_base_write_again(void);

#endif
