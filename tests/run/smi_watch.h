/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can a system management interrupt be raised here, and did one come? Two witnesses: MSR_SMI_COUNT
 * moves (F10.7); or, where it does not, instructions are retired that are not the kernel's, while
 * interrupts are held off (counters go on in SMM while FREEZE_WHILE_SMM is clear, F10.3).
 */
#ifndef TESTS_RUN_SMI_WATCH_H
#define TESTS_RUN_SMI_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"

/* Iterations of workload_counted_smi where an SMI is looked for by what it executes. */
#define SMI_ROUNDS 8

/*
 * A count may miss the truth by so much more for each SMI: the OUT before it and the RSM, of which
 * the one is retired as counting stops, the other as it begins again (F6.27).
 */
#define SMI_COUNT_SLACK 2

/* The permission and the firmware's tables forbid it: nothing is tried. */
bool smi_is_forbidden(char *why, size_t size);

/* Tried once, by raising some. False: the running test is skipped, and says why not. */
bool smi_is_possible(struct test_context *t);

/* Raises one on the running processor, where that is possible: does its MSR_SMI_COUNT move? */
bool smi_count_tells(void);

/* From the first to the second the OUT of the workloads in smi.h raises an SMI. The second returns
 * whether one came; if not, the running test is skipped. */
void smi_begin(void);
bool smi_end(struct test_context *t);

#endif
