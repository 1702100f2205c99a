/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes and counts lines of the log, and leaves some out. For kernel/report/ktap*.c only. */
#ifndef KERNEL_REPORT_KTAP_WRITE_H
#define KERNEL_REPORT_KTAP_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/console/console.h"
#include "kernel/report/verdict.h"

#define KTAP_LINE_SIZE 512u /* bytes; longer lines are cut */
#define KTAP_OUTCOMES  5u

struct ktap_counts {
    unsigned outcomes[KTAP_OUTCOMES]; /* results without parts, by enum ktap_outcome */
    unsigned depth;                   /* level of the innermost open block */
};

/* For readers to compare with their own counts. */
struct ktap_record {
    uint32_t check;           /* CRC-32 over the lines of structure */
    struct ktap_counts shown; /* results with a line */
    struct ktap_counts all;   /* these, and results left out */
};

/* Lines of structure. */
void ktap_write_open(unsigned level, const char *name); /* NULL: no name */
void ktap_write_plan(unsigned level, unsigned count);
void ktap_write_plan_nothing(const char *reason);
void ktap_write_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                       const char *reason);

/* Counts a result without a line. */
void ktap_leave_out(unsigned level, enum ktap_outcome outcome);

/* Writes any other line. */
void ktap_write_comment(unsigned level, enum console_colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ktap_add_sums() of kernel/report/ktap.h. */
void ktap_write_sums(bool wanted);

/* Counts so far. */
const struct ktap_record *ktap_written(void);

/*
 * A log for a slow line (log=compact). Every test has a line. A subtest has a line only if it did
 * not pass, or if a comment belongs to it. How many lines there are is known only at the end: the
 * plan of a block of subtests stands behind them. Nothing waits, because the machine may stop at
 * any moment. Pure.
 */

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
