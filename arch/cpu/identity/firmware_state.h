/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers that firmware or loader may have changed, and that change what the kernel or a test
 * observes. Each gets its power-up value, and a different value found is kept for the log. Set up
 * elsewhere: control registers in boot/long_mode.h and paging.c, DR7 in boot/entry.S, segments and
 * tables in interrupts_init(), the local APIC in apic_init(), Debug Store and counters in
 * arch/trace.
 */
#ifndef ARCH_CPU_IDENTITY_FIRMWARE_STATE_H
#define ARCH_CPU_IDENTITY_FIRMWARE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For the running processor. Needs interrupts_init(); call it before CPUID is relied on. */
void firmware_state_reset(void);

/* Notes a register that was found and set right elsewhere. Only the first processor's are kept. */
void firmware_state_note(const char *name, uint64_t found);

struct firmware_state {
    const char *name;
    uint64_t found;
};

/* Entry number of the first processor, or NULL past the last. */
const struct firmware_state *firmware_state(size_t number);

#endif
