/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The soak of one processor, from its first draw to its result. */
#ifndef KERNEL_RUN_SOAK_RUN_H
#define KERNEL_RUN_SOAK_RUN_H

#include "kernel/settings.h"
#include "kernel/report/selection.h"

/* tests: those that are drawn from; suffix: of the suite's name; number: of the suite that came
 * last, counted on. One more test has run then. */
void soak_run(const struct selection *tests, const struct options *options, const char *suffix,
              unsigned *number);

#endif
