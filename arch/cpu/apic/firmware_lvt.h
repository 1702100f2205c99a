/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of a local APIC or of an I/O APIC's pins by which the firmware raises SMIs; most portable
 * machines regulate heat this way. If such an entry is masked or moved, the firmware may wait in
 * system management mode for ever (F25.31), so each stays as it was found.
 */
#ifndef ARCH_CPU_APIC_FIRMWARE_LVT_H
#define ARCH_CPU_APIC_FIRMWARE_LVT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both kinds hold the delivery mode in bits 10:8 (F5.10, F11.10). Ignores the mask bit. */
static inline bool entry_raises_smi(uint32_t entry)
{
    return (entry >> 8 & 7) == 2;
}

/* For the log: what and number name the entry ("local APIC entry" 330H, "I/O APIC pin" 9). */
struct firmware_lvt {
    const char *what;
    uint32_t number, entry;
};

void firmware_lvt_note(const char *what, uint32_t number, uint32_t entry);

/* The noted entry with this number, or NULL past the last; entries beyond the table's room are
 * lost. */
const struct firmware_lvt *firmware_lvt(size_t number);

#endif
