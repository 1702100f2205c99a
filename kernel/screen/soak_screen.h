/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen while a soak draws. */
#ifndef KERNEL_SCREEN_SOAK_SCREEN_H
#define KERNEL_SCREEN_SOAK_SCREEN_H

#include <stdbool.h>

#include "kernel/report/test.h"

/* From now on it shows the soak, in place of the suites. */
void soak_screen_begin(void);
bool soak_screen_has_begun(void);

/* test: that runs here, or NULL; nothing where no screen is open. */
void soak_screen_show(const struct test *test);

#endif
