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
 * The first function checks that the BTS buffer holds the program's transfers. The second checks
 * that the LBR stack holds the first `transfers` of them. Both expect only what the setting
 * records. They check nothing where the manual is silent: a trace under MSR_LBR_SELECT or while
 * LBR_Frz is set, and the stack of Core microarchitecture while TR is set. They then return true.
 */
bool bystanders_expect_trace(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run);
bool bystanders_expect_stack(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run, size_t transfers);

/* Adds a note that lists the bystanders, for a failure: "beside it, row 3: IA32_DEBUGCTL LBR TR
 * BTS; …". */
void bystanders_note(struct test_context *t, unsigned row, const struct bystanders *beside);

#endif
