/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine introduces itself at the head of the log, as "# key: value" lines. */
#ifndef KERNEL_MACHINE_H
#define KERNEL_MACHINE_H

#include "kernel/options.h"

void machine_print(const struct options *options);

#endif
