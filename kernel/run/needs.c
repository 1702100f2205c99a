/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/needs.h"

#include "kernel/run/plan.h"

static bool has_nothing_to_do(const struct test *test, char *why, size_t size)
{
    const struct suite *suite = selection_suite(plan_all(), test->suite);

    return (suite->unless != NULL && suite->unless(why, size)) ||
           (test->unless != NULL && test->unless(why, size));
}

bool test_would_skip(const struct test *test, char *why, size_t size)
{
    enum feature missing = feature_missing(test->needs);

    if (missing == FEATURE_COUNT)
        return has_nothing_to_do(test, why, size);
    feature_missing_reason(missing, why, size);
    return true;
}

void test_run_body(struct test_context *t)
{
    char why[CONTEXT_REASON_SIZE];

    if (has_nothing_to_do(t->test, why, sizeof(why)))
        test_skip(t, "%s", why);
    else
        t->test->body(t);
}
