/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run has shown so far, kept for what the screen shows of it. Pure. */
#ifndef KERNEL_REPORT_SUMMARY_H
#define KERNEL_REPORT_SUMMARY_H

#include "kernel/report/context.h"

#define SUMMARY_FAILURES 120u   /* later ones are counted only */
#define SUMMARY_LOG_SIZE 16384u /* bytes */

struct failure {
    const struct test *test;
    const char *place; /* struct test_context */
    struct claim_set broken;
    unsigned subtests;                 /* that failed, */
    char subtest[CONTEXT_NAME_SIZE];   /* and the first of them */
    char finding[CONTEXT_REASON_SIZE]; /* the first, of the test or of a subtest, or "" */
};

struct summary {
    struct failure failures[SUMMARY_FAILURES];
    unsigned failure_count;
    unsigned missing[FEATURE_COUNT]; /* tests skipped because the feature is missing */
    unsigned other_skips;            /* … because the test itself said so */
    char log[SUMMARY_LOG_SIZE];      /* whole lines of it, from behind the last test on */
    size_t log_length;
};

/* A test that failed, and no erratum explains it. */
void summary_add_failure(const struct test_context *t);

/* A test that was skipped: the feature that is missing, or FEATURE_COUNT. */
void summary_add_skip(enum feature missing);

/* What another processor has come to: failures, the place of each being there, and skips. */
void summary_add_all(const struct summary *its, const char *there);

/* The last test has run: what the log tells from now on, up to its last lines, sums up. */
void summary_begin_end(void);
void summary_end_end(void);

/* Text of the log, as it comes: kept between those two, whole lines as far as there is room. */
void summary_take_log(const char *text, size_t length);

const struct summary *summary(void);

#endif
