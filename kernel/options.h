/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the command line, strictly: an unknown word ends the run, because a run that does
 * something else than asked proves nothing. The table in options.c has every option.
 */
#ifndef KERNEL_OPTIONS_H
#define KERNEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"

/*
 * Fills *out with defaults, then with the options in `line`. Returns false and writes a sentence to
 * `error` (OPTIONS_ERROR_SIZE bytes) if an option is unknown, repeated, or does not fit another, or
 * a value is missing, overlong or unreadable; *out then has what was understood.
 */
bool options_parse(const char *line, struct options *out, char *error);

/* Extends the timeout, unless timeout= was given, for a log line of this rate in baud; 0:
 * unknown. */
void options_allow_for_rate(struct options *options, uint32_t rate);

/* The same for a line on which a byte takes so many nanoseconds. */
void options_allow_for_line(struct options *options, uint64_t nanoseconds);

/* Syntax and meaning of option `i`, or NULL past the last. */
const char *options_help(size_t i);

#endif
