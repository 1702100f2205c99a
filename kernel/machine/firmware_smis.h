/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the firmware raise SMIs by itself, while nothing of ours asks for one? */
#ifndef KERNEL_MACHINE_FIRMWARE_SMIS_H
#define KERNEL_MACHINE_FIRMWARE_SMIS_H

#include <stdbool.h>

enum firmware_smis { SMIS_NONE, SMIS_COME, SMIS_NOT_COUNTED };

/* Watches for some milliseconds, if SMIs are counted. Needs time_init(). */
enum firmware_smis firmware_smis(void);

#endif
