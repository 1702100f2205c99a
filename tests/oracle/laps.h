/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a sled of jumps around a circular buffer: the slot of every record is known. */
#ifndef TESTS_ORACLE_LAPS_H
#define TESTS_ORACLE_LAPS_H

#include <stddef.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/*
 * So many transfers, PROGRAM_SLED_EXTRA or more: the youngest records and no others remain, each in
 * its slot, the index at the next one; no interrupt, and nothing outside touched. Ask
 * limit_capacity() before.
 */
void laps_check(struct test_context *t, const struct run *run, size_t transfers);

#endif
