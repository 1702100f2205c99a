/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers that firmware or loader may have changed, and that change what the kernel or a test
 * observes. Each gets its power-up value, and a different value found is kept for the log. Other
 * files set up control registers (boot/long_mode.h, paging.c), DR7 (boot/entry.S), segments and
 * tables (interrupts_init()), the local APIC (apic_init()), Debug Store and counters (arch/trace).
 */
#ifndef ARCH_CPU_IDENTITY_FIRMWARE_STATE_H
#define ARCH_CPU_IDENTITY_FIRMWARE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Resets the running processor's registers. Call this after interrupts_init(), and before anything
 * relies on CPUID. */
void firmware_state_reset(void);

/* Records that another file has corrected a register, which had the value `found`. Only the first
 * processor's registers are recorded. */
void firmware_state_note(const char *name, uint64_t found);

struct firmware_state {
    const char *name;
    uint64_t found;
};

/* Returns record `number`, from 0, of the first processor; NULL if there are fewer. */
const struct firmware_state *firmware_state(size_t number);

#endif
