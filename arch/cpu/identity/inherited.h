/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers as firmware and loader left them, that change what the kernel or a test sees: each is
 * set to what it is after power-up, and what was found otherwise is kept for the log. The control
 * registers are written whole on the way to long mode (boot/long_mode.h, paging.c), DR7 in
 * boot/entry.S, segments and tables by interrupts_init(), the local APIC by apic_init(), the Debug
 * Store and the counters by what is in arch/trace.
 */
#ifndef ARCH_CPU_IDENTITY_INHERITED_H
#define ARCH_CPU_IDENTITY_INHERITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* On the running processor. Needs interrupts_init(); before anything believes CPUID. */
void inherited_put_right(void);

/* One more, found and put right elsewhere. Only the first processor's are kept. */
void inherited_note(const char *name, uint64_t found);

struct inherited {
    const char *name;
    uint64_t found;
};

/* Number so much of the first processor's, or NULL past the last. */
const struct inherited *inherited(size_t number);

#endif
