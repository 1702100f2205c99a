/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must have frozen, what must not, and what thaws it, after one interrupt of a chosen trigger.
 */
#ifndef TESTS_ORACLE_FREEZE_CHECK_H
#define TESTS_ORACLE_FREEZE_CHECK_H

#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/run/freeze_run.h"

/* "legacy" for architectural performance monitoring versions 2 and 3, "streamlined" from 4 on
 * (F7.1). */
const char *freeze_flavour_name(void);

/* Of the LBR stack alone: VALUE_LEGACY or VALUE_STREAMLINED; VALUE_UNKNOWN on a Goldmont that has
 * not frozen yet (D 12). */
enum choice_value freeze_lbr_flavour(void);

/* Has the counter an event that this test can make happen? */
bool freeze_can_trigger(struct counter counter);

/* Runs the trigger with bits 11 and 12 of IA32_DEBUGCTL as given, and checks all of it. */
void freeze_check(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits);

/* Whether the manual says both of the LBR stack, that it freezes one way and the other (D 12). */
bool freeze_of_lbr_is_open(void);

#endif
