/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of many failures, for tests of the pages at its end. */
#ifndef TESTS_HOST_UNIT_SAMPLE_FAILURES_H
#define TESTS_HOST_UNIT_SAMPLE_FAILURES_H

#include "kernel/report/sums/sums.h"
#include "kernel/screen/end_page.h"
#include "tests/host/unit/page_text.h"

#define TESTS 200u

static const char *const some_claims[] = {"BTS-1", "T17-6.7", "PEBS-12"};
static unsigned sentences;
static struct test tests[TESTS];
static char names[TESTS][32];
static struct ktap_totals totals;
static const struct machine_name machine = SAMPLE_MACHINE;

void feature_missing_reason(enum feature feature, char *text, size_t size)
{
    snprintf(text, size, "reason %u", feature);
}

const char *feature_name(enum feature feature)
{
    (void)feature;
    return "a feature";
}

/* These stand in for kernel/report/sums: of some sentences, then a line for each claim. */
size_t sums_kinds(void)
{
    return sentences;
}

const char *sums_line(size_t i)
{
    static char line[SUMS_LINE];

    if (i >= sentences + (summary()->failure_count > 0) * 3u)
        return NULL;
    if (i < sentences)
        snprintf(line, sizeof(line), "sentence %zu: it does not do what it must do", i);
    else
        snprintf(line, sizeof(line), "claim %s is broken", some_claims[i - sentences]);
    return line;
}

const char *sums_claim(size_t i)
{
    size_t known = summary()->failure_count > 3 ? 3 : summary()->failure_count;

    return i < known ? some_claims[i] : NULL;
}

static inline void fail_one(unsigned i)
{
    static struct test_context context;

    snprintf(names[i], sizeof(names[i]), "test_number_%u", i);
    tests[i] = (struct test){.suite = "suite", .name = names[i]};
    memset(&context, 0, sizeof(context));
    context.test = &tests[i];
    for (unsigned j = 0; j < i % 4; j++)
        claim_set_add(&context.broken, some_claims[j]);
    context.failed_subtests = i % 3;
    snprintf(context.failed_subtest, sizeof(context.failed_subtest), "subtest_of_%u", i);
    if (i % 5 > 0)
        snprintf(context.first_finding, sizeof(context.first_finding), "what was found in %u", i);
    summary_add_failure(&context);
    totals.fail++;
    totals.run = totals.planned = totals.fail;
}

#endif
