/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMIs that the kernel did not ask for: does the firmware raise any, and did one disturb a test?
 *
 * Detects SMIs on processors without MSR_SMI_COUNT, which came with Nehalem (F10.7). On a board
 * only an SMI interrupts a loop with interrupts off, so a gap between two reads of the TSC is one.
 * Under a hypervisor the host may cause gaps, so nothing is measured.
 */
#ifndef KERNEL_MACHINE_SMIS_H
#define KERNEL_MACHINE_SMIS_H

#include <stdbool.h>
#include <stdint.h>

/* For a test that failed: returns the number of gaps found so far. While there are none, each of
 * the first calls watches for a second. 0 if SMIs are counted, or under a hypervisor. */
uint32_t smi_gap_look(void);

/* Were any gaps found? */
bool smi_gap_found(void);

/* Does the firmware raise SMIs by itself? */
enum firmware_smis { SMIS_NONE, SMIS_COME, SMIS_NOT_COUNTED };

/* Watches for some milliseconds, if SMIs are counted. Needs time_init(). */
enum firmware_smis firmware_smis(void);

#endif
