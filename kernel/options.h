/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, read strictly: what is not understood ends the run, because a run that did
 * something else than asked proves nothing. The table in options.c is the whole of it.
 */
#ifndef KERNEL_OPTIONS_H
#define KERNEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/settings.h"

/*
 * Reads the words of line into *out, which it fills with defaults first. Returns false and a
 * sentence in error (OPTIONS_ERROR_SIZE bytes) for an unknown or repeated option, a missing,
 * overlong or unreadable value; *out is then still complete, from what was understood.
 */
bool options_parse(const char *line, struct options *out, char *error);

/* More time for a test, where none was named: the slowest line of the log has this rate, in baud;
 * 0: not known. */
void options_allow_for_rate(struct options *options, uint32_t rate);

/* Likewise: a byte takes so long on its way. */
void options_allow_for_line(struct options *options, uint64_t nanoseconds);

/* The form and meaning of option number i, or NULL beyond the last. */
const char *options_help(size_t i);

#endif
