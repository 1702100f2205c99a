/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of what counts as it goes: nobody looks. */
#ifndef TESTS_HOST_UNIT_NO_SOAK_STATS_H
#define TESTS_HOST_UNIT_NO_SOAK_STATS_H

#include "kernel/report/soak_stats.h"

void soak_stats_add(enum soak_stats_kind kind, uint64_t count)
{
    (void)kind;
    (void)count;
}

#endif
