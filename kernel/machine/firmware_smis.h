/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMIs of the firmware's own accord: nothing of ours asks for one meanwhile. */
#ifndef KERNEL_MACHINE_FIRMWARE_SMIS_H
#define KERNEL_MACHINE_FIRMWARE_SMIS_H

#include <stdbool.h>

enum firmware_smis { SMIS_NONE, SMIS_COME, SMIS_NOT_COUNTED };

/* Looks for some milliseconds, where they are counted. Needs time_init(). */
enum firmware_smis firmware_smis(void);

#endif
