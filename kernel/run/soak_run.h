/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The soak of one processor, from its first draw to its result. */
#ifndef KERNEL_RUN_SOAK_RUN_H
#define KERNEL_RUN_SOAK_RUN_H

#include "kernel/settings.h"
#include "kernel/report/selection.h"

/* tests: those to draw from; suffix: of the suite's name; *number: number of the last suite,
 * updated. A soak counts as one test. */
void soak_run(const struct selection *tests, const struct options *options, const char *suffix,
              unsigned *number);

#endif
