/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Did the debug exceptions of branch-stepping come where the truth has taken branches? */
#ifndef TESTS_STEP_BRANCH_STEP_CHECK_H
#define TESTS_STEP_BRANCH_STEP_CHECK_H

#include <stdbool.h>
#include "kernel/report/test.h"
#include "tests/step/branch_stepper.h"

/*
 * One debug exception for each near branch that executed with TF set, at its target, and no others.
 * Open, so observed and held to: far transfers (F9.9), interrupts and exceptions (D 10). Delivery
 * through a gate clears TF until IRET; any other IRET of the program must leave TF set. DR6.BS must
 * be set, BTF cleared. Fills in *stepped: the program's transfers with those of the debug
 * exceptions in between, as a trace must have them. False after a test_fail().
 */
bool branch_step_check(struct test_context *t, const struct program *program,
                       const struct branch_stepper_run *run,
                       const struct branch_stepper_result *result, struct program *stepped);

#endif
