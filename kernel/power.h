/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Off and reset, by ACPI where there is one. Both return when that failed: why. */
#ifndef KERNEL_POWER_H
#define KERNEL_POWER_H

const char *power_off(void);
const char *power_reset(void);

#endif
