/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this run has not checked, in a few lines: for the log, and for the page at its end. */
#ifndef KERNEL_REPORT_COVERAGE_LINES_H
#define KERNEL_REPORT_COVERAGE_LINES_H

#include "kernel/report/coverage.h"

#define COVERAGE_LINE_SIZE    400u /* bytes, terminating zero included */
#define COVERAGE_NONE_LINES   8u   /* groups at most */
#define COVERAGE_INPART_LINES 4u

/* "3 of 5 claims checked, 1 of them in part". Returns text. Pure, as the next. */
char *coverage_figure(char text[COVERAGE_LINE_SIZE]);

/*
 * Group number i, from 0, of the claims in that state, COVERAGE_NONE or COVERAGE_IN_PART, which
 * have one reason: "T17-6.4 T17-6.5 (CPUID.01H:ECX[4].DS-CPL = 0)". "PEBS-*" stands for all whose
 * names begin so. The largest group comes first; where there are too many the last is of several
 * reasons. false beyond the last.
 */
bool coverage_group(enum coverage_state state, size_t i, char text[COVERAGE_LINE_SIZE]);

/* The claims of the scopes from first up to end that do not cover this processor are out. */
void coverage_apply_scopes(const struct claim_scope *first, const struct claim_scope *end);

/* "# coverage: …", and "# not checked: …" and "# checked in part: …", a line each group; place
 * stands behind those words: "# coverage@E2: …". */
void coverage_print(const char *place);

#endif
