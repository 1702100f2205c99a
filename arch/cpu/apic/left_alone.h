/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupt entries, of a local APIC or of an I/O APIC's pin, by which the firmware raises SMIs:
 * most portable machines regulate their heat so. One that is masked or moved may leave the firmware
 * waiting in system management mode for ever (F25.31): each stays as it was found.
 */
#ifndef ARCH_CPU_APIC_LEFT_ALONE_H
#define ARCH_CPU_APIC_LEFT_ALONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By its delivery mode, which both kinds have in bits 10:8 (F5.10, F11.10). Masked or not. */
static inline bool entry_raises_smi(uint32_t entry)
{
    return (entry >> 8 & 7) == 2;
}

/* For the log: where "local APIC entry" 330H, "I/O APIC pin" 9, and what it holds. */
struct left_alone {
    const char *what;
    uint32_t number, entry;
};

void left_alone_note(const char *what, uint32_t number, uint32_t entry);

/* Number so much, or NULL past the last that there was room for. */
const struct left_alone *left_alone(size_t number);

#endif
