/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run has not checked: a claim is whole, in part or not at all, and why, in a few lines. */
#include "kernel/report/context.h"
#include "kernel/report/coverage.h"

#include <stdlib.h>

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define TEST_OF(...)                                                                               \
    {                                                                                              \
        .suite = "suite", .name = "name", .claims = CLAIMS(__VA_ARGS__), .needs = NEEDS()          \
    }

static const struct test first = TEST_OF("BTS-10", "BTS-2", "CPL-1"),
                         second = TEST_OF("BTS-2", "T17-6.4"), last = TEST_OF("PEBS-1", "PEBS-2");
static const struct test selftest = {.suite = "selftest",
                                     .name = "name",
                                     .claims = CLAIMS("BTS-2", "SELF-1"),
                                     .needs = NEEDS(),
                                     .only_when_named = true,
                                     .is_selftest = true};
static struct selection all, chosen;

bool context_failed_as_expected(const struct test_context *t)
{
    return t->failed && !t->unexpected;
}

char *errata_format_counts(const unsigned *counts, char *text, size_t size)
{
    snprintf(text, size, "HSD53 x%u HSD1 x1", counts[0]);
    return text;
}

static void add(struct selection *selection, const struct test *test)
{
    selection->tests[selection->count++] = test;
}

/* All three are there; of which this run has some. */
static void begin(const struct test *a, const struct test *b, const struct test *c)
{
    all.count = chosen.count = 0;
    add(&all, &first);
    add(&all, &second);
    add(&all, &last);
    add(&all, &selftest);
    for (const struct test *const *at = (const struct test *const[]){a, b, c, NULL}; *at; at++)
        add(&chosen, *at);
    coverage_begin(&all, &chosen);
}

static void begin_whole(void)
{
    begin(&first, &second, &last);
}

/* "BTS-2: part: why" */
static const char *said_of(const char *id)
{
    static const char *const states[] = {"whole", "part", "none"};
    static char text[400];
    struct coverage_claim claim;

    for (size_t i = 0; coverage_claim(i, &claim); i++) {
        if (strcmp(claim.id, id) != 0)
            continue;
        CHECK((claim.state == COVERAGE_WHOLE) == (claim.reason == NULL), "%s: a reason", id);
        snprintf(text, sizeof(text), "%s%s%s", states[claim.state], claim.reason ? ": " : "",
                 claim.reason ? claim.reason : "");
        return text;
    }
    return "unknown";
}

static void check_names(void)
{
    static const char *const sorted[] = {"BTS-2", "BTS-10", "CPL-1", "PEBS-1", "PEBS-2", "T17-6.4"};
    struct coverage_claim claim;
    size_t i = 0;

    begin_whole();
    for (; coverage_claim(i, &claim); i++)
        CHECK(i < 6 && strcmp(claim.id, sorted[i]) == 0, "%zu is %s", i, claim.id);
    CHECK(i == 6, "%zu claims", i);
}

static void check_states(void)
{
    begin_whole();
    coverage_note(&first, NULL, COVERAGE_CHECKED, NULL);
    coverage_note(&second, "T17-6.4", COVERAGE_SKIPPED, "no DS-CPL");
    coverage_note(&last, NULL, COVERAGE_SKIPPED, "no PEBS");
    coverage_note(&last, "PEBS-1", COVERAGE_CHECKED, NULL);
    CHECK_TEXT(said_of("BTS-10"), "whole");
    CHECK_TEXT(said_of("T17-6.4"), "none: no DS-CPL");
    CHECK_TEXT(said_of("PEBS-1"), "part: no PEBS");
    CHECK_TEXT(said_of("PEBS-2"), "none: no PEBS");
    begin_whole();
    CHECK_TEXT(said_of("BTS-10"), "none: no check that names it was made");
}

/* The reason that most tests give; the first of several. */
static void check_reason_is_the_commonest(void)
{
    begin_whole();
    coverage_note(&second, NULL, COVERAGE_SKIPPED, "once");
    coverage_note(&second, NULL, COVERAGE_SKIPPED, "twice");
    CHECK_TEXT(said_of("BTS-2"), "none: once");
    coverage_note(&second, "BTS-2", COVERAGE_SKIPPED, "twice");
    CHECK_TEXT(said_of("BTS-2"), "none: twice");
    CHECK_TEXT(said_of("T17-6.4"), "none: once");
}

static void check_errata(void)
{
    begin_whole();
    coverage_note(&first, NULL, COVERAGE_EXCUSED, "HSD53 x12 HSD1 x1");
    coverage_note(&first, "CPL-1", COVERAGE_EXCUSED, "BDD1 x1");
    CHECK_TEXT(said_of("BTS-10"), "none: HSD53 HSD1 excused every check");
    coverage_note(&first, "BTS-10", COVERAGE_SKIPPED, "no AVX");
    CHECK_TEXT(said_of("BTS-10"), "none: HSD53 HSD1 excused every check");
    coverage_note(&second, "BTS-2", COVERAGE_CHECKED, NULL);
    CHECK_TEXT(said_of("BTS-2"), "part: HSD53 HSD1 excused a part");
}

