/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must have frozen, what must not, and what thaws it, after one interrupt of a chosen trigger.
 */
#ifndef TESTS_ORACLE_FREEZE_CHECK_H
#define TESTS_ORACLE_FREEZE_CHECK_H

#include "kernel/report/test.h"
#include "tests/oracle/freeze_flavour.h"
#include "tests/run/freeze_run.h"

/* Has the counter an event that this test can make happen? */
bool freeze_can_trigger(struct counter counter);

/* With these of bits 11 and 12 of IA32_DEBUGCTL: counters freeze with and without an LBR stack
 * beside them (FRZ-13), the stack where there is one. */
bool freeze_is_possible(uint64_t bits);

/* Runs the trigger with bits 11 and 12 of IA32_DEBUGCTL as given, and checks all of it. */
void freeze_check(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits);

#endif
