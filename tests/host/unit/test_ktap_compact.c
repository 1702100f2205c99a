/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A compact log: which lines it has, that every plan in it is kept, and what it says is left
 * out. */
#include "kernel/report/ktap.h"

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

static const struct ktap_totals totals;

/* A log with a test of so many subtests, which begins. */
static void begin(unsigned subtests)
{
    ktap_make_compact(true);
    ktap_open(LEVEL_RUN, NULL);
    ktap_plan(LEVEL_RUN, 1);
    ktap_open(LEVEL_SUITE, "suite");
    ktap_plan(LEVEL_SUITE, 1);
    take_captured();
    ktap_open(LEVEL_SUBTEST, "test");
    ktap_plan(LEVEL_SUBTEST, subtests);
}

static void sub(enum ktap_outcome outcome, unsigned number, const char *name, const char *reason)
{
    ktap_result(LEVEL_SUBTEST, outcome, number, name, reason);
}

static const char *end(enum ktap_outcome outcome)
{
    ktap_result(LEVEL_TEST, outcome, 1, "test", "reason");
    return take_captured();
}

/* The line of the log's end that begins so. */
static void expect_end(const char *line)
{
    const char *text;

    ktap_end(&totals, VERDICT_PASS);
    text = take_captured();
    CHECK(strstr(text, line) != NULL, "'%s' is not in '%s'", line, text);
}

static void check_what_passes(void)
{
    begin(3);
    ktap_detail(LEVEL_SUBTEST, "choice: %s", "x=1");
    sub(KTAP_OK, 1, "a", NULL);
    sub(KTAP_OK, 2, "b", NULL);
    ktap_ask_lab(LEVEL_SUBTEST, "coffee");
    sub(KTAP_OK, 3, "c", NULL);
    CHECK_TEXT(end(KTAP_OK), "    # lab: coffee?\n  ok 1 test\n");
    expect_end("# shown: pass=1 fail=0 skip=0 xfail=0 timeout=0 of=3\n# totals: ");
    expect_end("# results: pass=3 fail=0 skip=0 xfail=0 timeout=0 check=");
}

static void check_what_is_skipped(void)
{
    begin(5);
    sub(KTAP_OK, 1, "a", NULL);
    sub(KTAP_SKIP, 2, "b", "no DS");
    sub(KTAP_SKIP, 3, "c", "no DS");
    sub(KTAP_OK, 4, "d", NULL);
    sub(KTAP_SKIP, 5, "e", "no PEBS");
    CHECK_TEXT(end(KTAP_OK), "    KTAP version 1\n"
                             "    # Subtest: test\n"
                             "    ok 1 b # SKIP no DS\n"
                             "    ok 2 c # SKIP as above\n"
                             "    ok 3 e # SKIP no PEBS\n"
                             "    1..3\n"
                             "  ok 1 test\n");
    expect_end("# shown: pass=0 fail=0 skip=3 xfail=0 timeout=0 of=5\n");
    expect_end("# results: pass=2 fail=0 skip=3 xfail=0 timeout=0 check=");
}

/* The finding has its place before the line, and nothing of what is found waits. What a comment
 * belongs to has its line, too. */
static void check_what_fails(void)
{
    begin(6);
    sub(KTAP_OK, 1, "a", NULL);
    ktap_detail(LEVEL_SUBTEST, "choice: x=1");
    CHECK_TEXT(take_captured(), "");
    ktap_comment(LEVEL_SUBTEST, "finding: %s", "index");
    sub(KTAP_NOT_OK, 2, "b", NULL);
    CHECK_TEXT(take_captured(), "  # choice: x=1\n"
                                "    KTAP version 1\n"
                                "    # Subtest: test\n"
                                "    # finding: index\n"
                                "    not ok 1 b\n");
    sub(KTAP_OK, 3, "c", NULL);
    sub(KTAP_SKIP, 4, "d", "no DS");
    ktap_comment(LEVEL_SUBTEST, "note");
    sub(KTAP_OK, 5, "e", NULL);
    sub(KTAP_OK, 6, "f", NULL);
    CHECK_TEXT(end(KTAP_NOT_OK), "    ok 2 d # SKIP no DS\n"
                                 "    # note\n"
                                 "    ok 3 e\n"
                                 "    1..3\n"
                                 "  not ok 1 test\n");
    expect_end("# shown: pass=1 fail=1 skip=1 xfail=0 timeout=0 of=6\n");
    expect_end("# results: pass=4 fail=1 skip=1 xfail=0 timeout=0 check=");
}

