/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must be seen while tests run stands whole on every usual screen, nothing over another. */
#include "kernel/screen/dashboard.h"

#include "tests/host/unit/check.h"
#include "tests/host/unit/page_text.h"

#define SUITES 25u

static struct screen_page page;
static struct progress state;
static struct summary failures;
static struct machine_name machine = SAMPLE_MACHINE;
static const struct suite_grid grid = {
    .tests = "e*", .title = "Table 17-6", .rows = "TR BTS", .columns = "OFF_OS, OFF_USR, BTINT"};
static struct test tests[SUMMARY_FAILURES];
static char names[SUMMARY_FAILURES][64];

/* Suite i of so many: the first have run, one runs, the others wait. */
static void make_state(unsigned suites, bool has_grid)
{
    state = (struct progress){.suite_count = suites,
                              .suite = suites / 2,
                              .grid = has_grid ? &grid : NULL,
                              .test = &tests[0],
                              .repetitions = 1,
                              .seconds = 12};
    state.tests =
        (struct ktap_totals){.planned = 400, .run = 100, .pass = 90, .fail = 7, .skip = 3};
    for (unsigned i = 0; i < suites; i++) {
        state.suites[i] = (struct progress_suite){
            .mark = i < state.suite    ? MARK_OK
                    : i == state.suite ? MARK_RUNNING
                                       : MARK_WAITING,
            .tests = {.planned = 100 + i, .run = i < state.suite ? 100 + i : 0, .skip = i % 3},
            .microseconds = i * 654321};
        snprintf(state.suites[i].name, sizeof(state.suites[i].name), "suite_of_no_%u", i + 10);
    }
    state.suites[1].mark = MARK_FAILED;
    for (unsigned i = 0; i < PROGRESS_CELLS; i++)
        state.cells[i] = (enum progress_mark)(i % (MARK_FAILED + 1));
}

static void make_failures(unsigned count)
{
    failures.failure_count = state.tests.fail = count;
    for (unsigned i = 0; i < count; i++) {
        snprintf(names[i], sizeof(names[i]), "the_long_name_of_test_number_%u_which_failed",
                 i + 100);
        tests[i] = (struct test){.suite = "suite", .name = names[i]};
        failures.failures[i].test = &tests[i];
        snprintf(failures.failures[i].finding, sizeof(failures.failures[i].finding),
                 "found in number %u", i + 100);
    }
}

static const char *fill(unsigned columns, unsigned rows)
{
    const struct dashboard dashboard = {&state, &failures, &machine};

    screen_page_start(&page, columns, rows);
    dashboard_fill(&page, &dashboard);
    return page_rows(&page);
}

static void check_head(const char *text)
{
    CHECK_SHOWS(text, " btscheck v1.2-3-gabcdef ");
    CHECK_SHOWS(text, "Maker Board 9");
    CHECK_SHOWS(text,
                "\n Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz, hypervisor: none (bare metal)\n");
    CHECK_SHOWS(text, "\n 06_5EH stepping 3 (CPUID.01H:EAX = 0x000506e3), microcode 0x000000f0\n");
    CHECK_SHOWS(text, "\n BIOS: Some Vendor 1.40\n");
}

static void check_foot(const char *text)
{
    CHECK_SHOWS(text, "\n suite.the_long_name_of_test_number_100_which_failed, began after 12 s\n");
    CHECK_SHOWS(text, "100 of 400 tests: 90 ok, 7 failed, 3 skipped\n");
}

/* Its mark, its whole name, and where there is room how many of its tests have run, and its time.
 */
static void check_suites(const char *text, bool has_counts)
{
    static const char *const words[] = {"ok", "FAIL", ">>", "."};
    char expected[64];

    for (unsigned i = 0; i < state.suite_count; i++) {
        const struct progress_suite *suite = &state.suites[i];
        const char *word = words[suite->mark == MARK_OK        ? 0
                                 : suite->mark == MARK_FAILED  ? 1
                                 : suite->mark == MARK_RUNNING ? 2
                                                               : 3];

        snprintf(expected, sizeof(expected), "%5s suite_of_no_%u", word, i + 10);
        CHECK_SHOWS(text, expected);
        snprintf(expected, sizeof(expected), "suite_of_no_%u   %3u/%u", i + 10, suite->tests.run,
                 suite->tests.planned);
        CHECK(!has_counts || count_of(text, expected) == 1, "'%s' in '%s'", expected, text);
    }
}

/* Cells of eight in four rows, each with its word, and the heads above them. */
static void check_grid(const char *text)
{
    CHECK_SHOWS(text, "Table 17-6 OFF_OS, OFF_USR, BTINT");
    CHECK_SHOWS(text, "TR BTS     000  001  010  011  100  101  110  111");
    CHECK_SHOWS(text, " 0  0      .    >>   ok  skip (ok) time FAIL  .");
    CHECK_SHOWS(text, " 0  1      >>   ok  skip (ok) time FAIL  .    >>");
    CHECK_SHOWS(text, " 1  0      ok  skip (ok) time FAIL  .    >>   ok");
    CHECK_SHOWS(text, " 1  1     skip (ok) time FAIL  .    >>   ok  skip");
}

