/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test says becomes the right lines, and no misuse by a test can break the log's tree. */
#include "kernel/report/context.h"
#include "kernel/report/ktap.h"

#include "kernel/report/coverage.h"
#include "kernel/settings.h"
#include "kernel/machine/watchdog.h"
#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

/* No watchdog here; what is held must be released. */
static int holds;

void watchdog_hold(void)
{
    holds++;
}

void watchdog_release(void)
{
    holds--;
}

static struct test_context context;
static struct test_context *const t = &context;

static const struct test sample = {
    .suite = "suite",
    .name = "name",
    .claims = CLAIMS("BTS-1", "BTS-2"),
    .needs = NEEDS(),
    .file = "f.c",
    .line = 1,
};

static void start_another(uint64_t repetition)
{
    take_captured();
    context_start(t, &sample, OPTIONS_SEED, 10);
    context_repeat(t, repetition);
}

static void start(uint64_t repetition)
{
    alike_begin();
    start_another(repetition);
}

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

/* Said ahead, of one subtest alone: it breaks a second claim, if it fails. */
static void check_second_claim(void)
{
    start(0);
    test_plan(t, 2);
    test_begin(t, "BTS-7", "passes");
    test_breaks_too(t, "BTS-1");
    test_end(t);
    test_begin(t, "BTS-8", "fails");
    test_breaks_too(t, "BTS-2");
    EXPECT(t, INDEX, false, "wrong");
    test_end(t);
    context_close(t);
    CHECK(t->broken.count == 2 && strcmp(t->broken.ids[0], "BTS-8") == 0 &&
              strcmp(t->broken.ids[1], "BTS-2") == 0,
          "%zu claims", t->broken.count);
    take_captured();
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

/* Likewise: what was found first, of the test or of a subtest, where no erratum explains it. */
static void check_first_finding_is_kept(void)
{
    static const struct cpu_identity haswell = {
        .vendor = "GenuineIntel", .family = 6, .model = 0x3c, .stepping = 3, .microcode = 0x20};

    start(0);
    CHECK_TEXT(t->first_finding, "");
    test_plan(t, 1);
    test_begin(t, NULL, "a_subtest");
    test_find(t, &(struct finding){.kind = FINDING_INDEX, .expected = 3, .got = 4});
    test_end(t);
    FIND(t, SETUP, "found later");
    CHECK_TEXT(t->first_finding, "index expected=0x3 got=0x4");
    start(0);
    FIND(t, INDEX, "in %s", "words");
    CHECK_TEXT(t->first_finding, "in words");
    errata_select(&haswell);
    start(0);
    test_find(
        t, &(struct finding){.kind = FINDING_RECORD_FROM, .expected = 5, .got = 3, .previous = 3});
    CHECK(t->failed && !t->unexpected, "no erratum explains that");
    CHECK_TEXT(t->first_finding, "");
    errata_select(NULL);
    take_captured();
}

/* Known, and no excuse: the failure stays one, and the log has its name, once. */
static void check_known_failure(void)
{
    static const struct cpu_identity goldmont = {
        .vendor = "GenuineIntel", .family = 6, .model = 0x5c, .stepping = 9, .microcode = 0x20};

    errata_select(&goldmont);
    start(0);
    FIND(t, FREEZE_COUNTERS, "a counter goes on");
    FIND(t, FREEZE_COUNTERS, "another one");
    context_close(t);
    CHECK(t->failed && t->unexpected && !context_failed_as_expected(t), "it is excused");
    CHECK_TEXT(t->first_finding, "a counter goes on");
    CHECK(strstr(t->notes.text, "known: goldmont-freeze: "), "%s", t->notes.text);
    CHECK(strstr(t->notes.text, "microcode 0x2e mends it"), "%s", t->notes.text);
    CHECK(!strstr(strstr(t->notes.text, "known: ") + 1, "known: "), "%s", t->notes.text);
    CHECK(!strstr(t->notes.text, "at most"), "%s", t->notes.text);
    errata_select(NULL);
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

/* Each kind shows the first few, and says how many more there were; one kind hides no other. */
static void check_findings_are_bounded(void)
{
    start(0);
    test_plan(t, 2);
    for (unsigned subtest = 0; subtest < 2; subtest++) {
        test_begin(t, NULL, "s%u", subtest);
        for (unsigned i = 0; i < FINDING_SHOWN + 3; i++)
            test_find(t, &(struct finding){.kind = FINDING_INDEX, .expected = i, .got = i + 1});
        EXPECT_COUNT(t, PMI, "interrupts", 2, 1);
        EXPECT_COUNT(t, PMI, "interrupts", 0, 1);
        test_end(t);
    }
    context_close(t);
    CHECK(strstr(captured, "got=0x3\n    # ") < strstr(captured, "ok 1 s0"), "%s", captured);
    CHECK(strstr(strstr(captured, "ok 1 s0"), "got=0x3\n    # ") != NULL, "%s", captured);
    CHECK(strstr(captured, "expected=0x3 got=0x4") == NULL, "%s", captured);
    CHECK(strstr(captured, "    # finding: pmi.extra expected=0x1 got=0x2 where=\"interrupts\"\n"),
          "%s", captured);
    CHECK(strstr(captured, "    # finding: pmi.missing expected=0x1 got=0x0"), "%s", captured);
    CHECK(strstr(captured, "    # findings: 3 more of index\n    not ok 2 s1"), "%s", captured);
}

static const struct finding findings_of_places[] = {
    {.kind = FINDING_RECORD_MISSING, .expected = 0x400000, .got = UINT64_MAX},
    {.kind = FINDING_RECORD_EXTRA, .got = 0xffffffff81800000, .expected = 0x400000},
    {.kind = FINDING_RECORD_FROM, .expected = 0x7fffffffffff, .got = UINT64_MAX},
    {.kind = FINDING_RECORD_EXTRA, .got = 0xa5a5a5a5a5a5a5a5},
    {.kind = FINDING_INDEX, .expected = 0x400000, .got = 0x400018},
    {.kind = FINDING_SETUP, .bare = true},
};

static unsigned seen_places;

static void see_places(unsigned level, enum ktap_outcome outcome, const char *name)
{
    (void)level;
    (void)outcome;
    (void)name;
    seen_places = context_places();
}

/* While a failed subtest's result is printed it is known where its findings lie: those of the first
 * run that had any. */
static void check_places(void)
{
    static const unsigned places[] = {PLACE_OTHER_RINGS, PLACE_RING_0, PLACE_OTHER_RINGS,
                                      PLACE_NONE,        PLACE_NONE,   PLACE_NONE};

    ktap_on_result(see_places);
    start(0);
    test_plan(t, 8);
    for (unsigned i = 0; i < 6; i++) {
        test_begin(t, NULL, "s%u", i);
        test_compared(t, 7);
        test_find(t, &findings_of_places[i]);
        test_end(t);
        CHECK(seen_places == places[i] && context_places() == 0, "%u: %u", i, seen_places);
    }
    test_begin(t, NULL, "no_finding");
    test_end(t);
    CHECK(seen_places == 0, "%u", seen_places);
    test_begin(t, NULL, "two_runs");
    test_compared(t, 3);
    for (unsigned run = 0; run < 2; run++) {
        test_compared(t, 7);
        test_find(t, &findings_of_places[1 - run]);
        if (run == 0)
            test_find(t, &findings_of_places[4]);
    }
    test_end(t);
    CHECK(seen_places == (PLACE_RING_0 | PLACE_NONE), "%u", seen_places);
    context_close(t);
    ktap_on_result(NULL);
}

static unsigned count_of(const char *text)
{
    unsigned count = 0;

    for (const char *at = captured; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

/* Fails so many subtests of a claim, twice each. */
static void fail(const char *claim, unsigned count)
{
    start_another(0);
    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        test_begin(t, claim, "s%u", i);
        test_note(t, "a note");
        EXPECT_EQUAL(t, INDEX, "index", 1, 0);
        EXPECT_EQUAL(t, INDEX, "index", 2, 0);
        FIND(t, STRAY_WRITE, "here it was written");
        test_end(t);
    }
    context_close(t);
    context_report_failure(t);
}

/* Later failures of a kind and claim have counts of their kinds, and their claim. */
static void check_brief(void)
{
    alike_begin();
    fail("BTS-1", ALIKE_WHOLE + 2);
    CHECK(count_of("# a note\n") == ALIKE_WHOLE, "%s", captured);
    CHECK(count_of("finding: index expected=0x0 got=0x1 ") == ALIKE_WHOLE, "%s", captured);
    CHECK(strstr(captured, "    not ok 4 s3\n    # findings: 2 more of index\n"
                           "    # findings: 1 more of stray-write\n"
                           "    # claims: BTS-1\n    not ok 5 s4\n"),
          "%s", captured);
    CHECK(strstr(captured, "\n  # in short: 2 like earlier ones; trace=1 shows all of them\n"),
          "%s", captured);
    fail("BTS-2", 1);
    CHECK(count_of("# a note\n") == 1, "another claim is another failure: %s", captured);
}

/* Of a kind not more than so many are whole, whatever the claims; trace=1 shows all. */
static void check_many_are_brief(void)
{
    static const char *const claims[] = {"A-1", "A-2", "A-3", "A-4", "A-5"};
    unsigned whole = 0;

    alike_begin();
    for (unsigned i = 0; i < 5; i++) {
        fail(claims[i], ALIKE_WHOLE);
        whole += count_of("# a note\n");
    }
    CHECK(whole == ALIKE_WHOLE_KIND, "%u", whole);
    trace_ask(true);
    fail("A-1", 5);
    CHECK(count_of("# a note\n") == 5 && !strstr(captured, "in short"), "%s", captured);
    trace_ask(false);
}

/* A test that went wrong by itself says all. */
static void check_own_fault_is_whole(void)
{
    start(0);
    test_plan(t, ALIKE_WHOLE + 1);
    for (unsigned i = 0; i < ALIKE_WHOLE + 1; i++) {
        test_begin(t, "BTS-1", "s%u", i);
        test_note(t, "a note");
        test_fail(t, "not set up");
        test_end(t);
    }
    context_close(t);
    CHECK(count_of("# a note\n") == ALIKE_WHOLE + 1, "%s", captured);
}

/* The run that findings are of stands before them, once. */
static void check_run_is_named(void)
{
    const struct run_conditions conditions = {
        .debugctl = 1ull << 6, .program = "rings", .records = 9, .threshold = 3};

    start(0);
    test_run_is(t, &conditions);
    FIND(t, LBR_TOS, "wrong");
    FIND(t, LBR_TOS, "wrong");
    context_close(t);
    context_report_failure(t);
    CHECK(strstr(captured, "  # run: debugctl=\"TR\" program=\"rings\" records=9 threshold=3\n"
                           "  # wrong\n  # finding: lbr.tos\n  # wrong\n") == captured,
          "%s", captured);
}

/* Bits that are missing are one finding, bits too many another; a range has two ends. */
static void check_directions(void)
{
    start(0);
    CHECK(EXPECT_BITS(t, OVERFLOW, "status", 5, 5), "equal bits");
    CHECK(EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, 7, 7, 7, "counted"), "within");
    CHECK(!t->failed, "failed by what held");
    CHECK(!EXPECT_BITS(t, OVERFLOW, "status", 6, 5), "other bits");
    CHECK(t->found[FINDING_OVERFLOW_MISSING] == 1 && t->found[FINDING_OVERFLOW_EXTRA] == 1,
          "of both");
    CHECK(!EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, 6, 7, 9, "counted"), "too low");
    CHECK(t->found[FINDING_COUNT_LOW] == 1 && t->found[FINDING_COUNT_HIGH] == 0, "low");
    CHECK(!EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, 10, 7, 9, "counted"), "too high");
    CHECK(t->found[FINDING_COUNT_HIGH] == 1, "high");
    context_close(t);
    context_report_failure(t);
    CHECK(strstr(captured, "# finding: count.high expected=0x9 got=0xa\n"), "%s", captured);
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
    check_findings_are_bounded();
    check_places();
    check_brief();
    check_many_are_brief();
    check_own_fault_is_whole();
    check_run_is_named();
    check_directions();
    check_subtests();
    check_disturbed_subtests();
    check_undisturbed_subtests();
    check_failed_subtests_are_counted();
    check_first_finding_is_kept();
    check_known_failure();
    check_second_claim();
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
