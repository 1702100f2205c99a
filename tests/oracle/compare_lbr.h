/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The LBR stack beside what it must hold, by the same alignment as a trace (compare.h): every
 * difference is a finding, entries numbered from the newest. Both return whether nothing differed
 * but what an erratum of this processor explains, and learn open choices on the way.
 */
#ifndef TESTS_ORACLE_COMPARE_LBR_H
#define TESTS_ORACLE_COMPARE_LBR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/report/test.h"
#include "tests/run/run.h"

/*
 * The newest entries must be the last transfers of the truth that MSR_LBR_SELECT lets pass, exactly
 * and in order; entries that nothing was recorded into must be as they were; the top of stack must
 * have moved on by the number of transfers recorded.
 */
bool lbr_compare(struct test_context *t, const struct transfer *truth, size_t count,
                 uint64_t select, const struct lbr_result *result);

/* The newest entries alone, with MSR_LBR_SELECT = 0; what is older may be anything. */
bool lbr_compare_newest(struct test_context *t, const struct transfer *truth, size_t count,
                        const struct lbr_result *result);

/* May BR_TYPE say so of this kind of transfer, as far as that is said (F20.22)? */
bool lbr_type_fits(uint32_t kind, unsigned type);

/* Two registers' worth of an entry alike? */
bool lbr_raw_equal(const struct lbr_raw *a, const struct lbr_raw *b);

#endif
