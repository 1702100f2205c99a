/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages at the end, for every size of screen and every number of failures: what they must
 * say. */
#include "kernel/screen/end_page.h"

#include <stdlib.h>

#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"
#include "tests/host/unit/page_text.h"
#include "tests/host/unit/sample_failures.h"

#define PAGES_MOST 120u
#define FOOT       "the run is over: you may switch off"
#define KEYS       "left: back, r: restart, other keys: more"
#define LAST_LOG   "# errata: HSD53 x12 (an effect)\n"

static struct progress progressed;
static struct screen_page page;

/* The report's pages, one behind the other: what flows over them, without bar and foot. */
static struct {
    unsigned pages, code_page; /* the one with the QR code, from 0; pages: there is none */
    size_t first_length;       /* of the text, so much is the first page's */
    char text[PAGES_MOST * 4096];
} all;

/* The code stands to the right, from row 0 on: its own quiet zone alone fills a cell at the top. */
static bool has_code(void)
{
    return page.cell[0][page.columns - 1].character == SCREEN_FULL;
}

static unsigned columns_left_of_code(void)
{
    unsigned columns = page.columns;

    while (has_code() && page.cell[0][columns - 1].character == SCREEN_FULL)
        columns--;
    return columns;
}

static void blank(unsigned row, unsigned columns)
{
    screen_page_fill(&page, 0, row, columns, ' ', COLOUR_PLAIN);
}

static void check_bar(const char *verdict, unsigned number, unsigned columns)
{
    char expected[80];

    snprintf(expected, sizeof(expected), "verdict: %s", verdict);
    CHECK(strncmp(row_text(&page, 0, 1), expected, strlen(expected)) == 0, "'%s'",
          row_text(&page, 0, 0));
    snprintf(expected, sizeof(expected), "page %u of %u", number + 1, all.pages);
    if (all.pages > 1)
        CHECK(strstr(row_text(&page, 0, 0), expected) != NULL, "'%s'", row_text(&page, 0, 0));
    blank(0, columns);
}

/* The verdict's letters are no lines. */
static void blank_big_letters(void)
{
    for (unsigned y = 0; y < page.rows; y++) {
        for (unsigned x = 0; x < page.columns; x++) {
            if (page.cell[y][x].character >= SCREEN_FULL)
                page.cell[y][x].character = ' ';
        }
    }
}

/* What was found in a test stands on the page that names it. */
static void check_nothing_is_torn(void)
{
    const char *first = strchr(page_text(&page, 0, 1), 'f');

    CHECK(first == NULL || strncmp(first, "found", 5) != 0, "'%s'", page_text(&page, 0, 1));
}

static void take_page(const char *verdict, unsigned number)
{
    bool is_of_code = has_code() && number > 0;

    if (has_code())
        all.code_page = number;
    check_bar(verdict, number, columns_left_of_code());
    blank_big_letters();
    if (is_of_code)
        return; /* its text is what the code holds */
    CHECK(strstr(row_text(&page, page.rows - 1, 0), FOOT) != NULL, "no foot on page %u", number);
    CHECK(strstr(row_text(&page, page.rows - 1, 0), all.pages > 1 ? KEYS : "r: restart") != NULL ||
              page.columns < 80,
          "no keys on page %u of %ux%u: '%s'", number, page.columns, page.rows,
          row_text(&page, page.rows - 1, 0));
    blank(page.rows - 1, page.columns);
    check_nothing_is_torn();
    strcat(all.text, page_text(&page, 0, 1));
}

static const char *fill(enum verdict verdict, const struct crash *crash, unsigned columns,
                        unsigned rows)
{
    const struct end_report report = {.verdict = verdict,
                                      .totals = &totals,
                                      .check = 0x1234abcd,
                                      .summary = summary(),
                                      .machine = &machine,
                                      .progress = &progressed,
                                      .crash = crash,
                                      .foot = FOOT,
                                      .has_keys = true};

    all.text[0] = '\0';
    screen_page_start(&page, columns, rows);
    all.pages = all.code_page = end_page_fill(&page, &report, 0);
    CHECK(all.pages >= 1 && all.pages <= PAGES_MOST, "%u pages", all.pages);
    for (unsigned i = 0; i < all.pages; i++) {
        screen_page_start(&page, columns, rows);
        CHECK(end_page_fill(&page, &report, i) == all.pages, "another number of pages");
        take_page(ktap_verdict_name(verdict), i);
        if (i == 0)
            all.first_length = strlen(all.text);
    }
    return all.text;
}

