/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The LBR stack that an interrupt has frozen, or has not, beside the program that was interrupted.
 */
#ifndef TESTS_ORACLE_FREEZE_STACK_H
#define TESTS_ORACLE_FREEZE_STACK_H

#include "kernel/report/test.h"
#include "tests/run/freeze_run.h"

/* The program's branches up to the moment of the freeze, until its end (FRZ-2, FRZ-5). */
bool freeze_stack_is_frozen(struct test_context *t, const struct freeze_trigger *trigger,
                            const struct freeze_seen *seen);

/* Not frozen: the routine's own branches are the newest entries by now, or else the program's last.
 */
bool freeze_stack_runs_on(struct test_context *t, const struct freeze_trigger *trigger,
                          const struct freeze_seen *seen);

/*
 * The newest entry is the branch of the program that follows the entry before it. Where it is none,
 * or that one once more, the finding has what it should be. entries: newest first.
 */
bool freeze_newest_is_a_branch(struct test_context *t, const struct program *program,
                               const struct lbr_entry *entries);

/*
 * The overflow is in the middle, the interrupt waits for the end of the program and does not freeze
 * it (F7.6). How late the freeze may be is open: most of the rest of the program is allowed.
 */
size_t freeze_latest(size_t end);

#endif