static void check_scope(void)
{
    begin_whole();
    coverage_note(&second, NULL, COVERAGE_CHECKED, NULL);
    coverage_out_of_scope("T17-6.4", "no such row here");
    coverage_out_of_scope("FRZ-99", "no such claim");
    CHECK_TEXT(said_of("T17-6.4"), "none: no such row here");
    CHECK_TEXT(said_of("BTS-2"), "whole");
}

static void check_selection(void)
{
    begin(&second, NULL, NULL);
    coverage_note(&second, NULL, COVERAGE_CHECKED, NULL);
    CHECK_TEXT(said_of("T17-6.4"), "whole");
    CHECK_TEXT(said_of("BTS-2"), "part: other tests that name it were not selected");
    CHECK_TEXT(said_of("PEBS-1"), "none: not selected");
    coverage_out_of_scope("PEBS-1", "no such thing here");
    CHECK_TEXT(said_of("PEBS-1"), "none: not selected");
    begin(&selftest, NULL, NULL);
    coverage_note(&selftest, NULL, COVERAGE_CHECKED, NULL);
    CHECK_TEXT(said_of("BTS-2"), "none: not selected");
    CHECK_TEXT(said_of("SELF-1"), "unknown");
}

static const char *group(enum coverage_state state, size_t i)
{
    static char text[COVERAGE_LINE_SIZE];

    return coverage_group(state, i, text) ? text : "none such";
}

/* The largest first; a family that is whole is one word, one claim alone is itself. */
static void check_groups(void)
{
    char figure[COVERAGE_LINE_SIZE];

    begin_whole();
    coverage_note(&first, "BTS-10", COVERAGE_CHECKED, NULL);
    coverage_note(&second, "BTS-2", COVERAGE_SKIPPED, "small");
    coverage_note(&second, "T17-6.4", COVERAGE_SKIPPED, "large (f1)");
    coverage_note(&first, "CPL-1", COVERAGE_SKIPPED, "large (f1)");
    coverage_note(&last, NULL, COVERAGE_SKIPPED, "large (f1)");
    CHECK_TEXT(group(COVERAGE_NONE, 0), "CPL-1 PEBS-* T17-6.4 (large (f1))");
    CHECK_TEXT(group(COVERAGE_NONE, 1), "BTS-2 (small)");
    CHECK_TEXT(group(COVERAGE_NONE, 2), "none such");
    CHECK_TEXT(group(COVERAGE_IN_PART, 0), "none such");
    CHECK_TEXT(coverage_figure(figure), "1 of 6 claims checked");
    coverage_note(&second, "BTS-2", COVERAGE_CHECKED, NULL);
    CHECK_TEXT(coverage_figure(figure), "2 of 6 claims checked, 1 of them in part");
    CHECK_TEXT(group(COVERAGE_IN_PART, 0), "BTS-2 (small)");
}

#define MANY 90u

/* A table of so many claims, no two of a family. */
static const struct test *many_claims(unsigned count)
{
    static char ids[MANY][16];
    static const char *list[MANY + 1];
    static struct test many;

    many = second;
    for (unsigned i = 0; i < count; i++) {
        snprintf(ids[i], sizeof(ids[i]), "C%c%c-1", 'A' + i / 26, 'A' + i % 26);
        list[i] = ids[i];
    }
    list[count] = NULL;
    many.claims = list;
    all.count = chosen.count = 0;
    add(&all, &many);
    add(&chosen, &many);
    coverage_begin(&all, &chosen);
    return &many;
}

static void check_bounds(void)
{
    const struct test *many = many_claims(MANY);
    char text[COVERAGE_LINE_SIZE], reason[300];
    size_t lines = 0;

    for (unsigned i = 0; i < MANY; i++) {
        snprintf(reason, sizeof(reason), "reason %u of many %0200u", i, 0u);
        coverage_note(many, many->claims[i], COVERAGE_SKIPPED, reason);
    }
    while (coverage_group(COVERAGE_NONE, lines, text))
        lines++;
    CHECK(lines == COVERAGE_NONE_LINES, "%zu lines", lines);
    coverage_group(COVERAGE_NONE, lines - 1, text);
    CHECK(strstr(text, " more (each for its own reason: see '# SKIP' above)") != NULL, "%s", text);
    for (unsigned i = 0; i < 20; i++) {
        snprintf(reason, sizeof(reason), "another %u", i);
        coverage_note(many, many->claims[0], COVERAGE_SKIPPED, reason);
    }
    coverage_note(many, NULL, COVERAGE_CHECKED, NULL);
    for (lines = 0; coverage_group(COVERAGE_IN_PART, lines, text); lines++)
        CHECK(strlen(text) < COVERAGE_LINE_SIZE - 1 && text[strlen(text) - 1] == ')', "%s", text);
    CHECK(lines == COVERAGE_INPART_LINES, "%zu lines", lines);
}

