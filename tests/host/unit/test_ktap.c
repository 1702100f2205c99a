/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of the log, line by line. */
#include "kernel/report/ktap.h"

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

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

/* The check values are zlib's, of the lines that begin with "KTAP", "1..", "ok" or "not ok" and of
 * "# Subtest:" lines, each with its indentation and its newline. */
static void check_results(void)
{
    static const struct ktap_totals totals;
    const char *end = "# totals: planned=0 run=0 pass=0 fail=0 skip=0 xfail=0 timeout=0\n"
                      "# results: pass=1 fail=2 skip=1 xfail=1 timeout=1 check=0xd5ce3a76\n"
                      "# verdict: FAIL\n";

    ktap_open(0, NULL);
    ktap_plan(0, 1);
    ktap_open(1, "suite");
    ktap_plan(1, 4);
    ktap_open(2, "with_parts");
    ktap_plan(2, 3);
    ktap_comment(2, "no structure");
    ktap_result(2, KTAP_OK, 1, "a", NULL);
    ktap_result(2, KTAP_XFAIL, 2, "b", "bdm70");
    ktap_result(2, KTAP_NOT_OK, 3, "c", NULL);
    ktap_result(1, KTAP_NOT_OK, 1, "with_parts", NULL); /* has parts: not counted */
    ktap_result(1, KTAP_SKIP, 2, "without", "no DS  ");
    ktap_result(1, KTAP_NOT_OK, 3, "beside", NULL);
    ktap_result(1, KTAP_TIMEOUT, 4, "starved", "2 %");
    ktap_result(0, KTAP_NOT_OK, 1, "suite", NULL);
    CHECK(strstr(take_captured(), "  ok 2 without # SKIP no DS\n"), "blanks at the end");
    ktap_end(&totals, VERDICT_FAIL);
    CHECK_TEXT(take_captured(), end);
    CHECK(ktap_check() == 0xd5ce3a76, "check value 0x%x", ktap_check());
    ktap_comment(0, "after the end");
    take_captured();
    ktap_end(&totals, VERDICT_FAIL);
    CHECK_TEXT(take_captured(), end);
    ktap_open(0, NULL);
    ktap_plan_nothing("list only");
    take_captured();
    ktap_end(&totals, VERDICT_PASS);
    CHECK_TEXT(take_captured(),
               "# totals: planned=0 run=0 pass=0 fail=0 skip=0 xfail=0 timeout=0\n"
               "# results: pass=0 fail=0 skip=0 xfail=0 timeout=0 check=0x61afb1be\n"
               "# verdict: PASS\n");
}

static char heard[200];

static void on_result(unsigned level, enum ktap_outcome outcome, const char *name)
{
    CHECK(captured_length > 0, "the line is not out yet");
    snprintf(heard + strlen(heard), sizeof(heard) - strlen(heard), "%u %d %s;", level, (int)outcome,
             name);
}

/* Of results alone, as they were given. */
static void check_result_handler(void)
{
    ktap_on_result(on_result);
    ktap_open(1, "suite");
    ktap_plan(1, 2);
    ktap_comment(1, "a remark");
    ktap_result(2, KTAP_XFAIL, 1, "a # b", "x");
    ktap_result(0, KTAP_NOT_OK, 7, "c", NULL);
    ktap_on_result(NULL);
    ktap_result(0, KTAP_OK, 8, "d", NULL);
    CHECK_TEXT(heard, "2 3 a # b;0 1 c;");
    take_captured();
}

/* The log after a result that broke off after this many bytes. */
static const char *cut_result(size_t bytes, bool next_is_structure)
{
    jmp_buf cut;

    ktap_open(0, NULL);
    take_captured();
    cut_after = bytes;
    cut_to = &cut;
    if (setjmp(cut) == 0)
        ktap_result(0, KTAP_OK, 1, "cut", NULL);
    if (next_is_structure)
        ktap_result(0, KTAP_OK, 2, "next", NULL);
    else
        ktap_comment(0, "next");
    return take_captured();
}

static void check_cut_lines(void)
{
    static const char line[] = "ok 1 cut\n";
    static const struct ktap_totals totals;
    char expected[128];

    for (size_t bytes = 0; bytes <= sizeof(line) - 1; bytes++) {
        for (int is_structure = 0; is_structure < 2; is_structure++) {
            bool whole = bytes == 0 || bytes == sizeof(line) - 1;

            snprintf(expected, sizeof(expected), "%.*s%s# cut off: this line once more:\n%s%s\n",
                     (int)bytes, line, whole ? "" : "\n", line,
                     is_structure ? "ok 2 next" : "# next");
            CHECK_TEXT(cut_result(bytes, is_structure), expected);
        }
        ktap_end(&totals, VERDICT_PASS);
        CHECK(strstr(take_captured(), "pass=2 fail=0 skip=0 xfail=0 timeout=0 check=0x05b7761d\n"),
              "cut after %zu bytes: the results are not those of the whole lines", bytes);
    }
}

/* Behind each line, over its number in the log and its text; the check value is not changed. Values
 * of Python's binascii.crc_hqx(). */
static void check_sums(void)
{
    static const struct ktap_totals totals;
    static char whole[2048];
    jmp_buf cut;

    ktap_add_sums(true);
    ktap_open(0, NULL);
    ktap_comment(0, "two \nlines");
    cut_after = 4;
    cut_to = &cut;
    if (setjmp(cut) == 0)
        ktap_result(0, KTAP_NOT_OK, 1, "a", NULL);
    ktap_ask_lab(1, "word");
    strcpy(whole, take_captured());
    CHECK_TEXT(whole, "KTAP version 1 ~5fad\n"
                      "# two ~90c8\n"
                      "# lines ~5f7a\n"
                      "not \n"
                      "# cut off: this line once more: ~5d02\n"
                      "not ok 1 a ~99df\n"
                      "  # lab: word? ~b8bd\n");
    ktap_add_sums(false);
    ktap_end(&totals, VERDICT_FAIL);
    CHECK(strstr(take_captured(), "pass=0 fail=1 skip=0 xfail=0 timeout=0 check=0xb9609812"),
          "sums");
}

static void check_ends(void)
{
    static const struct ktap_totals totals = {7, 6, 5, 4, 3, 2, 1};
    static const char *const names[] = {
        [VERDICT_PASS] = "PASS",       [VERDICT_FAIL] = "FAIL",     [VERDICT_ERROR] = "ERROR",
        [VERDICT_CRASH] = "CRASH",     [VERDICT_SKIP] = "SKIP",     [VERDICT_TIMEOUT] = "TIMEOUT",
        [VERDICT_DRY_RUN] = "DRY_RUN", [VERDICT_LISTED] = "LISTED",
    };
    char expected[256];

    ktap_open(0, NULL);
    take_captured();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i] == NULL)
            continue;
        console_write("cut", 3, COLOUR_PLAIN);
        ktap_end(&totals, (enum verdict)i);
        snprintf(expected, sizeof(expected),
                 "cut\n# totals: planned=7 run=6 pass=5 fail=4 skip=3 xfail=2 "
                 "timeout=1\n"
                 "# results: pass=0 fail=0 skip=0 xfail=0 timeout=0 check=0x0874fc0a\n"
                 "# verdict: %s\n",
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
    check_results();
    check_result_handler();
    check_cut_lines();
    check_sums();
    check_ends();
    check_long_lines();
    return check_result();
}
