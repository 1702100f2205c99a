/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts that the firmware's devices sent and no handler served: masking their source does not
 * take them out of the local APIC, so they come as soon as interrupts are on (F11.3: IRR).
 */
#ifndef ARCH_CPU_APIC_LEFTOVERS_H
#define ARCH_CPU_APIC_LEFTOVERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Lets in and ends those that have no handler, when their sources are masked: at boot, and
 * after a test that ended with some waiting. IF is clear before and after. Needs interrupts_init()
 * and apic_init().
 */
void leftovers_end(void);

/* Was it one of them? */
bool leftovers_had(uint8_t vector);

#endif
