/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another processor that INIT interrupts while everything is on: all facilities are enabled, all
 * counters have overflowed, what can freeze is frozen, an interrupt is pending, every filter bit is
 * set.
 */
#ifndef TESTS_RUN_BUSY_PROCESSOR_H
#define TESTS_RUN_BUSY_PROCESSOR_H

#include <stdbool.h>
#include "kernel/report/test.h"

/* Starts the processor, brings it into that state, and starts it again by INIT; afterwards it is
 * quiet. False after a test_fail() or test_skip(). */
bool busy_processor_start(struct test_context *t, unsigned index);

#endif
