/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that a failure was found with, as `make run` takes them: it is found with them again.
 */
#ifndef KERNEL_REPORT_RERUN_H
#define KERNEL_REPORT_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's command line, which stays where it is. */
void rerun_set_command_line(const char *line);

/*
 * " ARGS='repeat=3 seed=0x7'" into text of size bytes, "" where no option matters; returns text.
 * seed: where the test's random choices begin. repeat: so many repetitions bring the failure back;
 * 0: those of the command line. A soak's own options are left out.
 */
char *rerun_options(uint64_t seed, uint64_t repeat, char *text, size_t size);

#endif
