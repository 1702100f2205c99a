/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/summary.h"

#include "arch/lib/printf.h"

static struct summary so_far;

void summary_add_failure(const struct test_context *t)
{
    struct failure *failure = &so_far.failures[so_far.failure_count];

    if (so_far.failure_count == SUMMARY_FAILURES)
        return;
    so_far.failure_count++;
    failure->test = t->test;
    failure->broken = t->broken;
    failure->subtests = t->failed_subtests;
    format_string(failure->subtest, sizeof(failure->subtest), "%s", t->failed_subtest);
}

void summary_add_skip(enum feature missing)
{
    if (missing < FEATURE_COUNT)
        so_far.missing[missing]++;
    else
        so_far.other_skips++;
}

const struct summary *summary(void)
{
    return &so_far;
}
