/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which transfers of the truth does a setting of MSR_LBR_SELECT suppress (F8.20)? */
#ifndef TESTS_SPEC_LBR_FILTER_H
#define TESTS_SPEC_LBR_FILTER_H

#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/workloads/workload.h"

enum lbr_verdict { LBR_RECORDS, LBR_SUPPRESSES, LBR_OPEN };

/*
 * LBR_OPEN: the manual does not say, and no reading is learnt yet. *open_bit is then the bit of
 * `select` that is open; 0: several are, so nothing can be learnt.
 */
enum lbr_verdict lbr_filter_judge(uint64_t select, const struct transfer *transfer,
                                  uint64_t *open_bit);

/* Learns from a transfer that was left open. bit: *open_bit, if not 0. */
void lbr_filter_learn(struct test_context *t, uint64_t bit, const struct transfer *transfer,
                      bool recorded);

#endif
