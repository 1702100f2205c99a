/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the LBR stack with what it must hold, aligned as a trace is (compare.h). Every
 * difference is a finding, with entries numbered from the newest. Both comparisons learn open
 * choices, and return true if nothing differed except what an erratum of this processor explains.
 */
#ifndef TESTS_SPEC_COMPARE_LBR_H
#define TESTS_SPEC_COMPARE_LBR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/*
 * The newest entries must be the last transfers of the truth that MSR_LBR_SELECT lets pass, in
 * order. Other entries must be unchanged. The top of stack must have moved by the number of
 * transfers recorded.
 */
bool lbr_compare(struct test_context *t, const struct transfer *truth, size_t count,
                 uint64_t select, const struct lbr_result *result);

/* The same where the program changes MSR_LBR_SELECT: transfers from number `change` on pass the
 * second filter. */
bool lbr_compare_across(struct test_context *t, const struct transfer *truth, size_t count,
                        size_t change, const uint64_t selects[2], const struct lbr_result *result);

/* The same for the newest entries only, with MSR_LBR_SELECT = 0; older ones may be anything. */
bool lbr_compare_newest(struct test_context *t, const struct transfer *truth, size_t count,
                        const struct lbr_result *result);

/* May BR_TYPE be this for this kind of transfer, as far as the manual says (F20.22)? */
bool lbr_type_fits(uint32_t kind, unsigned type);

/* Are all registers of two entries equal? */
bool lbr_raw_equal(const struct lbr_raw *a, const struct lbr_raw *b);

#endif
