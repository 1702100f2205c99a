/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks, after one interrupt of a chosen trigger, what froze, what did not, and what ends the
 * freeze. */
#ifndef TESTS_SPEC_FREEZE_FREEZE_CHECK_H
#define TESTS_SPEC_FREEZE_FREEZE_CHECK_H

#include "kernel/report/test.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/freeze/freeze_run.h"

/* Does the counter have an event that this test can cause? */
bool freeze_can_trigger(struct counter counter);

/* Can this processor freeze by these of bits 11 and 12 of IA32_DEBUGCTL? Counters freeze with or
 * without an LBR stack (claim FRZ-13); the stack must exist. */
bool freeze_is_possible(uint64_t bits);

/* No counter counted between the two looks, `when`. Returns whether that is so, or an erratum
 * explains it. */
bool freeze_expect_still(struct test_context *t, const struct counters_seen *a,
                         const struct counters_seen *b, const char *when);

/* Runs the trigger with bits 11 and 12 of IA32_DEBUGCTL as given, and checks everything. */
void freeze_check(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits);

#endif
