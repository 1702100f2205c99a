/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log for a slow line (log=compact). Every test has a line. A subtest has a line only if it did
 * not pass.
 *
 * The plan of a block of subtests must come before its lines and give their number. Therefore lines
 * of skipped subtests wait for the end of the test. A failure is written at once, because the
 * machine may stop at any moment. Its block then opens with a plan for the subtests skipped so far
 * and all that are still to come, and each of those has a line, passed or not. Pure.
 */
#ifndef KERNEL_REPORT_KTAP_COMPACT_H
#define KERNEL_REPORT_KTAP_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/console/console.h"
#include "kernel/report/verdict.h"

/* Printed instead of a reason that is the same as that of the previous result in the block. */
#define KTAP_SAME_REASON "as above"

/* Calls of kernel/report/ktap.h at LEVEL_SUBTEST. */
void ktap_compact_open(const char *name);
void ktap_compact_plan(unsigned count);
void ktap_compact_result(enum ktap_outcome outcome, const char *name, const char *reason);

/* Call it before a result of a test or of a level above. */
void ktap_compact_end(unsigned level, enum ktap_outcome outcome);

/* Call it before a comment. */
void ktap_compact_comment(unsigned level);

/*
 * Keeps a comment of ktap_detail() until it is needed. text: the whole comment, without a newline.
 */
void ktap_compact_detail(const char *text);

/* Returns what to print as the reason of the next result, which is no subtest's: the reason, or
 * KTAP_SAME_REASON if it repeats the previous one. */
const char *ktap_compact_reason(unsigned level, enum ktap_outcome outcome, const char *reason);

#endif
