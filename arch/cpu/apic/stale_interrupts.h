/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stale interrupts, which devices sent under the firmware and nobody served. Masking their source
 * does not remove them from the local APIC's IRR (F11.3), so they arrive when IF is set.
 */
#ifndef ARCH_CPU_APIC_STALE_INTERRUPTS_H
#define ARCH_CPU_APIC_STALE_INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes and ends pending interrupts that have no handler. Called with their sources masked, at boot
 * and after a test that left some pending. IF is clear before and after. Needs interrupts_init()
 * and apic_init().
 */
void stale_interrupts_end(void);

/* Was an interrupt with this vector among them? */
bool stale_interrupts_had(uint8_t vector);

#endif
