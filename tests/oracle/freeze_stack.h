/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the LBR stack that an interrupt has frozen, or has not, with the interrupted program. */
#ifndef TESTS_ORACLE_FREEZE_STACK_H
#define TESTS_ORACLE_FREEZE_STACK_H

#include "kernel/report/test.h"
#include "tests/run/freeze_run.h"

/* The stack must hold the program's branches up to the freeze, and stay so to the end (claims
 * FRZ-2, FRZ-5). */
bool freeze_stack_is_frozen(struct test_context *t, const struct freeze_trigger *trigger,
                            const struct freeze_observation *seen);

/* The stack must not be frozen: the newest entries are the routine's own branches, or the program's
 * last ones. */
bool freeze_stack_runs_on(struct test_context *t, const struct freeze_trigger *trigger,
                          const struct freeze_observation *seen);

/*
 * The newest entry must be the program's branch that follows the entry before it. The finding says
 * what it should be if it is no branch, or that one again. entries: newest first.
 */
bool freeze_newest_is_a_branch(struct test_context *t, const struct program *program,
                               const struct lbr_entry *entries);

/*
 * Number of the last transfer at which the freeze may come, in a program of `end` transfers. The
 * counter overflows in the middle of the program. The interrupt is held off to the end, but the
 * freeze does not wait for it (F7.6). The manual does not say how late the freeze may be, so it may
 * come in most of the rest of the program.
 */
size_t freeze_latest(size_t end);

#endif
