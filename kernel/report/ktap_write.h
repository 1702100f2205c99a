/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes and counts lines of the log. For kernel/report/ktap.c and kernel/report/ktap_compact.c
 * only. */
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
    struct ktap_counts shown; /* of those lines */
    struct ktap_counts all;   /* and of lines left out */
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

/* kernel/report/ktap.h */
void ktap_write_sums(bool wanted);
void ktap_write_off_screen(bool wanted);

/* Counts so far. */
const struct ktap_record *ktap_written(void);

#endif
