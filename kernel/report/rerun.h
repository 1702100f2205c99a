/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that reproduce a failure, in the form of `make run`. */
#ifndef KERNEL_REPORT_RERUN_H
#define KERNEL_REPORT_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the kernel's command line, which must stay valid. */
void rerun_set_command_line(const char *line);

/*
 * Writes " ARGS='repeat=3 seed=0x7'", or "" if no option matters, to text of size bytes. Returns
 * text. seed: of the test's random choices. repeat: repetitions that reproduce the failure; 0:
 * those of the command line. Leaves out a soak's own options.
 */
char *rerun_options(uint64_t seed, uint64_t repeat, char *text, size_t size);

#endif
