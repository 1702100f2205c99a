/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A test inside the open subtest of another: its body runs, on whichever processor, and what it
 * says goes to a context of its own, without a line in the log. What came of it then becomes what
 * came of the subtest. One at a time.
 */
#ifndef KERNEL_RUN_NESTED_H
#define KERNEL_RUN_NESTED_H

#include "kernel/report/test.h"

/* For its body: the needs of the test must be met. */
struct test_context *nested_begin(const struct test_context *host, const struct test *test);

const struct test *nested_test(const struct test_context *guest);

/*
 * After the body, however it ended: if it failed the subtest has, by the same errata, and with the
 * claims of the test in place of its own. The reason why the test was skipped, or NULL.
 */
const char *nested_end(struct test_context *host);

#endif
