/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
/* sources: kernel/end_page.c kernel/screen_page.c kernel/summary.c kernel/claims.c kernel/selection.c arch/lib/glob.c kernel/ktap.c arch/lib/printf.c */
/* clang-format on */
/* The page at the end, for every size of screen and every number of failures: what it must say. */
#include "kernel/end_page.h"

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

#define TESTS 200u

static const char *const some_claims[] = {"BTS-1", "T17-6.7", "PEBS-12"};
static struct test tests[TESTS];
static char names[TESTS][32];
static struct screen_page page;
static struct ktap_totals totals;
static const struct machine_name machine = {.version = "v1.2-3-gabcdef",
                                            .cpu = "Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz",
                                            .hypervisor = "none (bare metal)",
                                            .signature = "06_5EH stepping 3 (…)",
                                            .microcode = 0xf0};

void feature_missing_reason(enum feature feature, char *text, size_t size)
{
    snprintf(text, size, "reason %u", feature);
}

const char *feature_name(enum feature feature)
{
    (void)feature;
    return "a feature";
}

/* All that stands on the page, wrapping undone. */
static const char *page_text(void)
{
    static char text[SCREEN_ROWS_MAX * (SCREEN_COLUMNS_MAX + 2)];

    text[0] = '\0';
    for (unsigned i = 0; i < page.used; i++) {
        bool goes_on = strncmp(page.row[i].text, "    ", 4) == 0;

        strcat(text, i == 0 ? "" : goes_on ? " " : "\n");
        strcat(text, page.row[i].text + (goes_on ? 4 : 0));
    }
    return strcat(text, "\n");
}

static unsigned count(const char *text, const char *what)
{
    unsigned found = 0;

    for (; (text = strstr(text, what)) != NULL; text++)
        found++;
    return found;
}

static const char *fill(enum verdict verdict, const struct crash *crash, unsigned columns,
                        unsigned rows)
{
    const struct end_report report = {.verdict = verdict,
                                      .totals = &totals,
                                      .summary = summary(),
                                      .machine = &machine,
                                      .crash = crash};

    screen_page_start(&page, columns, rows);
    end_page_fill(&page, &report);
    CHECK(page.used <= rows, "%u rows of %u", page.used, rows);
    return page_text();
}

static void check_head(const char *text, const char *verdict)
{
    CHECK(count(text, "verdict: ") == 1 && strstr(text, verdict) != NULL, "'%s'", text);
    CHECK(count(text, "btscheck v1.2-3-gabcdef") == 1, "'%s'", text);
    CHECK(count(text, "i7-6700K") == 1 && count(text, "06_5EH stepping 3") == 1, "'%s'", text);
    CHECK(count(text, "microcode 0x000000f0") == 1, "'%s'", text);
    CHECK(count(text, "hypervisor: none (bare metal)") == 1, "'%s'", text);
    CHECK(count(text, "tests: ") == 1, "'%s'", text);
}

static void fail_one(unsigned i)
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
    summary_add_failure(&context);
    totals.fail++;
    totals.run = totals.planned = totals.fail;
}

/* Every failure shown whole and in order, or counted; none of them both. */
static void check_failed_tests(const char *text)
{
    unsigned shown = count(text, "failed: suite."), more = 0;
    const char *rest = strstr(text, "... and ");
    char expected[128];

    if (rest != NULL)
        sscanf(rest, "... and %u more\n", &more);
    CHECK(shown + more == totals.fail && (rest == NULL) == (more == 0), "%u shown, %u more of %u",
          shown, more, totals.fail);
    for (unsigned i = 0; i < shown; i++) {
        snprintf(expected, sizeof(expected), "failed: suite.test_number_%u; claims:%s%s%s%s", i,
                 i % 4 == 0 ? " none" : "", i % 4 > 0 ? " BTS-1" : "", i % 4 > 1 ? " T17-6.7" : "",
                 i % 4 > 2 ? " PEBS-12" : "");
        if (i % 3 > 0)
            snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
                     "; %u subtest%s failed, first: subtest_of_%u", i % 3, i % 3 > 1 ? "s" : "", i);
        strcat(expected, "\n");
        CHECK(count(text, expected) == 1, "'%s' in '%s'", expected, text);
    }
}

