/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another processor that INIT met in the middle of everything: all facilities on, all counters past
 * their overflow, frozen where it can be, an interrupt that waits, every filter bit set.
 */
#ifndef TESTS_RUN_BUSY_PROCESSOR_H
#define TESTS_RUN_BUSY_PROCESSOR_H

#include <stdbool.h>
#include "kernel/report/test.h"

/* Starts it, lets it get there, and starts it again from there: quiet. False after a test_fail() or
 * test_skip(). */
bool busy_processor_start(struct test_context *t, unsigned index);

#endif
