/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points SYSCALL, SYSENTER, gates and the call gate at a workload's entry points, and resets them.
 */
#ifndef TESTS_RUN_ENTRY_POINTS_H
#define TESTS_RUN_ENTRY_POINTS_H

#include "tests/workloads/workload.h"

void entry_points_set(const struct workload *workload);
void entry_points_reset(const struct workload *workload);

#endif
