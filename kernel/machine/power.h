/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Off and reset, by ACPI where there is one. Both return when that failed: why. */
#ifndef KERNEL_MACHINE_POWER_H
#define KERNEL_MACHINE_POWER_H

const char *power_off(void);

/* power_off() does without the command that hands ACPI over, which is an SMI; it may then fail. */
void power_without_smi(void);
const char *power_reset(void);

#endif
