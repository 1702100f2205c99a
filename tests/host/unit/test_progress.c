/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log's events become the state that the screen shows, test by test. */
#include "kernel/report/ktap.h"
#include "kernel/screen/dashboard.h"

#include "tests/host/unit/check.h"

#define SECOND 1000000u

static uint64_t clock; /* microseconds, and ticks */
static unsigned drawings;
static char status[400];
static bool keeps_log;
static unsigned soak_pages;
static const struct test *running;
static ktap_result_handler handler;

/* The file under test. */
#include "kernel/screen/progress.c"

uint64_t time_now(void)
{
    return clock;
}

uint64_t time_microseconds_since(uint64_t start)
{
    return clock - start;
}

static void show_soak_page(const struct test *test)
{
    CHECK(test == running, "another test");
    soak_pages++;
}

static unsigned places;

unsigned context_places(void)
{
    return places;
}

void ktap_on_result(ktap_result_handler wanted)
{
    handler = wanted;
}

void console_screen_status(const char *first, const char *second, enum console_colour colour)
{
    (void)colour;
    snprintf(status, sizeof(status), "%s|%s", first, second);
}

bool console_screen_keeps_log(void)
{
    return keeps_log;
}

struct screen_page *console_screen_start_page(void)
{
    static struct screen_page page;

    return &page;
}

void console_screen_show_page(void)
{
    drawings++;
}

void dashboard_fill(struct screen_page *page, const struct dashboard *dashboard)
{
    CHECK(page != NULL && dashboard->progress == progress(), "another state is shown");
}

void machine_get_name(struct machine_name *out)
{
    *out = (struct machine_name){.version = ""};
}

const struct summary *summary(void)
{
    static struct summary none;

    return &none;
}

static const struct suite suites[] = {
    {.name = "table", .grid = {.tests = "encodings*", .title = "Table"}},
};
static const struct test tests[] = {
    {.suite = "first", .name = "one"},        {.suite = "first", .name = "two"},
    {.suite = "table", .name = "encodings"},  {.suite = "table", .name = "encodings_too"},
    {.suite = "table", .name = "a_relation"}, {.suite = "last", .name = "one"},
};

#define TESTS (sizeof(tests) / sizeof(tests[0]))

static void check_plan(void)
{
    static struct selection all = {.suites = suites, .suite_count = 1}, chosen;

    for (size_t i = 0; i < TESTS; i++)
        chosen.tests[chosen.count++] = &tests[i];
    progress_plan(&chosen, &all, "");
    progress_start(3);
    CHECK(progress()->suite_count == 3 && progress()->tests.planned == TESTS, "%u suites",
          progress()->suite_count);
    CHECK(progress()->suites[1].tests.planned == 3 && progress()->suites[2].tests.planned == 1,
          "tests of a suite");
    CHECK(progress()->grid == &suites[0].grid, "the grid is not found");
    CHECK(handler != NULL, "nobody listens");
}

static void end_test(const struct test *test, enum ktap_outcome outcome)
{
    progress_begin(test, 0);
    handler(LEVEL_SUITE, outcome, test->name);
}

static void check_first_suite(void)
{
    const struct progress_suite *first = &progress()->suites[0];

    clock += SECOND;
    progress_begin(&tests[0], 0);
    progress_begin(&tests[0], 1);
    CHECK(drawings == 1 && progress()->test == &tests[0] && progress()->number == 1, "%u drawings",
          drawings);
    CHECK(first->mark == MARK_RUNNING && progress()->repetition == 1 && progress()->seconds == 1,
          "mark %d, %lu s", first->mark, (unsigned long)progress()->seconds);
    handler(LEVEL_SUITE, KTAP_NOT_OK, "one");
    clock += 2 * SECOND;
    handler(LEVEL_SUITE, KTAP_SKIP, "two");
    handler(LEVEL_RUN, KTAP_NOT_OK, "first");
    CHECK(first->mark == MARK_FAILED && first->tests.run == 2 && first->tests.fail == 1 &&
              first->tests.skip == 1,
          "mark %d", first->mark);
    CHECK(first->microseconds == 3 * SECOND, "%lu us", (unsigned long)first->microseconds);
    CHECK(progress()->suite == 1 && progress()->tests.run == 2, "suite %u", progress()->suite);
}

static void end_subtest(enum ktap_outcome outcome, const char *name)
{
    handler(LEVEL_SUBTEST, outcome, name);
}

