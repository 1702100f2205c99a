/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMIs where no register counts them: MSR_SMI_COUNT came with Nehalem (F10.7). On a board nothing
 * else takes a processor away that waits with its interrupts off: a gap between two looks at the
 * TSC is one. Under a hypervisor it may be the host's, and nobody looks.
 */
#ifndef KERNEL_MACHINE_STANDSTILL_H
#define KERNEL_MACHINE_STANDSTILL_H

#include <stdbool.h>
#include <stdint.h>

/* The gaps found until now, after another second's watch, if none were found in a few; 0 where SMIs
 * are counted. For a test that failed. */
uint32_t standstill_look(void);

/* Were there any? */
bool standstill_found(void);

#endif
