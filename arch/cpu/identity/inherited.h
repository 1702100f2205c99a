/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers that firmware or loader may have changed, and that change what the kernel or a test
 * observes. Each gets its power-up value, and a different value found is kept for the log. Set up
 * elsewhere: control registers in boot/long_mode.h and paging.c, DR7 in boot/entry.S, segments and
 * tables in interrupts_init(), the local APIC in apic_init(), Debug Store and counters in
 * arch/trace.
 */
#ifndef ARCH_CPU_IDENTITY_INHERITED_H
#define ARCH_CPU_IDENTITY_INHERITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For the running processor. Needs interrupts_init(); call it before CPUID is relied on. */
void inherited_put_right(void);

/* Notes a register that was found and set right elsewhere. Only the first processor's are kept. */
void inherited_note(const char *name, uint64_t found);

struct inherited {
    const char *name;
    uint64_t found;
};

/* Entry number of the first processor, or NULL past the last. */
const struct inherited *inherited(size_t number);

#endif
