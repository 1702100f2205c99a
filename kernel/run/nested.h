/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a test inside an open subtest of another, on any processor. Its reports go to a context of
 * its own and write no lines to the log; its result becomes the subtest's. Only one nested test can
 * be open.
 */
#ifndef KERNEL_RUN_NESTED_H
#define KERNEL_RUN_NESTED_H

#include "kernel/report/test.h"

/* Returns the context for the test's body. The test's needs must be met. */
struct test_context *nested_begin(const struct test_context *host, const struct test *test);

const struct test *nested_test(const struct test_context *guest);

/*
 * Call it after the body, however that ended. If the test failed, the subtest fails with the test's
 * claims and errata. If the test was skipped, returns the reason; otherwise NULL.
 */
const char *nested_end(struct test_context *host);

#endif
