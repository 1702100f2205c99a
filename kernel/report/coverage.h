/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which claims of the manual this run has checked, and why it has not checked the others: what a
 * PASS does not say by itself. A claim is checked where a test that names it, or a subtest, made a
 * check and was not skipped; in part, where another one that names it was skipped, excused or not
 * selected. Pure.
 */
#ifndef KERNEL_REPORT_COVERAGE_H
#define KERNEL_REPORT_COVERAGE_H

#include "kernel/report/findings.h"
#include "kernel/report/selection.h"

struct test_context; /* kernel/report/context.h */

#define COVERAGE_REASON_SIZE 128u /* bytes, terminating zero included; longer ones are cut */

enum coverage_fate {
    COVERAGE_CHECKED,
    COVERAGE_EXCUSED, /* errata explain all that was found: of a faulty processor they would, too */
    COVERAGE_SKIPPED,
};

enum coverage_state { COVERAGE_WHOLE, COVERAGE_IN_PART, COVERAGE_NONE };

struct coverage_claim {
    const char *id;
    enum coverage_state state;
    const char *reason; /* why it is not WHOLE: the one that was given most often */
};

/*
 * Forgets what was noted of it. The claims are those that the tests of a normal run name; of those
 * that chosen lacks it is known that they were not selected.
 */
void coverage_begin(const struct selection *all, const struct selection *chosen);

/*
 * What became of one claim (NULL: of all that the test names). why is a sentence of a skip, or the
 * errata as errata_format_counts() writes them. Self-tests check no claim of the manual.
 */
void coverage_note(const struct test *test, const char *claim, enum coverage_fate fate,
                   const char *why);

/* The same of a test that has ended, and of the subtest that t has just closed. */
void coverage_note_test(const struct test_context *t);
void coverage_note_subtest(const struct test_context *t);

/* The claim says nothing of this processor: it counts as not checked, whatever was noted. why must
 * stay. */
void coverage_out_of_scope(const char *claim, const char *why);

/* Claim number i, from 0, in the order of their names; false beyond the last. */
bool coverage_claim(size_t i, struct coverage_claim *claim);

#endif