static void check_usual_screens(void)
{
    static const struct {
        unsigned columns, rows, suites;
        bool has_counts;
    } screens[] = {{80, 25, 25, true},  {80, 25, 26, true},  {80, 25, 39, false},
                   {80, 30, 30, true},  {85, 48, 40, true},  {100, 37, 25, true},
                   {106, 30, 25, true}, {120, 33, 25, true}, {120, 33, 26, true},
                   {128, 48, 25, true}, {128, 48, 40, true}, {160, 45, 25, true},
                   {320, 118, 25, true}};

    for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
        const char *text;

        make_failures(7);
        make_state(screens[i].suites, true);
        text = fill(screens[i].columns, screens[i].rows);
        check_head(text);
        check_foot(text);
        check_suites(text, screens[i].has_counts);
        check_grid(text);
        CHECK_SHOWS(text, "failed so far: 7");
    }
}

/* Those that are named and the number of the others are all. */
static void check_failed_names(void)
{
    for (unsigned count = 0; count <= 60; count++) {
        for (unsigned rows = 25; rows < 60; rows++) {
            const char *more, *text;
            char expected[32];
            unsigned left = 0;

            make_state(SUITES, rows % 2);
            make_failures(count);
            text = fill(rows % 3 ? 80 : 130, rows);
            snprintf(expected, sizeof(expected), "failed so far: %u", count);
            CHECK_SHOWS(text, expected);
            more = strstr(text, "... and ");
            if (more != NULL)
                sscanf(more, "... and %u more", &left);
            CHECK(count_of(text, "suite.the_") == count - left + 1, "%u of %u, %u more: '%s'",
                  count_of(text, "suite.the_"), count, left, text);
            CHECK(count == 0 || left < count, "none is named: '%s'", text);
        }
    }
}

static void check_words(void)
{
    make_failures(0);
    make_state(3, false);
    state.suites[0].mark = MARK_SKIPPED;
    state.suites[0].microseconds = 999999;
    state.suites[1].mark = MARK_STARVED;
    state.suites[1].tests.timeout = 5;
    state.suites[1].microseconds = 61234567;
    state.suites[2].tests.xfail = 4;
    state.tests.timeout = 5;
    state.tests.fail = 0;
    state.repetitions = 20;
    state.repetition = 4;
    fill(120, 33);
    CHECK(strstr(page_rows(&page), " skip suite_of_no_10") != NULL, "skip");
    CHECK(strstr(page_rows(&page), "999 ms") != NULL, "milliseconds");
    CHECK(strstr(page_rows(&page), " time suite_of_no_11     0/101   61.2 s  5 starved") != NULL,
          "'%s'", page_rows(&page));
    CHECK_SHOWS(page_rows(&page), "4 known errata");
    CHECK_SHOWS(page_rows(&page), ", repetition 5 of 20, began after 12 s\n");
    CHECK_SHOWS(page_rows(&page), "0 failed, 3 skipped, 5 starved\n");
    CHECK(strstr(page_rows(&page), "Table") == NULL, "a grid that is not there");
    fill(80, 25); /* has no room for all: nothing is cut */
    CHECK_SHOWS(page_rows(&page), "test_number_100_which_failed, repetition 5 of 20\n");
}

/* The bar is as full as the run has come. */
static void check_bar(void)
{
    for (unsigned run = 0; run <= 400; run += 50) {
        unsigned full = 0, rest = 0;

        make_failures(0);
        make_state(SUITES, true);
        state.tests.run = run;
        fill(128, 48);
        for (unsigned x = 0; x < 128; x++) {
            full += page.cell[47][x].character == SCREEN_FULL;
            rest += page.cell[47][x].character == SCREEN_SHADE;
        }
        CHECK(full + rest > 40 && full == (full + rest) * run / 400, "%u of 400: %u and %u", run,
              full, rest);
    }
}

/* More suites than there is room for: the one that runs is among those shown. */
static void check_many_suites(void)
{
    char name[32];

    make_state(PROGRESS_SUITES, true);
    for (state.suite = 0; state.suite <= state.suite_count; state.suite++) {
        unsigned running = state.suite < state.suite_count ? state.suite : state.suite_count - 1;

        snprintf(name, sizeof(name), " suite_of_no_%u", running + 10);
        CHECK_SHOWS(fill(80, 25), name);
    }
}

static void check_long_names(void)
{
    static char version[60], board[90];

    memset(version, 'v', sizeof(version) - 1);
    memset(board, 'b', sizeof(board) - 1);
    machine.version = version;
    machine.board_name = board;
    make_state(SUITES, true);
    check_grid(fill(80, 25));
    CHECK_SHOWS(page_rows(&page), "\n board:\n     bbbb");
}

static void check_every_size(void)
{
    make_failures(30);
    make_state(SUITES, true);
    for (unsigned columns = 0; columns <= SCREEN_COLUMNS_MAX; columns++) {
        for (unsigned rows = 0; rows <= SCREEN_ROWS_MAX; rows += 1 + rows / 9)
            fill(columns, rows);
    }
    state.test = NULL;
    state.tests.planned = 0;
    fill(80, 25);
}

int main(void)
{
    check_usual_screens();
    check_failed_names();
    check_words();
    check_bar();
    check_many_suites();
    check_every_size();
    check_long_names();
    return check_result();
}
