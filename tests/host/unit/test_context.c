/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test says becomes the right lines, and no misuse by a test can break the log's tree. */
#include "tests/host/unit/sample_context.h"

#include "kernel/report/coverage.h"
#include "kernel/report/ktap.h"

static void check_subtests(void)
{
    start(0);
    test_plan(t, 3);
    test_begin(t, "BTS-7", "row_%d", 1);
    test_note(t, "not shown");
    CHECK(EXPECT_EQUAL(t, INDEX, "count", 1, 1), "equal is not");
    test_end(t);
    test_begin(t, "BTS-8", "row_%d", 2);
    test_note(t, "shown");
    CHECK(!EXPECT_EQUAL(t, INDEX, "count", 17, 16), "unequal is");
    CHECK(test_has_failed(t), "not failed");
    test_end(t);
    test_begin(t, NULL, "row_3");
    CHECK(!test_has_failed(t), "failed by its elder");
    test_skip(t, "no %s", "PEBS");
    test_end(t);
    context_close(t);
    CHECK(t->failed && !t->skipped, "the parent");
    CHECK(t->broken.count == 1 && strcmp(t->broken.ids[0], "BTS-8") == 0, "claims");
    CHECK(strstr(captured, "    KTAP version 1\n    # Subtest: name\n    1..3\n    ok 1 row_1\n"
                           "    # shown\n    # ") == captured,
          "%s", captured);
    CHECK(strstr(captured, "count: expected 16 (0x10), got 17 (0x11)\n"
                           "    # finding: index expected=0x10 got=0x11 where=\"count\"\n"
                           "    # claims: BTS-8\n"
                           "    not ok 2 row_2\n    ok 3 row_3 # SKIP no PEBS\n") != NULL,
          "%s", captured);
    take_captured();
    context_report_failure(t);
    CHECK_TEXT(take_captured(), "  # repetition: 1 of 10\n  # claims: BTS-8\n"
                                "  # rerun: make run TEST=suite.name\n");
}

static void check_plain_failure(void)
{
    start(0);
    t->seed = 5;
    CHECK(EXPECT(t, INDEX, true, "never said"), "true does not hold");
    CHECK(!EXPECT(t, INDEX, 1 > 2, "one is %d", 1), "false holds");
    context_close(t);
    CHECK(t->failed && t->broken.count == 2, "a failure breaks all claims");
    take_captured();
    context_report_failure(t);
    CHECK(strstr(captured, ": one is 1; expected: 1 > 2\n  # finding: index\n") != NULL, "%s",
          captured);
    CHECK(strstr(captured, "  # claims: BTS-1 BTS-2\n  # rerun: make run TEST=suite.name "
                           "ARGS=seed=0x5\n") != NULL,
          "%s", captured);
}

static bool something_came;

static bool came(void)
{
    return something_came;
}

static void run_rows(const char *bad)
{
    context_repeat(t, 0);
    test_plan(t, 3);
    for (unsigned i = 1; i <= 3; i++) {
        test_begin(t, NULL, "row_%u", i);
        if (bad[i - 1] == 'x')
            test_fail(t, "wrong");
        test_end(t);
    }
    context_close(t);
}

/* From the disturbed subtest on, subtests print their lines when the test runs again. */
static void check_disturbed_subtests(void)
{
    something_came = true;
    start(0);
    t->disturbed = came;
    run_rows(".xx");
    CHECK(t->unexpected && t->is_held && !t->has_bad_line, "not held");
    CHECK_TEXT(take_captured(),
               "    KTAP version 1\n    # Subtest: name\n    1..3\n    ok 1 row_1\n");
    context_restart(t, OPTIONS_SEED);
    CHECK(!t->unexpected && !t->is_held && t->disturbed == NULL && t->broken.count == 0, "kept");
    run_rows("..x");
    CHECK(t->has_bad_line && t->failed_subtests == 1, "%u", t->failed_subtests);
    CHECK(strncmp(captured, "    ok 2 row_2\n    # wrong\n", 26) == 0, "%s", captured);
    CHECK(strstr(captured, "    not ok 3 row_3\n") != NULL, "%s", captured);
}

/* Without a disturbance a failure has its line, and what comes later cannot take it back. */
static void check_undisturbed_subtests(void)
{
    something_came = false;
    start(0);
    t->disturbed = came;
    run_rows("x..");
    CHECK(t->has_bad_line && !t->is_held, "held");
    CHECK(strstr(captured, "    not ok 1 row_1\n    ok 2 row_2\n    ok 3 row_3\n") != NULL, "%s",
          captured);
    start(0);
    t->disturbed = came;
    context_repeat(t, 0);
    test_plan(t, 2);
    for (unsigned i = 1; i <= 2; i++) {
        test_begin(t, NULL, "row_%u", i);
        test_fail(t, "wrong");
        test_end(t);
        something_came = true;
    }
    context_close(t);
    CHECK(!t->is_held && strstr(captured, "not ok 2 row_2\n") != NULL, "%s", captured);
    take_captured();
}

