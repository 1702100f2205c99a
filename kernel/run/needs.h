/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a test can run on this processor, judged by its needs and by what reads alone tell. */
#ifndef KERNEL_RUN_NEEDS_H
#define KERNEL_RUN_NEEDS_H

#include "kernel/report/context.h"

/* Would the runner skip the test before it writes anything? Writes the reason to why. If false, the
 * test may still skip itself later. */
bool test_would_skip(const struct test *test, char *why, size_t size);

/* Runs the body, or skips it. The test's needs must be met. */
void test_run_body(struct test_context *t);

#endif
