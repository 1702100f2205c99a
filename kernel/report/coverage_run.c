/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Coverage between the runner and kernel/report/coverage.h: what became of each (sub)test, and the
 * lines.
 */
#include "kernel/report/context.h"
#include "kernel/report/coverage_lines.h"
#include "kernel/report/ktap.h"

#define STARVED "starved: it had too little time to end"

/* One that made no check but of its own set-up says nothing. */
static void note_made(const struct test_context *t, const char *claim, unsigned checks)
{
    if (checks > 0)
        coverage_note(t->test, claim, COVERAGE_CHECKED, NULL);
}

void coverage_note_subtest(const struct test_context *t)
{
    const struct subtests *sub = &t->sub;

    if (sub->failed && !sub->unexpected)
        coverage_note(t->test, sub->claim, COVERAGE_EXCUSED, sub->errata);
    else if (sub->starved)
        coverage_note(t->test, sub->claim, COVERAGE_SKIPPED, STARVED);
    else if (sub->skipped && !sub->failed)
        coverage_note(t->test, sub->claim, COVERAGE_SKIPPED, sub->reason);
    else
        note_made(t, sub->claim, t->checks - sub->checks_before);
}

/* Where there are subtests, what they named has been noted; the rest of the test is to set it up.
 */
void coverage_note_test(const struct test_context *t)
{
    char errata[CONTEXT_REASON_SIZE];

    if (t->starved && !t->unexpected)
        coverage_note(t->test, NULL, COVERAGE_SKIPPED, STARVED);
    else if (t->skipped && !t->failed)
        coverage_note(t->test, NULL, COVERAGE_SKIPPED, t->reason);
    else if (t->sub.has_plan)
        return;
    else if (context_failed_as_expected(t))
        coverage_note(t->test, NULL, COVERAGE_EXCUSED,
                      errata_format_counts(t->explained_in_all, errata, sizeof(errata)));
    else
        note_made(t, NULL, t->checks);
}

static void print_groups(enum coverage_state state, const char *what, const char *place)
{
    char text[COVERAGE_LINE_SIZE];

    for (size_t i = 0; coverage_group(state, i, text); i++)
        ktap_comment(LEVEL_RUN, "%s%s: %s", what, place, text);
}

void coverage_apply_scopes(const struct claim_scope *first, const struct claim_scope *end)
{
    for (const struct claim_scope *s = first; s < end; s++) {
        if (!s->covers_this())
            coverage_out_of_scope(s->claim, s->why_not);
    }
}

void coverage_print(const char *place)
{
    char text[COVERAGE_LINE_SIZE];

    ktap_comment(LEVEL_RUN, "coverage%s: %s", place, coverage_figure(text));
    print_groups(COVERAGE_NONE, "not checked", place);
    print_groups(COVERAGE_IN_PART, "checked in part", place);
}
