/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Switches off or resets, by ACPI if present. Both return only if that failed, with the reason. */
#ifndef KERNEL_MACHINE_POWER_H
#define KERNEL_MACHINE_POWER_H

const char *power_off(void);

/* Keeps power_off() from the command that enables ACPI, which raises an SMI; it may then fail. */
void power_without_smi(void);
const char *power_reset(void);

#endif
