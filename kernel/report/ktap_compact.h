/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log for a slow line (log=compact): every test has its line, but of its subtests only those that
 * have something to say. A block's plan stands at its head and has to be kept, so those that were
 * skipped wait for the end of the test. What is worse does not wait, for the machine may stop at
 * any moment: from there on every subtest of the test is told, as the plan then says. Pure.
 */
#ifndef KERNEL_REPORT_KTAP_COMPACT_H
#define KERNEL_REPORT_KTAP_COMPACT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/console/console.h"
#include "kernel/report/verdict.h"

/* In the place of a reason: it is that of the result before, in the same block. */
#define KTAP_SAME_REASON "as above"

/* What kernel/report/ktap.h is asked for, at LEVEL_SUBTEST. */
void ktap_compact_open(const char *name);
void ktap_compact_plan(unsigned count);
void ktap_compact_result(enum ktap_outcome outcome, const char *name, const char *reason);

/* The result of a test comes, or of anything above it. */
void ktap_compact_end(unsigned level, enum ktap_outcome outcome);

/* A remark comes. */
void ktap_compact_remark(unsigned level);

/* A remark that is not worth a line unless something is found; whole, without its newline. */
void ktap_compact_aside(const char *text);

/* The reason of the result that comes next, which is no subtest's, or the words above. */
const char *ktap_compact_reason(unsigned level, enum ktap_outcome outcome, const char *reason);

#endif
