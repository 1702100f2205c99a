/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The body of one test, between two checks that the processor is quiet, within a time. */
#ifndef KERNEL_TEST_RUN_H
#define KERNEL_TEST_RUN_H

#include <stdint.h>

#include "kernel/context.h"

/*
 * Runs it once. A test that has not ended after so many seconds has hung: it fails. Where the
 * processor gets too little of its time (kernel/pace.h) the test is run again with more; then it is
 * starved, not failed.
 */
void test_run(struct test_context *t, uint64_t timeout);

#endif
