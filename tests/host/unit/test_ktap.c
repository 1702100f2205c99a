/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sources: kernel/ktap.c kernel/printf.c */
/* The text of the log, line by line. */
#include "kernel/ktap.h"

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/no_symbols.h"

static void check_tree(void)
{
    ktap_open(0, NULL);
    ktap_comment(0, "cpu: %s", "x");
    ktap_plan(0, 1);
    ktap_open(1, "suite");
    ktap_plan(1, 2);
    ktap_result(1, KTAP_SKIP, 1, "a", "no DS");
    ktap_comment(1, "two\nlines");
    ktap_result(1, KTAP_NOT_OK, 2, "b", NULL);
    ktap_result(0, KTAP_OK, 1, "suite", NULL);
    CHECK_TEXT(take_captured(), "KTAP version 1\n"
                                "# cpu: x\n"
                                "1..1\n"
                                "  KTAP version 1\n"
                                "  # Subtest: suite\n"
                                "  1..2\n"
                                "  ok 1 a # SKIP no DS\n"
                                "  # two\n"
                                "  # lines\n"
                                "  not ok 2 b\n"
                                "ok 1 suite\n");
}

static void check_names(void)
{
    ktap_result(2, KTAP_OK, 7, "a # SKIP not really\nok 8", NULL);
    CHECK_TEXT(take_captured(), "    ok 7 a _ SKIP not really?ok 8\n");
    ktap_open(1, "x\ty");
    CHECK_TEXT(take_captured(), "  KTAP version 1\n  # Subtest: x?y\n");
}

static void check_ends(void)
{
    static const struct ktap_totals totals = {7, 6, 5, 4, 3, 2, 1};
    static const char *const names[] = {
        [VERDICT_PASS] = "PASS",   [VERDICT_FAIL] = "FAIL", [VERDICT_ERROR] = "ERROR",
        [VERDICT_CRASH] = "CRASH", [VERDICT_SKIP] = "SKIP", [VERDICT_TIMEOUT] = "TIMEOUT",
    };
    char expected[128];

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i] == NULL)
            continue;
        console_write("cut", 3, COLOUR_PLAIN);
        ktap_end(&totals, (enum verdict)i);
        snprintf(expected, sizeof(expected),
                 "cut\n# totals: planned=7 run=6 pass=5 fail=4 skip=3 xfail=2 "
                 "timeout=1\n# verdict: %s\n",
                 names[i]);
        CHECK_TEXT(take_captured(), expected);
    }
    ktap_plan_nothing("list only");
    CHECK_TEXT(take_captured(), "1..0 # SKIP list only\n");
    console_write("cut", 3, COLOUR_PLAIN);
    ktap_bail_out("unexpected %s", "#GP");
    ktap_error("bad %d", 1);
    CHECK_TEXT(take_captured(), "cut\nBail out! unexpected #GP\n# error: bad 1\n");
}

static void check_long_lines(void)
{
    char text[4000];
    const char *line;

    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    ktap_comment_lines(2, text, sizeof(text) - 1);
    line = take_captured();
    CHECK(strlen(line) <= 512 && line[strlen(line) - 1] == '\n', "%zu bytes", strlen(line));
    CHECK(strncmp(line, "    # xxx", 9) == 0, "%.20s", line);
    ktap_result(0, KTAP_OK, 1, text, NULL);
    line = take_captured();
    CHECK(strncmp(line, "ok 1 xxx", 8) == 0 && line[strlen(line) - 1] == '\n', "%.20s", line);
}

int main(void)
{
    check_tree();
    check_names();
    check_ends();
    check_long_lines();
    return check_result();
}