static void check_every_number_of_failures(void)
{
    static const struct {
        unsigned columns, rows;
    } sizes[] = {{80, 23}, {80, 28}, {100, 35}, {160, 48}, {240, 65}, {320, 118}};

    for (unsigned failures = 1; failures <= TESTS; failures++) {
        fail_one(failures - 1);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            const char *text = fill(VERDICT_FAIL, NULL, sizes[i].columns, sizes[i].rows);

            check_head(text, "verdict: FAIL");
            check_failed_tests(text);
            CHECK(strstr(text, "... and ") == NULL || screen_page_left(&page) <= 2,
                  "%u failures, and %u rows are empty", failures, screen_page_left(&page));
        }
    }
}

static void check_skips(void)
{
    const char *text;

    summary_add_skip(FEATURE_BTS);
    summary_add_skip(FEATURE_BTS);
    summary_add_skip(FEATURE_PEBS);
    summary_add_skip(FEATURE_COUNT);
    totals = (struct ktap_totals){9, 8, 1, 0, 4, 3, 0};
    text = fill(VERDICT_PASS, NULL, 80, 23);
    check_head(text, "verdict: PASS");
    CHECK(strstr(text, "tests: 9 planned, 8 run: 1 passed, 0 failed, 4 skipped, 3 known errata\n"),
          "'%s'", text);
    CHECK(count(text, "skipped: 2, a feature: reason ") == 1, "'%s'", text);
    CHECK(count(text, "skipped: 1, a feature: reason ") == 1, "'%s'", text);
    CHECK(count(text, "skipped: 1, as each says in the log\n") == 1, "'%s'", text);
    CHECK(count(text, "failed: ") == 0 && count(text, "starved: ") == 0, "'%s'", text);
    totals.timeout = 2;
    text = fill(VERDICT_TIMEOUT, NULL, 80, 25);
    CHECK(strstr(text, "verdict: TIMEOUT") && strstr(text, "\nstarved: 2, "), "'%s'", text);
    totals.timeout = 0;
    check_head(fill(VERDICT_SKIP, NULL, 80, 23), "verdict: SKIP");
}

static void check_crash(void)
{
    struct crash crash = {.reason = "unexpected #PF (vector 14, …)",
                          .test = "suite.test, subtest one",
                          .has_frame = true,
                          .frame = {.rip = 0x1111, .r15 = 0xffff},
                          .cr2 = 0x2222};

    for (crash.depth = 1; crash.depth <= CRASH_DEPTH; crash.depth++) {
        const char *text;

        crash.backtrace[crash.depth - 1] = 0xabc000 + crash.depth;
        text = fill(VERDICT_CRASH, &crash, 80, 23);
        check_head(text, "verdict: CRASH");
        CHECK(strstr(text, "\ncrash: unexpected #PF (vector 14, …)\n") != NULL, "'%s'", text);
        CHECK(strstr(text, "\ntest: suite.test, subtest one\n") != NULL, "'%s'", text);
        CHECK(strstr(text, "at         0x0000000000abc001\n") != NULL, "'%s'", text);
        if (crash.depth < 10) /* … and deeper ones leave no room for all registers */
            CHECK(count(text, "called by  0x0000000000abc") == crash.depth - 1, "'%s'", text);
        if (crash.depth < 10)
            CHECK(strstr(text, "rip 0000000000001111") && strstr(text, "r15 000000000000ffff"),
                  "'%s'", text);
    }
    crash = (struct crash){.reason = "the kernel gave up", .depth = 1};
    CHECK(strstr(fill(VERDICT_CRASH, &crash, 80, 23), "rip") == NULL, "registers of nothing");
    CHECK(strstr(page_text(), "test: ") == NULL, "a test that did not run");
}

int main(void)
{
    check_skips();
    check_crash();
    totals = (struct ktap_totals){0};
    check_every_number_of_failures();
    return check_result();
}
