/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The body of one test, between two checks that the processor is quiet, within a time. */
#ifndef KERNEL_RUN_TEST_RUN_H
#define KERNEL_RUN_TEST_RUN_H

#include <stdint.h>

#include "arch/cpu/traps/refusal.h"
#include "kernel/report/context.h"

/*
 * Runs it once. A test that has not ended after so many seconds has hung: it fails. Where the
 * processor gets too little of its time (kernel/machine/pace.h) the test is run again with more;
 * then it is starved, not failed.
 */
void test_run(struct test_context *t, uint64_t timeout);

/* The refusal_handler for all tests: the access fails the one that made it. */
bool test_run_refused(struct trap_frame *frame, const struct refusal *refusal, bool goes_on);

/*
 * An exception that nobody expected. The run goes on without the test that met it where that is
 * possible: in ring 3, and wherever a member of the crew meets it, whose run alone would end. The
 * test has failed, and this does not return, but to what comes behind it. It returns where it is a
 * panic.
 */
void test_run_unexpected(struct trap_frame *frame);

#endif
