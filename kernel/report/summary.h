/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results so far, kept for the screen. Pure. */
#ifndef KERNEL_REPORT_SUMMARY_H
#define KERNEL_REPORT_SUMMARY_H

#include "kernel/report/context.h"

#define SUMMARY_FAILURES 120u    /* later ones are counted only */
#define SUMMARY_LOG_SIZE 131072u /* bytes; `list` fills most of it */

struct failure {
    const struct test *test;
    const char *cpu_label; /* struct test_context */
    struct claim_set broken;
    unsigned subtests;                 /* failed ones */
    char subtest[CONTEXT_NAME_SIZE];   /* the first of them */
    char finding[CONTEXT_REASON_SIZE]; /* the first, of test or subtests, or "" */
};

struct summary {
    struct failure failures[SUMMARY_FAILURES];
    unsigned failure_count;
    unsigned missing[FEATURE_COUNT]; /* tests skipped because the feature is missing */
    unsigned other_skips;            /* for a reason of the test itself */
    const char *log;                 /* whole lines of it after the last test, or of a list */
    size_t log_length;
    bool log_is_cut; /* there was no room for the rest */
};

/* Adds a test that failed, unexplained by errata. */
void summary_add_failure(const struct test_context *t);

/* Adds a skipped test, with the missing feature or FEATURE_COUNT. */
void summary_add_skip(enum feature missing);

/* Adds another processor's failures and skips. there: its suffix, for the failures' place. */
void summary_add_all(const struct summary *its, const char *there);

/* Mark the begin and end of the log's summary, between the last test and the last lines; of what
 * is printed instead of tests. */
void summary_begin_end(void);
void summary_end_end(void);

/* Takes text of the log. Between those two calls it is kept, in whole lines up to the first for
 * which there is no room. */
void summary_take_log(const char *text, size_t length);

const struct summary *summary(void);

#endif
