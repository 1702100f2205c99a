/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registered quiet checks (kernel/report/test.h), all at once. */
#ifndef KERNEL_RUN_QUIET_H
#define KERNEL_RUN_QUIET_H

#include <stdbool.h>
#include <stddef.h>

/* True when nothing is on; otherwise "name: why" of the first that is, in text of size bytes. */
bool quiet_is(char *text, size_t size);

/* Turns everything off that a check knows of. */
void quiet_make(void);

#endif
