/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a sled of jumps around a circular buffer, so that the slot of every record is known. */
#ifndef TESTS_ORACLE_LAPS_H
#define TESTS_ORACLE_LAPS_H

#include <stddef.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/*
 * Runs `transfers` transfers, at least PROGRAM_SLED_EXTRA. Only the newest records may remain,
 * each in its slot, with the index at the next one. No interrupt may come, and nothing outside the
 * buffer may be written. Call limit_capacity() first.
 */
void laps_check(struct test_context *t, const struct run *run, size_t transfers);

#endif
