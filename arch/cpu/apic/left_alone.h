/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of a local APIC or of an I/O APIC's pins by which the firmware raises SMIs; most portable
 * machines regulate heat this way. If such an entry is masked or moved, the firmware may wait in
 * system management mode for ever (F25.31), so each stays as it was found.
 */
#ifndef ARCH_CPU_APIC_LEFT_ALONE_H
#define ARCH_CPU_APIC_LEFT_ALONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both kinds hold the delivery mode in bits 10:8 (F5.10, F11.10). Ignores the mask bit. */
static inline bool entry_raises_smi(uint32_t entry)
{
    return (entry >> 8 & 7) == 2;
}

/* For the log: what and number name the entry ("local APIC entry" 330H, "I/O APIC pin" 9). */
struct left_alone {
    const char *what;
    uint32_t number, entry;
};

void left_alone_note(const char *what, uint32_t number, uint32_t entry);

/* The noted entry with this number, or NULL past the last; entries beyond the table's room are
 * lost. */
const struct left_alone *left_alone(size_t number);

#endif