/* Kept for the page at the end: how many failed, and the first of them, in all repetitions. */
static void check_failed_subtests_are_counted(void)
{
    start(0);
    CHECK(t->failed_subtests == 0, "%u before any", t->failed_subtests);
    for (unsigned repetition = 0; repetition < 2; repetition++) {
        context_repeat(t, repetition);
        test_plan(t, 4);
        for (unsigned i = 0; i < 4; i++) {
            test_begin(t, NULL, "row_%u_%u", repetition, i);
            if (i % 2 == 1)
                test_fail(t, "wrong");
            test_end(t);
        }
        context_close(t);
    }
    CHECK(t->failed_subtests == 4, "%u", t->failed_subtests);
    CHECK_TEXT(t->failed_subtest, "row_0_1");
    start(0);
    test_fail(t, "wrong, in no subtest");
    CHECK(t->failed_subtests == 0, "%u of another test", t->failed_subtests);
    take_captured();
}

/* An early end, a subtest without end, one too many, one without plan: each a failure, each plan
 * still kept. */
static void check_misuse(void)
{
    start(0);
    test_plan(t, 3);
    test_begin(t, NULL, "open");
    context_close(t);
    CHECK(t->failed, "an open subtest passes");
    CHECK(strstr(captured, "not ok 1 open\n") != NULL, "%s", captured);
    CHECK(strstr(captured, "ok 2 not_run_2 # SKIP the test ended before it\n    ok 3 ") != NULL,
          "%s", captured);

    start(0);
    test_plan(t, 1);
    context_close(t);
    CHECK(t->failed && strstr(t->notes.text, "1 subtests planned, 0 run") != NULL, "passes");

    start(0);
    test_plan(t, 1);
    for (int i = 0; i < 2; i++) {
        test_begin(t, NULL, "s%d", i);
        test_end(t);
    }
    context_close(t);
    CHECK(t->failed && strstr(captured, "ok 1 s0\n") && !strstr(captured, "ok 2"), "%s", captured);

    start(0);
    test_begin(t, NULL, "no_plan");
    test_end(t);
    context_close(t);
    CHECK(t->failed && captured_length == 0, "%s", captured);

    start(0);
    test_end(t);
    CHECK(t->failed, "an end without a beginning passes");

    start(0);
    test_plan(t, 1);
    test_skip(t, "late");
    context_close(t);
    CHECK(!t->failed && t->skipped && strstr(captured, "ok 1 not_run_1 # SKIP"), "%s", captured);
}

/* Later repetitions print no subtests, but report a failure in full. */
static void check_repetitions(void)
{
    start(3);
    test_plan(t, 2);
    test_begin(t, "BTS-3", "a");
    test_note(t, "forgotten");
    test_end(t);
    test_begin(t, "BTS-4", "b");
    test_fail(t, "wrong");
    test_end(t);
    context_close(t);
    CHECK(captured_length == 0 && t->failed, "%s", captured);
    context_report_failure(t);
    CHECK_TEXT(take_captured(),
               "  # wrong\n  # finding: setup\n  # that was subtest b\n  # repetition: 4 of 10\n"
               "  # claims: BTS-4\n  # rerun: make run TEST=suite.name\n");
}

/* The time was up, and the test runs again from its start: what has a line gets no second one. */
static void check_run_again(void)
{
    start(0);
    test_plan(t, 3);
    test_begin(t, "BTS-3", "a");
    test_end(t);
    test_begin(t, "BTS-4", "b");
    context_again(t);
    test_plan(t, 3);
    test_begin(t, "BTS-3", "a");
    test_fail(t, "wrong this time");
    test_end(t);
    test_begin(t, "BTS-4", "b");
    context_starve(t, "starved: %u %%", 3u);
    context_close(t);
    CHECK_TEXT(take_captured(), "    KTAP version 1\n    # Subtest: name\n    1..3\n    ok 1 a\n"
                                "    not ok 2 b # TIMEOUT starved: 3 %\n"
                                "    ok 3 not_run_3 # SKIP the test ended before it\n");
    CHECK(t->starved && t->failed && t->broken.count == 1, "what failed is forgotten");
    context_report_failure(t);
    CHECK(strstr(take_captured(),
                 "  # wrong this time\n  # finding: setup\n  # that was subtest a\n") != NULL,
          "%s", captured);
}