static void check_head(const char *text)
{
    CHECK_SHOWS(text,
                "\nIntel(R) Core(TM) i7-6700K CPU @ 4.00GHz, hypervisor: none (bare metal)\n");
    CHECK_SHOWS(text, "\n06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3), microcode 0x000000f0\n");
    CHECK_SHOWS(text, "\nBIOS: Some Vendor 1.40\n");
    CHECK_SHOWS(text, "\nboard: Maker Board 9\n");
    CHECK_SHOWS(text, " tests run");
}

/* Each failure that was kept, whole and in order; the others counted. */
static void check_failed_tests(const char *text)
{
    unsigned kept = totals.fail < SUMMARY_FAILURES ? totals.fail : SUMMARY_FAILURES;
    const char *before = text;
    char expected[256];

    CHECK(count_of(text, "failed: suite.") == kept, "%u of %u", count_of(text, "failed: suite."),
          kept);
    for (unsigned i = 0; i < kept; i++) {
        snprintf(expected, sizeof(expected), "failed: suite.test_number_%u; claims:%s%s%s%s", i,
                 i % 4 == 0 ? " none" : "", i % 4 > 0 ? " BTS-1" : "", i % 4 > 1 ? " T17-6.7" : "",
                 i % 4 > 2 ? " PEBS-12" : "");
        if (i % 3 > 0)
            snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
                     "; %u subtest%s failed, first: subtest_of_%u", i % 3, i % 3 > 1 ? "s" : "", i);
        strcat(expected, "\n");
        CHECK(count_of(text, expected) == 1, "'%s' in '%s'", expected, text);
        CHECK(strstr(text, expected) > before, "%u is out of order", i);
        before = strstr(text, expected);
        snprintf(expected, sizeof(expected), "found: what was found in %u\n", i);
        CHECK(count_of(text, expected) == (i % 5 > 0), "'%s' in '%s'", expected, text);
    }
    snprintf(expected, sizeof(expected), "... and %u more", totals.fail - kept);
    CHECK(count_of(text, expected) == (kept < totals.fail), "'%s' in '%s'", expected, text);
}

/* Each line about a claim, once. */
static void check_claims(const char *text)
{
    char expected[64];

    for (unsigned i = 0; i < 3; i++) {
        snprintf(expected, sizeof(expected), "\nclaim %s is broken\n", some_claims[i]);
        CHECK(count_of(text, expected) == 1, "%s: '%s'", expected, text);
    }
}

/* As the cells are: which ring is wrong, and what was not checked. */
static void check_grid(void)
{
    static const struct suite_grid grid = {.title = "A table", .digits = "A B C D"};
    const char *text;

    progressed = (struct progress){.grid = &grid};
    CHECK(count_of(fill(VERDICT_PASS, NULL, 80, 30), "A table") == 0, "nothing was checked");
    for (unsigned i = 0; i < 16; i++)
        progressed.cells[i] = MARK_OK;
    progressed.cells[7] = MARK_SKIPPED;
    for (unsigned i = 18; i < PROGRESS_CELLS; i++)
        progressed.cells[i] = i < 30 ? MARK_OK : MARK_FAILED;
    progressed.places[30] = PLACE_RING_0;
    progressed.places[31] = PLACE_NONE;
    progressed.cells[20] = MARK_FAILED;
    progressed.places[20] = PLACE_OTHER_RINGS;
    progressed.cells[22] = MARK_KNOWN;
    progressed.cells[24] = MARK_FAILED;
    text = fill(VERDICT_FAIL, NULL, 80, 30);
    CHECK_SHOWS(text, "\nA B C D                0--- 1000 1001 1010 1011 1100 1101 1110 1111\n");
    CHECK_SHOWS(text, "\nring 0                 part .    ok   ok   (ok) ?    ok   ok   BAD\n");
    CHECK_SHOWS(text, "\nrings 1 to 3           part .    ok   BAD  (ok) ?    ok   ok   ok\n");
    CHECK_SHOWS(text, "\nthe rest               part .    ok   ok   (ok) ?    ok   ok   BAD\n");
    CHECK(count_of(fill(VERDICT_FAIL, NULL, 60, 30), "A table") == 0, "it has no room");
    progressed = (struct progress){0};
}

