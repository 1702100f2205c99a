/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which claims of the manual this run checked, and why it did not check the others. A claim is
 * checked if a test or subtest that names it made a check and was not skipped; it is checked in
 * part if another that names it was skipped, excused or not selected. Pure.
 */
#ifndef KERNEL_REPORT_COVERAGE_H
#define KERNEL_REPORT_COVERAGE_H

#include "kernel/report/findings.h"
#include "kernel/report/selection.h"

struct test_context; /* kernel/report/context.h */

#define COVERAGE_REASON_SIZE 128u /* bytes, terminating zero included; longer ones are cut */

enum coverage_fate {
    COVERAGE_CHECKED,
    COVERAGE_EXCUSED, /* errata explain all findings; they would hide a fault too */
    COVERAGE_SKIPPED,
};

enum coverage_state { COVERAGE_WHOLE, COVERAGE_IN_PART, COVERAGE_NONE };

struct coverage_claim {
    const char *id;
    enum coverage_state state;
    const char *reason; /* why it is not WHOLE, the most frequent reason */
};

/*
 * Forgets all notes. The claims are those of the tests of a normal run; tests that `chosen` lacks
 * count as not selected.
 */
void coverage_begin(const struct selection *all, const struct selection *chosen);

/*
 * Notes the fate of one claim (NULL: all claims of the test). why: the reason of a skip, or the
 * errata from errata_format_counts(). Self-tests check no claim of the manual.
 */
void coverage_note(const struct test *test, const char *claim, enum coverage_fate fate,
                   const char *why);

/* The same for a test that has ended, and for the subtest that t has just closed. */
void coverage_note_test(const struct test_context *t);
void coverage_note_subtest(const struct test_context *t);

/* The claim does not apply to this processor, and counts as not checked whatever was noted. why
 * must stay valid. */
void coverage_out_of_scope(const char *claim, const char *why);

/* Sets *claim to claim `i`, from 0, in the order of names. Returns false past the last. */
bool coverage_claim(size_t i, struct coverage_claim *claim);

/* What this run has not checked, in a few lines: for the log, and for the page at its end
 * (coverage_lines.c). */

#define COVERAGE_LINE_SIZE    400u /* bytes, terminating zero included */
#define COVERAGE_NONE_LINES   8u   /* groups at most */
#define COVERAGE_INPART_LINES 4u

/* "3 of 5 claims checked, 1 of them in part". Returns text. Pure, like the next. */
char *coverage_figure(char text[COVERAGE_LINE_SIZE]);

/*
 * Group i, from 0, of claims in a state (COVERAGE_NONE or COVERAGE_IN_PART) with the same reason:
 * "T17-6.4 T17-6.5 (CPUID.01H:ECX[4].DS-CPL = 0)". "PEBS-*" stands for all names that begin so. The
 * largest group comes first; with too many groups, the last combines reasons. Returns false past
 * the last.
 */
bool coverage_group(enum coverage_state state, size_t i, char text[COVERAGE_LINE_SIZE]);

/* Excludes claims of the scopes in [first, end) that do not cover this processor. */
void coverage_apply_scopes(const struct claim_scope *first, const struct claim_scope *end);

/* Prints "# coverage: …", and "# not checked: …" and "# checked in part: …" with a line for each
 * group. cpu_label follows those words: "# coverage@E2: …". */
void coverage_print(const char *cpu_label);

#endif