static void check_observations(void)
{
    start(0);
    test_observe(t, "crossing: %s", "source");
    test_observe(t, "crossing: %s", "source");
    test_plan(t, 1);
    test_observe(t, "crossing: %s", "target");
    test_observe(t, "crossing: %s", "source");
    CHECK(strstr(captured, "  # observed: crossing: source\n    KTAP") == captured, "%s", captured);
    CHECK(strstr(captured, "    # observed: crossing: target\n") != NULL, "%s", captured);
    CHECK(strstr(strstr(captured, "KTAP"), "source") == NULL, "said twice: %s", captured);
}

static void run_again(void)
{
    context_repeat(t, 0);
    test_observe(t, "seen in a retest, or behind it");
    test_choice(t, "wrap=lazy");
    test_plan(t, 1);
    test_begin(t, "BTS-1", "a");
    EXPECT(t, INDEX, true, "held");
    test_fail(t, "wrong");
    test_end(t);
    context_close(t);
}

/* It has failed before: no line tells of it, no claim counts as checked, and nothing that it
 * observes counts as told. */
static void check_retest(void)
{
    static struct selection all = {.tests = {&sample}, .count = 1};
    struct coverage_claim claim;

    start(0);
    coverage_begin(&all, &all);
    t->is_retest = true;
    run_again();
    context_restart(t, OPTIONS_SEED);
    run_again();
    coverage_claim(0, &claim);
    CHECK_TEXT(take_captured(), "");
    CHECK(t->unexpected && claim.state == COVERAGE_NONE, "%d", claim.state);
    start(0);
    test_observe(t, "seen in a retest, or behind it");
    CHECK_TEXT(take_captured(), "  # observed: seen in a retest, or behind it\n");
}

/* Each time at once, on a line of its own. */
static void check_lab_is_asked(void)
{
    start(0);
    test_ask_lab(t, LAB_MACHINE_CHECK);
    CHECK_TEXT(captured, "  # lab: machine-check?\n");
    test_plan(t, 1);
    test_ask_lab(t, LAB_MACHINE_CHECK);
    CHECK(strstr(captured, "\n    # lab: machine-check?\n") != NULL, "%s", captured);
}

static void check_notes_are_bounded(void)
{
    start(0);
    for (int i = 0; i < 5000; i++)
        test_note(t, "line %d of many that fill the room for notes", i);
    test_fail(t, "last");
    CHECK(t->notes.length <= NOTES_SIZE && t->notes.dropped > 0, "not bounded");
    context_close(t);
    context_report_failure(t);
    CHECK(strstr(captured, "more lines, for which there was no room\n") != NULL, "not said");
}

/* What held counts, too; what a test looks at to set itself up does not. */
static void check_checks_are_counted(void)
{
    start(0);
    EXPECT(t, SETUP, true, "set up");
    EXPECT_EQUAL(t, SETUP, "set up", 1, 1);
    test_fail(t, "not set up");
    CHECK(t->checks == 0, "%u of the set-up", t->checks);
    EXPECT(t, INDEX, true, "held");
    EXPECT_EQUAL(t, INDEX, "held", 1, 1);
    EXPECT_COUNT(t, PMI, "held", 1, 1);
    EXPECT_BITS(t, OVERFLOW, "held", 1, 1);
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, 1, 1, 1, "held");
    test_compared(t, 7);
    test_checked(t);
    FIND(t, INDEX, "found");
    CHECK(t->checks == 8, "%u", t->checks);
}

/* Of one subtest alone, and by the claim that it names or was told of; once, not repeated. */
static void check_coverage_of_subtests(void)
{
    static struct selection all = {.tests = {&sample}, .count = 1};
    struct coverage_claim claim;

    for (uint64_t repetition = 0; repetition < 2; repetition++) {
        start(repetition);
        coverage_begin(&all, &all);
        test_plan(t, 2);
        test_begin(t, "BTS-1", "checks");
        EXPECT(t, INDEX, true, "held");
        test_end(t);
        test_begin(t, "BTS-2", "checks_nothing");
        test_end(t);
        context_close(t);
        coverage_note_test(t);
        coverage_claim(0, &claim);
        CHECK((claim.state == COVERAGE_WHOLE) == (repetition == 0), "BTS-1: %d", claim.state);
        coverage_claim(1, &claim);
        CHECK(claim.state == COVERAGE_NONE, "BTS-2: %d", claim.state);
        test_checked_claim(t, "BTS-2");
        coverage_claim(1, &claim);
        CHECK((claim.state == COVERAGE_WHOLE) == (repetition == 0), "BTS-2: %d", claim.state);
    }
}

int main(void)
{
    check_checks_are_counted();
    check_coverage_of_subtests();
    check_subtests();
    check_disturbed_subtests();
    check_undisturbed_subtests();
    check_failed_subtests_are_counted();
    check_plain_failure();
    check_misuse();
    check_repetitions();
    check_run_again();
    check_observations();
    check_retest();
    check_lab_is_asked();
    check_notes_are_bounded();
    CHECK(holds == 0, "the watchdog is held %d times", holds);
    return check_result();
}