static void check_what_is_excused_or_starved(void)
{
    static const struct {
        enum ktap_outcome outcome;
        const char *line;
    } rows[] = {{KTAP_XFAIL, "    ok 1 b # XFAIL bdm70\n"},
                {KTAP_TIMEOUT, "    not ok 1 b # TIMEOUT bdm70\n"},
                {KTAP_NOT_OK, "    not ok 1 b\n"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(2);
        sub(KTAP_OK, 1, "a", NULL);
        sub(rows[i].outcome, 2, "b", "bdm70");
        CHECK(strstr(take_captured(), rows[i].line) != NULL, "%s", rows[i].line);
        end(rows[i].outcome);
    }
}

/* What belongs to the test stands behind its block, which is then complete. */
static void check_test_that_fails_beside_its_subtests(void)
{
    begin(2);
    sub(KTAP_SKIP, 1, "a", "no DS");
    sub(KTAP_OK, 2, "b", NULL);
    ktap_detail(LEVEL_TEST, "observed: 1");
    ktap_comment(LEVEL_TEST, "finding: hang");
    CHECK_TEXT(end(KTAP_NOT_OK), "    KTAP version 1\n"
                                 "    # Subtest: test\n"
                                 "    ok 1 a # SKIP no DS\n"
                                 "    1..1\n"
                                 "  # observed: 1\n"
                                 "  # finding: hang\n"
                                 "  not ok 1 test\n");
    begin(2);
    sub(KTAP_OK, 1, "a", NULL);
    ktap_comment(LEVEL_TEST, "in between");
    sub(KTAP_SKIP, 2, "b", "no DS");
    CHECK_TEXT(end(KTAP_NOT_OK), "  # in between\n"
                                 "    KTAP version 1\n"
                                 "    # Subtest: test\n"
                                 "    ok 1 b # SKIP no DS\n"
                                 "    1..1\n"
                                 "  not ok 1 test\n");
}

/* Reasons that are the same are so within one block, one behind the other. */
static void check_reasons_of_tests(void)
{
    begin(0);
    ktap_result(LEVEL_TEST, KTAP_SKIP, 1, "a", "no DS");
    ktap_result(LEVEL_TEST, KTAP_SKIP, 2, "b", "no DS");
    ktap_result(LEVEL_TEST, KTAP_OK, 3, "c", NULL);
    ktap_result(LEVEL_TEST, KTAP_SKIP, 4, "d", "no DS");
    ktap_open(LEVEL_SUBTEST, "e");
    ktap_plan(LEVEL_SUBTEST, 1);
    sub(KTAP_SKIP, 1, "f", "no DS");
    ktap_result(LEVEL_TEST, KTAP_SKIP, 5, "e", "no DS");
    ktap_result(LEVEL_RUN, KTAP_OK, 1, "suite", NULL);
    ktap_open(LEVEL_SUITE, "next");
    ktap_result(LEVEL_TEST, KTAP_SKIP, 1, "a", "no DS");
    CHECK_TEXT(take_captured(), "  ok 1 a # SKIP no DS\n"
                                "  ok 2 b # SKIP as above\n"
                                "  ok 3 c\n"
                                "  ok 4 d # SKIP no DS\n"
                                "    KTAP version 1\n"
                                "    # Subtest: e\n"
                                "    ok 1 f # SKIP no DS\n"
                                "    1..1\n"
                                "  ok 5 e # SKIP no DS\n"
                                "ok 1 suite\n"
                                "  KTAP version 1\n"
                                "  # Subtest: next\n"
                                "  ok 1 a # SKIP no DS\n");
}

static unsigned heard;

static void on_result(unsigned level, enum ktap_outcome outcome, const char *name)
{
    (void)outcome;
    heard += level == LEVEL_SUBTEST && name[0] == 'a';
}

static void check_result_handler_is_called_for_all(void)
{
    ktap_on_result(on_result);
    begin(2);
    sub(KTAP_OK, 1, "a", NULL);
    sub(KTAP_SKIP, 2, "a", "no DS");
    CHECK(heard == 2, "%u", heard);
    end(KTAP_OK);
    ktap_on_result(NULL);
}

/* A crash at any moment: what is known then is printed. */
static void check_crash(void)
{
    begin(3);
    ktap_detail(LEVEL_SUBTEST, "choice: x=1");
    sub(KTAP_OK, 1, "a", NULL);
    ktap_bail_out("#GP");
    CHECK_TEXT(take_captured(), "  # choice: x=1\nBail out! #GP\n");
    expect_end("# shown: pass=0 fail=0 skip=0 xfail=0 timeout=0 of=1\n");
}

int main(void)
{
    check_what_passes();
    check_what_is_skipped();
    check_what_fails();
    check_what_is_excused_or_starved();
    check_test_that_fails_beside_its_subtests();
    check_reasons_of_tests();
    check_result_handler_is_called_for_all();
    check_crash();
    return check_result();
}
