/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run beside bystanders must have recorded. */
#ifndef TESTS_ORACLE_BYSTANDER_CHECK_H
#define TESTS_ORACLE_BYSTANDER_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"

/* Before the first run: learns what the comparison asks for by runs of its own. */
void bystanders_learn(struct test_context *t);

/*
 * The first so many transfers of the program, in the BTS buffer and in the LBR stack, as far as the
 * setting records them and says so: nothing is said of a trace under MSR_LBR_SELECT, of one while
 * LBR_Frz is set, and of the stack of Core microarchitecture while TR is set.
 */
bool bystanders_expect_trace(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run);
bool bystanders_expect_stack(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run, size_t transfers);

/* "LBR TR BTS; MSR_LBR_SELECT …": a note that says what stood beside a failure. */
void bystanders_note(struct test_context *t, unsigned row, const struct bystanders *beside);

#endif