/* Above all that follows from it. */
static void check_sentences(void)
{
    const char *text;

    sentences = 2;
    text = fill(VERDICT_FAIL, NULL, 80, 25);
    CHECK_SHOWS(text, "\nsentence 0: it does not do what it must do\n");
    CHECK(strstr(text, "sentence 0") < strstr(text, "sentence 1") &&
              strstr(text, "sentence 1") < strstr(text, "\nclaim BTS-1") &&
              strstr(text, "\nclaim BTS-1") < strstr(text, "\nfailed: "),
          "'%s'", text);
    sentences = 0;
}

static void check_every_number_of_failures(void)
{
    static const struct {
        unsigned columns, rows;
        bool has_code_beside;
    } sizes[] = {{80, 25, false}, {80, 30, false}, {100, 37, false},
                 {120, 33, true}, {128, 48, true}, {320, 118, true}};

    for (unsigned failures = 1; failures <= TESTS; failures++) {
        fail_one(failures - 1);
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            const char *text = fill(VERDICT_FAIL, NULL, sizes[i].columns, sizes[i].rows);

            check_head(text);
            if (failures % 10 == 1 || failures < 6) {
                check_failed_tests(text);
                check_claims(text);
            }
            CHECK(all.code_page == (sizes[i].has_code_beside ? 0 : all.pages - 1),
                  "%ux%u: the code is on page %u of %u", sizes[i].columns, sizes[i].rows,
                  all.code_page + 1, all.pages);
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
    text = fill(VERDICT_PASS, NULL, 80, 25);
    check_head(text);
    CHECK_SHOWS(text, " 8 of 9 tests run\n");
    CHECK_SHOWS(text, " 1 passed\n");
    CHECK_SHOWS(text, " 0 failed\n");
    CHECK_SHOWS(text, " 4 skipped\n");
    CHECK_SHOWS(text, " 3 known errata\n");
    CHECK_SHOWS(text, "skipped: 2, a feature: reason ");
    CHECK_SHOWS(text, "skipped: 1, a feature: reason ");
    CHECK_SHOWS(text, "skipped: 1, as each says in the log\n");
    CHECK(count_of(text, "failed: ") == 0 && count_of(text, "starved") == 0, "'%s'", text);
    totals.timeout = 2;
    text = fill(VERDICT_TIMEOUT, NULL, 80, 25);
    check_head(text);
    CHECK_SHOWS(text, " 3 known errata, 2 starved\n");
    CHECK_SHOWS(fill(VERDICT_TIMEOUT, NULL, 60, 30),
                "8 of 9 tests run: 1 passed, 0 failed, 4 skipped, 3 known errata, 2 starved\n");
    totals.timeout = 0;
    check_head(fill(VERDICT_SKIP, NULL, 80, 25));
}

static void take_log(const char *text)
{
    for (const char *end; *text != '\0'; text = end + 1) {
        end = strchr(text, '\n');
        summary_take_log(text, (size_t)(end + 1 - text));
    }
}

/* The lines of the log between the last test and its end, with the traits shortened. */
static void check_log(void)
{
    const char *text;

    take_log("# before: the end\n");
    summary_begin_end();
    take_log("# trait: wrap=lazy\n# trait: from=old [int-n] [iret]\n# trait: from=old [sysret]\n"
             "# trait: from=new [call]\n# trait: pmi-late=0\n"
             "# trait: smi=unknown (some test did not come to show it)\n" LAST_LOG);
    summary_end_end();
    take_log("# verdict: PASS\n");
    text = fill(VERDICT_PASS, NULL, 80, 25);
    CHECK_SHOWS(text, "\nerrata: HSD53 x12 (an effect)\n");
    CHECK_SHOWS(text, "\ntraits: wrap=lazy, from=old|new, pmi-late=0; 1 unknown\n");
    CHECK(count_of(text, "before") == 0 && count_of(text, "verdict") == 0, "'%s'", text);
}

/* What `list` prints: no totals, and each test is one line. */
static void check_list(void)
{
    const struct ktap_totals before = totals;
    const char *text;

    totals = (struct ktap_totals){0};
    summary_begin_end();
    take_log("# suite.a\n#     claims: BTS-1\n#     needs: DS\n# suite.b\n");
    summary_end_end();
    text = fill(VERDICT_LISTED, NULL, 80, 25);
    CHECK(count_of(text, "and more, as the log has it") == 0, "'%s'", text);
    CHECK_SHOWS(text, "\nsuite.a; claims: BTS-1; needs: DS\nsuite.b\n");
    CHECK(count_of(text, "tests run") == 0, "'%s'", text);
    totals = before;
}

static void check_log_is_bounded(void)
{
    summary_begin_end();
    for (unsigned i = 0; i < 2 * SUMMARY_LOG_SIZE / strlen(LAST_LOG); i++)
        take_log(LAST_LOG);
    summary_end_end();
    CHECK(summary()->log_length <= SUMMARY_LOG_SIZE &&
              summary()->log_length > SUMMARY_LOG_SIZE - strlen(LAST_LOG),
          "%zu bytes", summary()->log_length);
    CHECK(strncmp(summary()->log + summary()->log_length - strlen(LAST_LOG), LAST_LOG,
                  strlen(LAST_LOG)) == 0,
          "a line is cut");
    CHECK_SHOWS(fill(VERDICT_PASS, NULL, 120, 100), "\n... and more, as the log has it\n");
}

static void check_crash_text(const char *text, const struct crash *crash)
{
    check_head(text);
    CHECK_SHOWS(text, "\ncrash: unexpected #PF (vector 14, ...)\n");
    CHECK_SHOWS(text, "\ntest: suite.test, subtest one\n");
    CHECK_SHOWS(text, "at         0x0000000000abc001\n");
    CHECK(count_of(text, "called by  0x0000000000abc") == crash->depth - 1, "'%s'", text);
    CHECK_SHOWS(text, "rip 0000000000001111");
    CHECK_SHOWS(text, "r15 000000000000ffff");
    CHECK(strstr(text, "r15") < text + all.first_length || crash->depth > 11,
          "the registers are not on the first page");
}

/* Up to some depth all of it is on the first page, which is all that a broken machine may show. */
static void check_crash(void)
{
    struct crash crash = {.reason = "unexpected #PF (vector 14, ...)",
                          .test = "suite.test, subtest one",
                          .has_frame = true,
                          .frame = {.rip = 0x1111, .r15 = 0xffff},
                          .cr2 = 0x2222};

    for (crash.depth = 1; crash.depth <= CRASH_DEPTH; crash.depth++) {
        crash.backtrace[crash.depth - 1] = 0xabc000 + crash.depth;
        check_crash_text(fill(VERDICT_CRASH, &crash, 80, 25), &crash);
        check_crash_text(fill(VERDICT_CRASH, &crash, 120, 33), &crash);
    }
    crash = (struct crash){.reason = "the kernel gave up", .depth = 1};
    CHECK(strstr(fill(VERDICT_CRASH, &crash, 80, 25), "rip") == NULL, "registers of nothing");
    CHECK(strstr(all.text, "test: ") == NULL, "a test that did not run");
}

/* However small or large, nothing outside of the page is touched, and where there is no QR code the
 * page says so. */
static void check_every_size(void)
{
    const struct end_report report = {.verdict = VERDICT_TIMEOUT,
                                      .totals = &totals,
                                      .summary = summary(),
                                      .machine = &machine,
                                      .foot = FOOT};

    for (unsigned columns = 0; columns <= SCREEN_COLUMNS_MAX; columns += 1 + columns / 7) {
        for (unsigned rows = 0; rows <= SCREEN_ROWS_MAX; rows += 1 + rows / 5) {
            unsigned pages = 1;

            for (unsigned i = 0; i < pages && i < 3; i++) {
                screen_page_start(&page, columns, rows);
                pages = end_page_fill(&page, &report, i);
            }
            CHECK(pages >= 1, "%ux%u: no page", columns, rows);
        }
    }
    CHECK_SHOWS(fill(VERDICT_FAIL, NULL, 60, 12), "no QR code: the screen has no room for one\n");
}

int main(void)
{
    check_skips();
    check_log();
    check_crash();
    totals = (struct ktap_totals){0};
    check_every_number_of_failures();
    check_every_size();
    check_grid();
    check_sentences();
    check_list();
    check_log_is_bounded();
    return check_result();
}
