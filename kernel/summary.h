/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run has shown so far, kept for the page at its end. Pure. */
#ifndef KERNEL_SUMMARY_H
#define KERNEL_SUMMARY_H

#include "kernel/context.h"

#define SUMMARY_FAILURES 120u /* more than any screen has rows for; later ones are counted only */

struct failure {
    const struct test *test;
    struct claim_set broken;
    unsigned subtests;               /* that failed, */
    char subtest[CONTEXT_NAME_SIZE]; /* and the first of them */
};

struct summary {
    struct failure failures[SUMMARY_FAILURES];
    unsigned failure_count;
    unsigned missing[FEATURE_COUNT]; /* tests skipped because the feature is missing */
    unsigned other_skips;            /* … because the test itself said so */
};

/* A test that failed, and no erratum explains it. */
void summary_add_failure(const struct test_context *t);

/* A test that was skipped: the feature that is missing, or FEATURE_COUNT. */
void summary_add_skip(enum feature missing);

const struct summary *summary(void);

#endif
