/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only interface to the log, in KTAP version 1. Level 0 is the run, 1 a suite, 2 a test's
 * subtests; each level is indented by two more spaces. Each call is one write to the console.
 *
 * Lines of structure are the version, "# Subtest:", plans and results. The end has their CRC-32 and
 * the number of results without parts, so that readers can detect lost lines.
 */
#ifndef KERNEL_REPORT_KTAP_H
#define KERNEL_REPORT_KTAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include "kernel/console/console.h"
#include "kernel/report/verdict.h"

struct ktap_ring; /* kernel/console/ktap_ring.h */

/*
 * Turns every call from now on into a message in the ring, for the processor that writes the log,
 * which numbers the results itself.
 */
void ktap_record_to(struct ktap_ring *ring);

/* Adds a checksum to each line (log=sum). Call it before the first line. */
void ktap_add_sums(bool wanted);

/* Makes the log compact: kernel/report/ktap_write.h. */
void ktap_make_compact(bool wanted);

/* Says in the ring that the summary follows. Writes nothing to the log. */
void ktap_begin_end(void);

/* Has the log begun? */
bool ktap_is_open(void);

/* Writes "KTAP version 1", and "# Subtest: name" unless name is NULL. */
void ktap_open(unsigned level, const char *name);
void ktap_plan(unsigned level, unsigned count);

/* Writes an empty plan, with the reason. */
void ktap_plan_nothing(const char *reason);

/* `number` counts from 1 at its level; a compact log counts for itself. KTAP_SKIP, KTAP_XFAIL and
 * KTAP_TIMEOUT need a reason; otherwise `reason` may be NULL. */
void ktap_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                 const char *reason);

/* Calls the listener after the line of each result, with the name as given. */
typedef void (*ktap_result_handler)(unsigned level, enum ktap_outcome outcome, const char *name);
void ktap_on_result(ktap_result_handler on_result);

/* Writes "# …"; a newline in the text starts another comment. */
void ktap_comment(unsigned level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Drops comments, until called with false. */
void ktap_mute(bool is_muted);

/* A comment that a compact log has only if the same test finds something afterwards. */
void ktap_detail(unsigned level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes "# lab: WORD?", in compact logs too; the lab answers. */
void ktap_ask_lab(unsigned level, const char *word);

/* Makes each of the finished lines a comment; length in bytes. */
void ktap_comment_lines(unsigned level, const char *text, unsigned long length);

/* Writes "Bail out! reason"; no more of the plan follows. */
void ktap_bail_out(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes "# error: …", the reason of a verdict ERROR. */
void ktap_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the last three lines of the log: totals of tests, data for checks, verdict. In a compact
 * log a line before these says how many results it shows. */
void ktap_end(const struct ktap_totals *totals, enum verdict verdict);

/* The check value so far. */
uint32_t ktap_check(void);

const char *ktap_verdict_name(enum verdict verdict);
enum console_colour ktap_verdict_colour(enum verdict verdict);

#endif
