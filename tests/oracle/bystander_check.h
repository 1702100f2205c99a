/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what a run with bystanders (tests/run/bystanders.h) recorded. */
#ifndef TESTS_ORACLE_BYSTANDER_CHECK_H
#define TESTS_ORACLE_BYSTANDER_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"

/* Call it before the first run. Makes runs of its own, and learns from them the choices that the
 * comparison needs. */
void bystanders_learn(struct test_context *t);

/*
 * Checks that the LBR stack holds the first `transfers` of the program's transfers, as far as the
 * setting records them. Checks nothing where the manual is silent: while LBR_Frz is set and TR may
 * feed the stack, and on Core microarchitecture while TR is set. It then returns true.
 */
bool bystanders_expect_stack(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run, size_t transfers);

/* Adds a note that lists the bystanders, for a failure: "beside it, row 3: IA32_DEBUGCTL LBR TR
 * BTS; …". */
void bystanders_note(struct test_context *t, unsigned row, const struct bystanders *beside);

#endif
