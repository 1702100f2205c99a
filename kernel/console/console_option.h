/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the value of console=: sinks and their lines. Pure. */
#ifndef KERNEL_CONSOLE_CONSOLE_OPTION_H
#define KERNEL_CONSOLE_CONSOLE_OPTION_H

#include <stdbool.h>

#include "kernel/settings.h"

/*
 * value is a comma list, "serial:com2,57600,screen"; it is modified. Fills consoles, serial and
 * uart of *out and returns true, or leaves them unchanged and writes a sentence to error
 * (OPTIONS_ERROR_SIZE bytes).
 */
bool console_option_read(struct options *out, char *value, char *error);

#endif
