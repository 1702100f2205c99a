/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs all registered quiet checks (kernel/report/test.h). */
#ifndef KERNEL_RUN_QUIET_H
#define KERNEL_RUN_QUIET_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if nothing is on; otherwise writes "name: why" of the first to text, of size
 * bytes. */
bool quiet_is(char *text, size_t size);

/* Turns off everything that the checks know. */
void quiet_make(void);

#endif
