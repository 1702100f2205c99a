/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the body of one test within its time, between two checks that the processor is quiet. */
#ifndef KERNEL_RUN_TEST_RUN_H
#define KERNEL_RUN_TEST_RUN_H

#include <stdint.h>

#include "arch/cpu/traps/msr_fault.h"
#include "kernel/report/context.h"

/*
 * Runs the test once. It fails if it has not ended after timeout seconds. If the processor gets too
 * little of its time (kernel/machine/pace.h), the test is run again with more, and if that is not
 * enough it counts as starved, not failed.
 */
void test_run(struct test_context *t, uint64_t timeout);

/* The msr_fault_handler for all tests: fails the test that made the access. */
bool test_run_refused(struct trap_frame *frame, const struct msr_fault *fault, bool goes_on);

/*
 * Handles an unexpected exception. If it happened in ring 3, or anywhere on a worker
 * (kernel/run/workers.h), the test fails and the run continues after it; this function does not
 * return. It returns if the caller must panic.
 */
void test_run_unexpected(struct trap_frame *frame);

#endif
