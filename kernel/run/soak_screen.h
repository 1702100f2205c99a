/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen during a soak. */
#ifndef KERNEL_RUN_SOAK_SCREEN_H
#define KERNEL_RUN_SOAK_SCREEN_H

/* Shows the soak instead of the suites from now on. */
void soak_screen_begin(void);

#endif
