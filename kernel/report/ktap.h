/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log's syntax, KTAP version 1. Nothing else writes it. Level 0 is the run, 1 a suite, 2 a
 * test's subtests; each level is indented two spaces more. Each call is one write to the console.
 *
 * Lines of structure are the version, "# Subtest:", plans and results. At the end their CRC-32 and
 * the number of results without parts are printed, for readers to find out what a log has lost.
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
 * From now on every call becomes a message there, for the processor that writes the log, instead of
 * lines. Numbers of results are that one's own business.
 */
void ktap_record_to(struct ktap_ring *ring);

/* From now on each line has its checksum: kernel/console/log_form.h. Before the first line. */
void ktap_add_sums(bool wanted);

/* The lines that follow are not for the screen, until it is false again. */
void ktap_spare_screen(bool is_spared);

/* From now on only what has something to say: kernel/report/ktap_compact.h. */
void ktap_make_compact(bool wanted);

/* What follows sums up: in such a ring a message that says so, in the log nothing. */
void ktap_begin_end(void);

/* Whether the log has begun. */
bool ktap_is_open(void);

/* "KTAP version 1", and "# Subtest: name" when there is a name. */
void ktap_open(unsigned level, const char *name);
void ktap_plan(unsigned level, unsigned count);

/* A plan of nothing, and why. */
void ktap_plan_nothing(const char *reason);

/* number counts from 1 at its level, where a compact log counts its own; reason belongs to
 * KTAP_SKIP, KTAP_XFAIL and KTAP_TIMEOUT and may be NULL otherwise. */
void ktap_result(unsigned level, enum ktap_outcome outcome, unsigned number, const char *name,
                 const char *reason);

/* From now on whoever listens hears of each result, right behind its line. The name is as given. */
typedef void (*ktap_listener)(unsigned level, enum ktap_outcome outcome, const char *name);
void ktap_listen(ktap_listener listener);

/* "# …"; a newline in the text starts another such line. */
void ktap_comment(unsigned level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Comments are dropped, until it is false again. */
void ktap_mute(bool is_muted);

/* … which a compact log has only where something is found behind it, in the same test. */
void ktap_aside(unsigned level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "# lab: WORD?", which every log has and whoever follows it answers. */
void ktap_ask_lab(unsigned level, const char *word);

/* One or more finished lines, each made a comment; length in bytes. */
void ktap_comment_lines(unsigned level, const char *text, unsigned long length);

/* "Bail out! reason": nothing that was planned comes any more. */
void ktap_bail_out(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "# error: …", the reason of a verdict ERROR. */
void ktap_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The last three lines of every log: totals of tests, what there is to check, verdict. Before them
 * a compact one says how many of the results it shows. */
void ktap_end(const struct ktap_totals *totals, enum verdict verdict);

/* The check value so far. */
uint32_t ktap_check(void);

const char *ktap_verdict_name(enum verdict verdict);
enum console_colour ktap_verdict_colour(enum verdict verdict);

#endif
