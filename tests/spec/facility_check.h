/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the registers of the facilities under test with what they must be. */
#ifndef TESTS_SPEC_FACILITY_CHECK_H
#define TESTS_SPEC_FACILITY_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/facility.h"

/* A difference breaks the claim about the register, besides that of the subtest. Returns true if
 * all agree. */
bool facility_expect(struct test_context *t, const struct facility *got,
                     const struct facility *expected);

#endif
