/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen while a soak draws. */
#ifndef KERNEL_RUN_SOAK_SCREEN_H
#define KERNEL_RUN_SOAK_SCREEN_H

/* From now on it shows the soak, in place of the suites. */
void soak_screen_begin(void);

#endif