/* All ids stand in the lines, or are counted. */
static void check_long_list(void)
{
    const struct test *many = many_claims(MANY);
    const char *more, *at;
    unsigned shown = 0;
    char text[COVERAGE_LINE_SIZE];

    coverage_note(many, NULL, COVERAGE_SKIPPED, "why");
    CHECK(coverage_group(COVERAGE_NONE, 0, text), "no group");
    more = strstr(text, " and ");
    CHECK(more != NULL && strstr(text, " more (why)") != NULL, "%s", text);
    for (at = text; more != NULL && at < more; at++)
        shown += *at == '-';
    CHECK(more != NULL && shown + (unsigned)atoi(more + 5) == MANY, "%u shown: %s", shown, text);
}

/* --- what a test was, and what is noted of it --- */

static const char *noted(const struct test_context *t)
{
    begin_whole();
    coverage_note_test(t);
    return said_of("T17-6.4");
}

static const char *noted_of_subtest(const struct test_context *t)
{
    begin_whole();
    coverage_note_subtest(t);
    CHECK_TEXT(said_of("BTS-2"), "none: no check that names it was made");
    return said_of("T17-6.4");
}

static void check_tests(void)
{
    static struct test_context t;

    t = (struct test_context){.test = &second, .checks = 1};
    CHECK_TEXT(noted(&t), "whole");
    t.checks = 0; /* it has come to its end, and looked at nothing */
    CHECK_TEXT(noted(&t), "none: no check that names it was made");
    t = (struct test_context){.test = &second, .checks = 1, .failed = true, .unexpected = true};
    CHECK_TEXT(noted(&t), "whole");
    t = (struct test_context){.test = &second, .checks = 1, .failed = true};
    CHECK_TEXT(noted(&t), "none: HSD53 HSD1 excused every check");
    t = (struct test_context){.test = &second, .checks = 1, .skipped = true, .reason = "no BTS"};
    CHECK_TEXT(noted(&t), "none: no BTS");
    t = (struct test_context){.test = &second, .checks = 1, .starved = true};
    CHECK_TEXT(noted(&t), "none: starved: it had too little time to end");
    t = (struct test_context){.test = &second, .checks = 1, .sub.has_plan = true};
    CHECK_TEXT(noted(&t), "none: no check that names it was made");
}

static void check_subtests(void)
{
    static struct test_context t;
    const struct subtests sub = {.has_plan = true, .claim = "T17-6.4", .checks_before = 4};

    t = (struct test_context){.test = &second, .checks = 5, .sub = sub};
    CHECK_TEXT(noted_of_subtest(&t), "whole");
    t.checks = 4;
    CHECK_TEXT(noted_of_subtest(&t), "none: no check that names it was made");
    t.sub.skipped = true;
    strcpy(t.sub.reason, "no ring 3");
    CHECK_TEXT(noted_of_subtest(&t), "none: no ring 3");
    t.sub.failed = true;
    strcpy(t.sub.errata, "AR62 x3");
    CHECK_TEXT(noted_of_subtest(&t), "none: AR62 excused every check");
    t.sub = sub;
    t.sub.starved = true;
    CHECK_TEXT(noted_of_subtest(&t), "none: starved: it had too little time to end");
}

static bool holds_here(void)
{
    return true;
}

static bool holds_elsewhere(void)
{
    return false;
}

static void check_log(void)
{
    const struct claim_scope scopes[] = {{"BTS-2", holds_here, "never"},
                                         {"T17-6.4", holds_elsewhere, "another kind"}};

    begin_whole();
    for (size_t i = 0; i < all.count; i++)
        coverage_note(all.tests[i], NULL, COVERAGE_CHECKED, NULL);
    coverage_note(&last, "PEBS-2", COVERAGE_SKIPPED, "one counter");
    take_captured();
    coverage_apply_scopes(scopes, scopes + 2);
    coverage_print("");
    CHECK_TEXT(take_captured(), "# coverage: 5 of 6 claims checked, 1 of them in part\n"
                                "# not checked: T17-6.4 (another kind)\n"
                                "# checked in part: PEBS-2 (one counter)\n");
    coverage_print("@E1");
    CHECK(strstr(take_captured(), "# coverage@E1: 5 of 6 claims checked"), "without its place");
}

int main(void)
{
    check_names();
    check_states();
    check_reason_is_the_commonest();
    check_errata();
    check_scope();
    check_selection();
    check_groups();
    check_bounds();
    check_long_list();
    check_tests();
    check_subtests();
    check_log();
    return check_result();
}
