/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the LBR stack that a run left with the truth of its program. */
#ifndef TESTS_ORACLE_LBR_CHECK_H
#define TESTS_ORACLE_LBR_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/oracle/compare_lbr.h"
#include "tests/run/run.h"

/* The one of a claim of the stack of a model and one of architectural LBRs that this processor has
 * to keep. */
const char *lbr_claim(const char *of_model, const char *architectural);

/* run_program() and lbr_compare() of a program's own truth. */
bool lbr_check(struct test_context *t, const struct program *program, const struct run *run);

/* All registers of the stack and the top of stack alike? */
bool lbr_same(const struct lbr_snapshot *a, const struct lbr_snapshot *b);

/* Are both addresses those of the transfer, as far as the entry keeps them? */
bool lbr_is_transfer(const struct lbr_entry *entry, const struct transfer *transfer);

/* Number of the program's transfer that the entry is of; the program's count when it is none. */
size_t lbr_position_in(const struct program *program, const struct lbr_entry *entry);

/*
 * Whether TR without LBR goes on updating the stack, BTS as in debugctl, by a run of its own when
 * no test has asked before (D 9); with BTS that run programs the DS save area anew.
 */
bool lbr_tr_feeds(struct test_context *t, uint64_t debugctl);

/* On Core microarchitecture nothing is said about the stack while TR is set (F2.8). */
bool lbr_is_undefined_with_tr(void);

#endif
