/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of workloads, one subtest each, held against what was recorded. */
#ifndef TESTS_EXPECT_TRANSFER_RUN_H
#define TESTS_EXPECT_TRANSFER_RUN_H

#include <stdbool.h>
#include "kernel/test.h"
#include "tests/expect/program.h"

typedef const struct workload *const *workload_list;

/* Exactly the program's transfers in the branch trace store, all of Table 17-6's bits off but TR
 * and BTS. Interrupts are held off where hold_off says so. */
bool transfer_check_bts(struct test_context *t, const struct program *program, bool hold_off);

/* The newest entries of the LBR stack. */
bool transfer_check_lbr(struct test_context *t, const struct program *program, bool hold_off);

/* False after a test_skip() when this processor cannot execute the workload. */
bool transfer_is_possible(struct test_context *t, const struct workload *workload);

/* The whole list. */
void transfers_check_bts(struct test_context *t, workload_list first, workload_list end);
void transfers_check_lbr(struct test_context *t, workload_list first, workload_list end);

#endif
