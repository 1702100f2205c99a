/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what a run with bystanders (tests/run/bystanders.h) recorded. */
#ifndef TESTS_ORACLE_BYSTANDER_CHECK_H
#define TESTS_ORACLE_BYSTANDER_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"

/* To be called before the first run: learns, by runs of its own, the choices that the comparison
 * needs. */
void bystanders_learn(struct test_context *t);

/*
 * The BTS buffer must hold the program's transfers, and the LBR stack its first `transfers` ones,
 * as far as the setting records them. The manual says nothing about a trace under MSR_LBR_SELECT or
 * while LBR_Frz is set, nor about the stack of Core microarchitecture while TR is set.
 */
bool bystanders_expect_trace(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run);
bool bystanders_expect_stack(struct test_context *t, const struct bystanders *beside,
                             const struct bystander_run *run, size_t transfers);

/* "LBR TR BTS; MSR_LBR_SELECT …": a note of the bystanders of a failure. */
void bystanders_note(struct test_context *t, unsigned row, const struct bystanders *beside);

#endif
