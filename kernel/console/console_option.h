/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The value of console=: which sinks, and where their lines are. Pure. */
#ifndef KERNEL_CONSOLE_CONSOLE_OPTION_H
#define KERNEL_CONSOLE_CONSOLE_OPTION_H

#include <stdbool.h>

#include "kernel/settings.h"

/*
 * Sinks with commas between, "serial:com2,57600,screen". Fills consoles, serial and uart of *out,
 * or leaves them as they were and writes a sentence into error (OPTIONS_ERROR_SIZE bytes). Takes
 * value apart.
 */
bool console_option_read(struct options *out, char *value, char *error);

#endif
