/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of tests/run/sampling.h with architectural PEBS. */
#ifndef TESTS_RUN_SAMPLING_ARCH_H
#define TESTS_RUN_SAMPLING_ARCH_H

#include "tests/run/sampling.h"

/* Runs, fills in the results, and switches everything off. Returns why it could not be set up, or
 * NULL.
 */
const char *sampling_arch_run(struct test_context *t, struct sampling *sampling);

#endif
