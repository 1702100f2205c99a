/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares one entry of the LBR stack with one transfer: must it exist, what may it hold, and what
 * does it show where the manual leaves a point open? select: MSR_LBR_SELECT, or the filter of
 * IA32_LBR_CTL in the form of MSR_LBR_SELECT.
 */
#ifndef TESTS_SPEC_LBR_ENTRY_H
#define TESTS_SPEC_LBR_ENTRY_H

#include "kernel/report/test.h"
#include "tests/spec/align.h"
#include "tests/run/run.h"

/* Must the transfer have an entry? Like all functions below, answers by what is learnt so far. */
enum presence lbr_entry_presence(uint64_t select, const struct transfer *transfer);

enum likeness lbr_entry_like(uint64_t select, const struct lbr_entry *entry,
                             const struct transfer *transfer);

/* Does TO agree? */
bool lbr_entry_is_to(const struct lbr_entry *entry, const struct transfer *transfer);

/* The FROM to expect: the branch's address; or all ones, if the branch leaves a ring that the
 * filter suppresses and this processor hides its address. */
uint64_t lbr_entry_from(uint64_t select, const struct transfer *transfer);

/* Learns from an entry that is this transfer's. */
void lbr_entry_learn(struct test_context *t, uint64_t select, const struct lbr_entry *entry,
                     const struct transfer *transfer);

/* Learns from a transfer that certainly has no entry. */
void lbr_entry_learn_absent(struct test_context *t, uint64_t select,
                            const struct transfer *transfer);

#endif
