/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MSR_LBR_SELECT as a filter over the truth: which transfers does a setting suppress (F8.20)? */
#ifndef TESTS_ORACLE_LBR_FILTER_H
#define TESTS_ORACLE_LBR_FILTER_H

#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/workloads/workload.h"

enum lbr_verdict { LBR_RECORDS, LBR_SUPPRESSES, LBR_OPEN };

/*
 * OPEN: the manual does not say; *open_bit is the bit that it is about. A reading that is known is
 * applied already.
 */
enum lbr_verdict lbr_filter_judge(uint64_t select, const struct transfer *transfer,
                                  uint64_t *open_bit);

/* What a transfer that was left open showed; bit: the open one. */
void lbr_filter_learn(struct test_context *t, uint64_t bit, const struct transfer *transfer,
                      bool recorded);

#endif
