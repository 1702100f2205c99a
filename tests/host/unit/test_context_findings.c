/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test finds: which lines it has, whole and brief, and which claims break. */
#include "tests/host/unit/sample_context.h"

#include "kernel/report/ktap.h"

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
    CHECK(strstr(captured, "\n  # in short: 2 like earlier ones; log=trace shows all of them\n"),
          "%s", captured);
    fail("BTS-2", 1);
    CHECK(count_of("# a note\n") == 1, "another claim is another failure: %s", captured);
}

/* Of a kind not more than so many are whole, whatever the claims; log=trace shows all. */
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

int main(void)
{
    check_findings_are_bounded();
    check_places();
    check_brief();
    check_many_are_brief();
    check_own_fault_is_whole();
    check_run_is_named();
    check_directions();
    check_first_finding_is_kept();
    check_known_failure();
    check_second_claim();
    CHECK(holds == 0, "the watchdog is held %d times", holds);
    return check_result();
}
