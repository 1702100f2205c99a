/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One entry of the LBR stack beside one transfer: must it be there, what may stand in it, and what
 * it tells of what the manual leaves open. select: MSR_LBR_SELECT, or IA32_LBR_CTL's filter as if
 * it stood there.
 */
#ifndef TESTS_ORACLE_LBR_ENTRY_H
#define TESTS_ORACLE_LBR_ENTRY_H

#include "kernel/report/test.h"
#include "tests/oracle/align.h"
#include "tests/run/run.h"

/* Must the transfer have an entry? By what is learnt until now, as all below. */
enum presence lbr_entry_presence(uint64_t select, const struct transfer *transfer);

enum likeness lbr_entry_like(uint64_t select, const struct lbr_entry *entry,
                             const struct transfer *transfer);

/* TO alone. */
bool lbr_entry_is_to(const struct lbr_entry *entry, const struct transfer *transfer);

/* FROM, of the readings that are still possible the address. */
uint64_t lbr_entry_from(uint64_t select, const struct transfer *transfer);

/* The entry is the transfer's: learns from it. */
void lbr_entry_learn(struct test_context *t, uint64_t select, const struct lbr_entry *entry,
                     const struct transfer *transfer);

/* The transfer has none, for sure. */
void lbr_entry_learn_absent(struct test_context *t, uint64_t select,
                            const struct transfer *transfer);

#endif
