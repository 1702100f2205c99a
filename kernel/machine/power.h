/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power_off() switches the machine off by ACPI. power_reset() resets it, by ACPI if that offers it,
 * or by the PC's ports. Both return only if they failed, with the reason. */
#ifndef KERNEL_MACHINE_POWER_H
#define KERNEL_MACHINE_POWER_H

const char *power_off(void);

/* Keeps power_off() from the command that enables ACPI, which raises an SMI; it may then fail. */
void power_without_smi(void);
const char *power_reset(void);

#endif
