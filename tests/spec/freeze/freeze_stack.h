/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the LBR stack that an interrupt has frozen, or has not, with the interrupted program.
 * The three checks return false after a finding. */
#ifndef TESTS_SPEC_FREEZE_FREEZE_STACK_H
#define TESTS_SPEC_FREEZE_FREEZE_STACK_H

#include "kernel/report/test.h"
#include "tests/spec/freeze/freeze_run.h"

/* Checks that the interrupt's routine found the program's branches up to the freeze in the stack,
 * and that the stack did not change from there to the end (claims FRZ-2, FRZ-5). */
bool freeze_stack_is_frozen(struct test_context *t, const struct freeze_trigger *trigger,
                            const struct freeze_observation *seen);

/* Checks that the stack is not frozen: its newest entry must be a branch of the interrupt's routine
 * or, if trigger->held_off, the last branch of the program. */
bool freeze_stack_runs_on(struct test_context *t, const struct freeze_trigger *trigger,
                          const struct freeze_observation *seen);

/*
 * Checks that entries[0], the newest, is a branch of the program. It may equal entries[1] only if
 * the program repeats that branch, or ends with it. A finding of this check names as expected the
 * branch that follows entries[1] in the program.
 */
bool freeze_newest_is_a_branch(struct test_context *t, const struct program *program,
                               const struct lbr_entry *entries);

/*
 * Returns the number of the first transfer at which the freeze is too late, in a program of `end`
 * transfers. The counter overflows in the middle of the program. The interrupt is held off to the
 * end, but the freeze does not wait for it (F7.6). The manual does not say how late the freeze may
 * be, so only the last eighth of the program is too late.
 */
size_t freeze_latest(size_t end);

#endif