static void check_grid(void)
{
    const enum progress_mark *cells = progress()->cells;

    progress_begin(&tests[2], 0);
    end_subtest(KTAP_OK, "tr0_bts0_bts_off_os0_bts_off_usr0_btint0");
    end_subtest(KTAP_OK, "tr1_bts0_bts_off_os0_bts_off_usr1_btint1");
    places = PLACE_RING_0;
    end_subtest(KTAP_NOT_OK, "tr1_bts1_bts_off_os1_bts_off_usr1_btint1");
    places = 0;
    end_subtest(KTAP_XFAIL, "tr0_bts0_bts_off_os0_bts_off_usr1_btint0");
    end_subtest(KTAP_OK, "tr1_bts1_bts_off_os1_bts_off_usr1_btint1_and_1_more");
    handler(LEVEL_SUITE, KTAP_NOT_OK, "encodings");
    progress_begin(&tests[3], 0);
    end_subtest(KTAP_SKIP, "tr0_bts0_bts_off_os0_bts_off_usr0_btint0");
    end_subtest(KTAP_OK, "tr1_bts1_bts_off_os1_bts_off_usr1_btint1");
    handler(LEVEL_SUITE, KTAP_OK, "encodings_too");
    progress_begin(&tests[4], 0);
    end_subtest(KTAP_NOT_OK, "tr0_bts1_bts_off_os0_bts_off_usr0_btint0");
    handler(LEVEL_SUITE, KTAP_OK, "a_relation");
    handler(LEVEL_RUN, KTAP_NOT_OK, "table");
    CHECK(cells[0] == MARK_SKIPPED && cells[19] == MARK_OK && cells[31] == MARK_FAILED &&
              cells[2] == MARK_KNOWN && cells[8] == MARK_WAITING,
          "%d %d %d %d %d", cells[0], cells[19], cells[31], cells[2], cells[8]);
    CHECK(progress()->places[31] == PLACE_RING_0 && progress()->places[0] == 0, "%u, %u",
          progress()->places[31], progress()->places[0]);
}

/* A test with thousands of subtests is not held up by what it draws. */
static void check_drawings_are_few(void)
{
    unsigned before;

    progress_begin(&tests[5], 0);
    before = drawings;
    for (unsigned i = 0; i < 1000; i++, clock += SECOND / 1000)
        end_subtest(KTAP_OK, "a subtest");
    CHECK(drawings - before >= 5 && drawings - before <= 10, "%u drawings in a second",
          drawings - before);
}

static void check_end(void)
{
    end_test(&tests[5], KTAP_SKIP);
    handler(LEVEL_RUN, KTAP_OK, "last");
    CHECK(progress()->suites[2].mark == MARK_SKIPPED, "all were skipped: mark %d",
          progress()->suites[2].mark);
    CHECK(progress()->suite == 3, "suite %u", progress()->suite);
    end_test(&tests[0], KTAP_OK);
    end_subtest(KTAP_OK, "behind the last suite");
    CHECK(progress()->tests.run == TESTS, "%u run", progress()->tests.run);
}

static void check_rows_below_the_log(void)
{
    unsigned before = drawings;

    keeps_log = true;
    now.suite = 1;
    now.suites[1].tests.run = 1;
    progress_begin(&tests[3], 2);
    CHECK(drawings == before, "the log is drawn over");
    CHECK_TEXT(status, "suite 2 of 3, test 2 of 3, failed so far: 2; this one began after 4 s|"
                       "table.encodings_too, repetition 3 of 3");
}

/* A page a second, whatever is drawn meanwhile; who waits for others names no test. */
static void check_soak(void)
{
    unsigned before = drawings;

    progress_begin_soak(show_soak_page);
    keeps_log = false;
    running = &tests[1];
    clock += SECOND;
    for (unsigned i = 0; i < 1000; i++, clock += SECOND / 100) {
        progress_soak(i % 2 ? NULL : running);
        progress_begin(running, 1);
    }
    CHECK(soak_pages >= 9 && soak_pages <= 11, "%u pages in ten seconds", soak_pages);
    CHECK(drawings == before, "the suites are shown as well");
}

int main(void)
{
    check_plan();
    check_first_suite();
    check_grid();
    check_drawings_are_few();
    check_end();
    check_rows_below_the_log();
    check_soak();
    return check_result();
}
