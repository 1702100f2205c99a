/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the LBR stack that a run left with the truth of its program. */
#ifndef TESTS_SPEC_LBR_CHECK_H
#define TESTS_SPEC_LBR_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/spec/compare_lbr.h"
#include "tests/run/run.h"

/* Picks the claim for this processor's kind of stack: the legacy one of its model, or architectural
 * LBRs. */
const char *lbr_claim(const char *of_model, const char *architectural);

/*
 * Of a run that captured the stack (run->lbr): what is in it must be what the program recorded
 * under the run's setting, or what was there before. Checks nothing where the manual is silent, or
 * where an interrupt or a write may have changed what is recorded, and in call-stack mode. Learns
 * what the manual leaves open. Returns false after a finding that no erratum explains.
 */
bool lbr_check(struct test_context *t, const struct run *run, const struct observation *seen);

/* Before a run: learns by a run of its own, if it is not known, whether TR alone feeds the stack
 * where that counts (D 9). `program` stays valid. */
void lbr_check_prepare(struct test_context *t, const struct program *program,
                       const struct run *run);

/* Are all registers of the stack and the top of stack equal? */
bool lbr_same(const struct lbr_snapshot *a, const struct lbr_snapshot *b);

/* Are both addresses those of the transfer, as far as the entry keeps them? */
bool lbr_is_transfer(const struct lbr_entry *entry, const struct transfer *transfer);

/* The number of the program's transfer that the entry holds; if it holds none, how many transfers
 * the program has. */
size_t lbr_position_in(const struct program *program, const struct lbr_entry *entry);

/*
 * Is the stack updated while TR is set and LBR is clear (D 9), with BTS set or clear as in
 * `debugctl`? The first call for each finds out by a run of its own. If BTS is set, that run
 * programs the DS save area anew.
 */
bool lbr_tr_feeds(struct test_context *t, uint64_t debugctl);

/* True on Core microarchitecture: the manual says nothing about the stack while TR is set
 * (F2.8). */
bool lbr_is_undefined_with_tr(void);

#endif
