/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters beside a program that needs none: they count its branches, one in ring 0, one in the
 * other rings, one in both. Its truth says how many each counts at least, and the first two add up
 * to the third (F6.3, F6.26). So every program is counted, in whatever ring and mode it runs.
 */
#ifndef TESTS_SPEC_COUNTS_H
#define TESTS_SPEC_COUNTS_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/* Gives the run counters, if it has none and nothing is left to change by them. Returns whether it
 * did; then counts_end() follows the run. */
bool counts_begin(struct run *run, const struct program *program);

/* Compares a count with its bounds. under: its circumstances. Returns whether it is within them. */
bool counts_between(struct test_context *t, const char *what, uint64_t got, uint64_t least,
                    uint64_t most, unsigned under);

/* Compares what they counted, and leaves them off and at zero. */
void counts_end(struct test_context *t, const struct observation *seen);

#endif
