/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did branch-stepping raise a debug exception after each taken branch of the truth, and nowhere
 * else? */
#ifndef TESTS_STEP_BRANCH_STEP_CHECK_H
#define TESTS_STEP_BRANCH_STEP_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/step/branch_stepper.h"

/*
 * Each near branch that executes with TF set must raise one debug exception, at its target, with
 * DR6.BS set and BTF cleared. The manual leaves open whether far transfers (F9.9), interrupts and
 * exceptions (D 10) do; the test observes that and holds the processor to it. Delivery through a
 * gate clears TF until IRET; any other IRET of the program must leave TF set. Fills in *stepped:
 * the transfers of program and debug exceptions, as a trace must have them. False after a
 * test_fail().
 */
bool branch_step_check(struct test_context *t, const struct program *program,
                       const struct branch_stepper_run *run,
                       const struct branch_stepper_result *result, struct program *stepped);

#endif
