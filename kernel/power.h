/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Off and reset, by ACPI where there is one. Both return when the machine did not obey. */
#ifndef KERNEL_POWER_H
#define KERNEL_POWER_H

void power_off(void);
void power_reset(void);

#endif
