/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workloads that a walk may run. */
#ifndef TESTS_WALK_WALK_WORKLOADS_H
#define TESTS_WALK_WALK_WORKLOADS_H

#include <stdint.h>
#include "tests/workloads/workload.h"

/* The one of a WALK_PIECE with this number, which may be any. */
const struct workload *walk_workload(uint32_t number);

#endif
