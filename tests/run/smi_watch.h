/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can a system management interrupt be raised here, and did one come? Either MSR_SMI_COUNT moves
 * (F10.7), or a counter shows more instructions than the kernel ran while interrupts were held off:
 * counters go on in SMM while FREEZE_WHILE_SMM is clear (F10.3).
 */
#ifndef TESTS_RUN_SMI_WATCH_H
#define TESTS_RUN_SMI_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/report/test.h"

/* Iterations of workload_counted_smi when an SMI is detected by its instructions. */
#define SMI_ROUNDS 8

/*
 * Further slack of a count for each SMI. The OUT before it retires as counting stops, and the RSM
 * as it begins again (F6.27).
 */
#define SMI_COUNT_SLACK 2

/* Does the user's permission, or do the firmware's tables, forbid SMIs? Then writes the reason to
 * `why`. Tries nothing. */
bool smi_is_forbidden(char *why, size_t size);

/* Raises some SMIs, the first time only. False after a test_skip() with the reason. */
bool smi_is_possible(struct test_context *t);

/* Raises one on the running processor, if possible. Returns whether its MSR_SMI_COUNT moved. */
bool smi_count_tells(void);

/* Between these two calls the OUT of the workloads in smi.h raises an SMI. smi_end() returns false
 * after a test_skip() if MSR_SMI_COUNT shows that none came. */
void smi_begin(void);
bool smi_end(struct test_context *t);

#endif
