/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log for a slow line (log=compact): a line for every test, but only for subtests that did not
 * pass. A block's plan comes first and must be met, so skipped subtests wait for the end of the
 * test. Failures do not wait, because the machine may stop at any moment; from then on every
 * subtest of the test has a line, and the plan says so. Pure.
 */
#ifndef KERNEL_REPORT_KTAP_COMPACT_H
#define KERNEL_REPORT_KTAP_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/console/console.h"
#include "kernel/report/verdict.h"

/* Printed instead of a reason that repeats the previous result's, in the same block. */
#define KTAP_SAME_REASON "as above"

/* Calls of kernel/report/ktap.h at LEVEL_SUBTEST. */
void ktap_compact_open(const char *name);
void ktap_compact_plan(unsigned count);
void ktap_compact_result(enum ktap_outcome outcome, const char *name, const char *reason);

/* Call it before a result of a test or of a level above. */
void ktap_compact_end(unsigned level, enum ktap_outcome outcome);

/* Call it before a comment. */
void ktap_compact_comment(unsigned level);

/* A comment for ktap_detail(): whole, without its newline. */
void ktap_compact_detail(const char *text);

/* Returns the reason to print for the next result (not a subtest's), KTAP_SAME_REASON if it repeats
 * the previous one. */
const char *ktap_compact_reason(unsigned level, enum ktap_outcome outcome, const char *reason);

#endif
