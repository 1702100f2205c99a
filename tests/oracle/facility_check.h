/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of the facilities under test, one by one, beside what they must be. */
#ifndef TESTS_ORACLE_FACILITY_CHECK_H
#define TESTS_ORACLE_FACILITY_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/run/facility.h"

/* A difference breaks the claim that the register belongs to, besides the subtest's. */
bool facility_expect(struct test_context *t, const struct facility *got,
                     const struct facility *expected);

#endif
