/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points SYSCALL, SYSENTER, gates and the call gate at a workload's landings, and resets them. */
#ifndef TESTS_RUN_LANDINGS_H
#define TESTS_RUN_LANDINGS_H

#include "tests/workloads/workload.h"

void landings_set(const struct workload *workload);
void landings_reset(const struct workload *workload);

#endif
