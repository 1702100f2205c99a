/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has failed runs again as often as asked and as there is time, and the log has one line. */
#include "kernel/run/retest.h"

#include <stdint.h>

#include "kernel/machine/time.h"
#include "kernel/report/ktap.h"
#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define SECOND 1000000u
#define MANY   1000u /* tests that fail */

static const struct test test = {.suite = "a", .name = "test"};

static uint64_t now; /* microseconds */
static struct test_context context;

/* The runs to come: F failed, p passed, s starved; the last one stays. */
static const char *outcomes;
static uint64_t takes; /* microseconds of each */
static unsigned runs;
static struct attempts last;

uint64_t time_now(void)
{
    return now;
}

uint64_t time_microseconds_since(uint64_t start)
{
    return now - start;
}

struct test_context *attempts_run(const struct test *of, const struct attempts *attempts,
                                  const char *cpu_label)
{
    CHECK(of == &test && attempts->is_retest && strcmp(cpu_label, "@E2") == 0, "another test");
    last = *attempts;
    runs++;
    now += takes;
    ktap_comment(LEVEL_TEST, "a line of run %u", runs);
    context = (struct test_context){.unexpected = *outcomes == 'F', .starved = *outcomes == 's'};
    outcomes += outcomes[1] != '\0';
    return &context;
}

/* The line about a failure that came so many microseconds after the run's begin. */
static const char *line_of(uint64_t times, const char *which, uint64_t each, uint64_t after,
                           bool hung)
{
    const struct options options = {.retest = times, .seed = 7, .timeout = 10};

    outcomes = which;
    takes = each;
    runs = 0;
    retest_begin();
    now += after;
    context = (struct test_context){
        .test = &test, .cpu_label = "@E2", .repetition = 5, .hung = hung, .unexpected = true};
    retest_print(&context, &options);
    ktap_comment(LEVEL_TEST, "behind it");
    return take_captured();
}

static void expect(const char *line, const char *wanted, unsigned wanted_runs)
{
    char all[200];

    snprintf(all, sizeof(all), "%s%s  # behind it\n", wanted[0] != '\0' ? "  # retest: " : "",
             wanted);
    CHECK_TEXT(line, all);
    CHECK(runs == wanted_runs, "%s: %u runs", wanted, runs);
}

static void check_counts(void)
{
    expect(line_of(3, "F", 10, SECOND, false), "failed 3 of 3\n", 3);
    CHECK(last.seed == 7 && last.first == 5 && last.count == 1 && last.timeout == 10, "attempts");
    expect(line_of(3, "pFp", 10, SECOND, false), "failed 1 of 3\n", 3);
    expect(line_of(3, "p", 10, SECOND, false), "failed 0 of 3\n", 3);
    expect(line_of(8, "pFFp", 10, SECOND, false), "failed 2 of 8\n", 8);
    expect(line_of(0, "F", 10, SECOND, false), "", 0);
}

/* What had too little of its time has no result. */
static void check_starved(void)
{
    expect(line_of(3, "Fs", 10, SECOND, false), "failed 1 of 1, no time for more\n", 2);
    expect(line_of(3, "s", 10, SECOND, false), "none, no time for it\n", 1);
}

/* RETEST_LEAST, and a half of what all else took; one test has RETEST_MOST. */
static void check_time(void)
{
    expect(line_of(3, "F", SECOND, 0, false), "failed 1 of 1, no time for more\n", 1);
    expect(line_of(3, "F", SECOND, 2 * SECOND, false), "failed 2 of 2, no time for more\n", 2);
    expect(line_of(3, "F", SECOND, 2 * SECOND + 2, false), "failed 3 of 3\n", 3);
    expect(line_of(9, "F", 3 * SECOND, 1000ull * SECOND, false),
           "failed 6 of 6, no time for more\n", 6);
}

/* A test that hung is taken to hang again. */
static void check_hung(void)
{
    expect(line_of(3, "F", SECOND, 16 * SECOND, true), "none, no time for it\n", 0);
    expect(line_of(3, "F", 10 * SECOND, 19 * SECOND, true), "failed 1 of 1, no time for more\n", 1);
}

/* All tests of a run together take a third of it all, but for the beginning and the last one. */
static void check_many(void)
{
    const struct options options = {.retest = 3, .timeout = 10};
    uint64_t begin, spent = 0;
    unsigned without = 0;

    outcomes = "F";
    takes = SECOND / 2;
    retest_begin();
    begin = now;
    for (unsigned i = 0; i < MANY; i++) {
        uint64_t before;

        now += SECOND / 2;
        context = (struct test_context){.test = &test, .cpu_label = "@E2", .unexpected = true};
        before = now;
        retest_print(&context, &options);
        spent += now - before;
        without += strstr(take_captured(), "none") != NULL;
    }
    CHECK(spent * 3 <= now - begin + 3 * (RETEST_LEAST + takes), "%lu of %lu", spent, now - begin);
    CHECK(spent * 3 >= now - begin - 3 * RETEST_LEAST, "%lu of %lu", spent, now - begin);
    CHECK(without > MANY / 3, "%u", without);
}

int main(void)
{
    check_counts();
    check_starved();
    check_time();
    check_hung();
    check_many();
    return check_result();
}
