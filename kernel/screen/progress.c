/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/screen/dashboard.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/lib/words.h"
#include "kernel/screen/console_screen.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/time.h"

#define TEXT_SIZE       160u
#define MICROSECONDS    1000000u
#define DRAW_EVERY      100000u  /* microseconds, while a test runs */
#define DRAW_SOAK_EVERY 1000000u /* … of a soak */

static struct progress now;
static void (*show_soak)(const struct test *test); /* NULL: no soak yet */
static uint64_t started, suite_started, drawn;     /* TSC */

static void show_below_log(void)
{
    char counts[TEXT_SIZE], what[TEXT_SIZE], repetition[TEXT_SIZE] = "";
    char name[TEST_NAME_SIZE];

    format_string(counts, sizeof(counts),
                  "suite %u of %u, test %u of %u, failed so far: %u; this one began after %lu s",
                  now.suite + 1, now.suite_count, now.number, now.suites[now.suite].tests.planned,
                  now.tests.fail, now.seconds);
    if (now.repetitions > 1)
        format_string(repetition, sizeof(repetition), ", repetition %lu of %lu", now.repetition + 1,
                      now.repetitions);
    format_string(what, sizeof(what), "%s%s", test_full_name(now.test, name), repetition);
    console_screen_status(counts, what, now.tests.fail > 0 ? COLOUR_BAD : COLOUR_GOOD);
}

static void show_dashboard(void)
{
    static struct machine_name machine;
    const struct dashboard dashboard = {&now, summary(), &machine};
    struct screen_page *page = console_screen_start_page();

    if (page == NULL)
        return;
    machine_get_name(&machine);
    dashboard_fill(page, &dashboard);
    console_screen_show_page();
}

static void show(void)
{
    drawn = time_now();
    if (show_soak != NULL)
        show_soak(now.test);
    else if (console_screen_keeps_log())
        show_below_log();
    else
        show_dashboard();
}

static enum progress_mark mark_of(enum ktap_outcome outcome)
{
    static const enum progress_mark marks[] = {
        [KTAP_OK] = MARK_OK,       [KTAP_NOT_OK] = MARK_FAILED,   [KTAP_SKIP] = MARK_SKIPPED,
        [KTAP_XFAIL] = MARK_KNOWN, [KTAP_TIMEOUT] = MARK_STARVED,
    };

    return marks[outcome];
}

static struct progress_suite *current_suite(void)
{
    return now.suite < now.suite_count ? &now.suites[now.suite] : NULL;
}

static void take_time(struct progress_suite *suite)
{
    suite->microseconds = time_microseconds_since(suite_started);
}

static void end_suite(struct progress_suite *suite, enum ktap_outcome outcome)
{
    bool all_skipped = suite->tests.skip == suite->tests.planned;

    take_time(suite);
    suite->mark = all_skipped ? MARK_SKIPPED : mark_of(outcome);
    suite_started = time_now();
    now.suite++;
}

/* The number that the name holds in binary digits (kernel/report/selection.h). */
static unsigned cell_of(const char *name)
{
    unsigned cell = 0;

    for (; *name != '\0'; name++) {
        if (*name == '0' || *name == '1')
            cell = cell << 1 | (unsigned)(*name - '0');
    }
    return cell;
}

/* If two tests share a cell, it keeps the worse result. */
static void fill_cell(const char *name, enum progress_mark mark)
{
    unsigned cell = cell_of(name);

    if (now.grid == NULL || now.test == NULL || cell >= PROGRESS_CELLS ||
        !glob_match(now.grid->tests, now.test->name))
        return;
    if (now.cells[cell] < mark)
        now.cells[cell] = mark;
    now.places[cell] |= context_places();
}

/* What the log tells. */
static void on_result(unsigned level, enum ktap_outcome outcome, const char *name)
{
    struct progress_suite *suite = current_suite();

    if (suite == NULL)
        return;
    if (level == LEVEL_RUN) {
        end_suite(suite, outcome);
    } else if (level == LEVEL_SUITE) {
        ktap_totals_count(&suite->tests, outcome);
        ktap_totals_count(&now.tests, outcome);
    } else {
        fill_cell(name, mark_of(outcome));
        if (time_microseconds_since(drawn) >= DRAW_EVERY)
            show();
    }
}

/* Tests of a suite are adjacent. */
static struct progress_suite *suite_of(const struct test *test, const char *cpu_label)
{
    unsigned last = now.suite_count - 1;
    char name[PROGRESS_NAME_SIZE];

    format_string(name, sizeof(name), "%s%s", test->suite, cpu_label);
    if (now.suite_count > 0 && strcmp(now.suites[last].name, name) == 0)
        return &now.suites[last];
    if (now.suite_count == PROGRESS_SUITES)
        return NULL;
    memcpy(now.suites[now.suite_count].name, name, sizeof(name));
    return &now.suites[now.suite_count++];
}

void progress_plan(const struct selection *chosen, const struct selection *all,
                   const char *cpu_label)
{
    now.tests.planned += (unsigned)chosen->count;
    for (size_t i = 0; i < chosen->count; i++) {
        struct progress_suite *suite = suite_of(chosen->tests[i], cpu_label);
        const struct suite_grid *grid = &selection_suite(all, chosen->tests[i]->suite)->grid;

        if (suite != NULL)
            suite->tests.planned++;
        if (grid->tests != NULL && glob_match(grid->tests, chosen->tests[i]->name))
            now.grid = grid;
    }
}

void progress_start(uint64_t repetitions)
{
    now.repetitions = repetitions;
    started = suite_started = time_now();
    ktap_on_result(on_result);
}

void progress_begin_soak(void (*show_it)(const struct test *test))
{
    show_soak = show_it;
}

void progress_soak(const struct test *test)
{
    if (show_soak == NULL)
        return;
    if (test != NULL)
        now.test = test;
    if (time_microseconds_since(drawn) >= DRAW_SOAK_EVERY)
        show();
}

void progress_begin(const struct test *test, uint64_t repetition)
{
    struct progress_suite *suite = current_suite();
    bool is_due = time_microseconds_since(drawn) >= DRAW_EVERY;

    if (suite == NULL || show_soak != NULL)
        return;
    suite->mark = MARK_RUNNING;
    take_time(suite);
    is_due |= test != now.test;
    now.test = test;
    now.number = suite->tests.run + 1;
    now.repetition = repetition;
    now.seconds = time_microseconds_since(started) / MICROSECONDS;
    if (is_due)
        show();
}

const struct progress *progress(void)
{
    return &now;
}
