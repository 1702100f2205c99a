/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a test has anything to do on this processor: its needs, and what else is told by reads.
 */
#ifndef KERNEL_RUN_NEEDS_H
#define KERNEL_RUN_NEEDS_H

#include "kernel/report/context.h"

/* Why the runner would skip it before it touches anything; false: it would begin, and may skip for
 * what it then finds. */
bool test_would_skip(const struct test *test, char *why, size_t size);

/* The body, or the skip in its place; its needs are met. */
void test_run_body(struct test_context *t);

#endif
