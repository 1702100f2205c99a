/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which branch records a test leaves in the log, and how many. */
#include "kernel/report/branch_trace.h"

#include "kernel/report/ktap.h"
#include "tests/host/unit/sample_context.h"

static void end(void)
{
    context_close(t);
    if (t->failed)
        context_report_failure(t);
    else
        context_report_trace(t);
}

/* Steps that have a number in them. */
static void read(const void *from, size_t number, struct trace_step *step)
{
    const uint64_t *base = from;

    *step = (struct trace_step){.mark = TRACE_ALONE, .from = *base + number, .to = 1};
}

static void compare(uint64_t base, size_t count)
{
    const struct trace_head head = {
        .source = "bts", .is_compared = true, .steps = count, .got = count, .shown = count};

    if (test_keeps_trace(t))
        test_trace(t, &head, read, &base);
}

static bool is_there;
static bool still_there(void)
{
    return is_there;
}

static void run(const uint64_t *base, size_t count)
{
    const struct trace_of_run of = {
        .head = {.source = "bts", .steps = count, .got = count, .shown = count},
        .read = read,
        .still_there = still_there,
        .from = base,
    };

    is_there = true;
    test_trace_run(t, &of);
}

static const uint64_t first = 0x100, second = 0x200;

static bool has(const char *text)
{
    return strstr(captured, text) != NULL;
}

static void check_lines(void)
{
    static const struct trace_step steps[] = {
        {.mark = TRACE_SAME, .from = 1, .to = 2, .flags = 16, .kind = "JMP"},
        {.mark = TRACE_ALTERED,
         .from = 1,
         .to = 2,
         .expected_from = 1,
         .expected_to = 3,
         .kind = "INT n",
         .from_ring = 3},
        {.mark = TRACE_MISSING, .from = 1, .to = 2, .kind = "RET"},
        {.mark = TRACE_EXTRA, .from = 1, .to = 2},
        {.mark = TRACE_ABSENT, .from = 1, .to = 2, .kind = "SYSCALL", .from_ring = 3},
        {.mark = TRACE_ALONE, .from = UINT64_MAX, .to = 0},
    };
    struct branch_trace trace = {.head = {.source = "lbr",
                                          .is_compared = true,
                                          .steps = 9,
                                          .got = 5,
                                          .expected = 4,
                                          .first = 3,
                                          .got_first = 2,
                                          .expected_first = 1,
                                          .shown = 6}};
    unsigned left = 100;

    memcpy(trace.steps, steps, sizeof(steps));
    take_captured();
    CHECK(trace_print(&trace, LEVEL_TEST, &left) && left == 93, "%u", left);
    CHECK_TEXT(take_captured(),
               "  # trace: source=lbr steps=9 got=5 expected=4 first=3 got_first=2 "
               "expected_first=1 shown=6\n"
               "  # trace: 3 = 0x1 0x2 0x10 0>0 JMP\n"
               "  # trace: 4 ! 0x1 0x2 0x0 3>0 INT n | 0x1 0x3\n"
               "  # trace: 5 - 0x1 0x2 - 0>0 RET\n"
               "  # trace: 6 + 0x1 0x2 0x0 - -\n"
               "  # trace: 7 ~ 0x1 0x2 - 3>0 SYSCALL\n"
               "  # trace: 8 ? 0xffffffffffffffff 0x0 0x0 - -\n");
}

static void check_pass_leaves_none(void)
{
    start(0);
    run(&first, 3);
    compare(first, 3);
    end();
    CHECK(captured_length == 0, "%s", captured);
}

/* The trace is that of the failed run, whatever runs follow. */
static void check_failure(void)
{
    start(0);
    run(&first, 3);
    FIND(t, INDEX, "wrong");
    run(&second, 3);
    compare(second, 3);
    end();
    CHECK(has("got=3 first=0") && has("0 ? 0x100 ") && !has("0x200 "), "%s", captured);

    start(0);
    run(&first, 3);
    FIND(t, INDEX, "wrong");
    compare(second, 3); /* of the same run, and says more */
    compare(first, 2);
    run(&first, 3);
    end();
    CHECK(has("got=3 expected=0") && has("0 ? 0x200 ") && !has("0x100 "), "%s", captured);
    CHECK(strstr(captured, "finding: index") < strstr(captured, "trace: source"), "%s", captured);
}

static void check_gone(void)
{
    start(0);
    run(&first, 3);
    is_there = false;
    FIND(t, INDEX, "wrong");
    end();
    CHECK(!has("trace:"), "%s", captured);
}

/* Those that failed are not there: what runs behind is not shown in their place. */
static void check_later_run(void)
{
    start(0);
    run(&first, 3);
    is_there = false;
    FIND(t, INDEX, "wrong");
    run(&second, 3);
    compare(second, 3);
    end();
    CHECK(!has("trace:"), "%s", captured);
}

/* Nothing ran in this repetition. */
static void check_earlier_repetition(void)
{
    start(0);
    run(&first, 3);
    context_repeat(t, 1);
    FIND(t, INDEX, "wrong");
    end();
    CHECK(!has("trace:"), "%s", captured);
}

/* Each has its own trace, before its result. */
static void check_subtests(void)
{
    start(0);
    test_plan(t, 3);
    test_begin(t, NULL, "a");
    run(&first, 2);
    FIND(t, INDEX, "wrong");
    test_end(t);
    test_begin(t, NULL, "b");
    run(&second, 1);
    test_end(t);
    test_begin(t, NULL, "c");
    FIND(t, INDEX, "wrong, and nothing ran");
    test_end(t);
    end();
    CHECK(has("    # trace: 1 ? 0x101 0x1 0x0 - -\n    not ok 1 a\n    ok 2 b\n"), "%s", captured);
    CHECK(!has("0x200 ") && !has("\n  # trace:"), "%s", captured);
}

/* Where subtests have no lines, that of the first one that failed comes with the test. */
static void check_later_repetition(void)
{
    take_captured();
    context_start(t, &sample, 1, 9);
    context_repeat(t, 5);
    test_plan(t, 3);
    test_begin(t, NULL, "a");
    run(&first, 2);
    FIND(t, INDEX, "wrong");
    test_end(t);
    test_begin(t, NULL, "b");
    run(&second, 2);
    FIND(t, INDEX, "wrong");
    test_end(t);
    test_begin(t, NULL, "c");
    run(&second, 2);
    test_end(t);
    end();
    CHECK(has("\n  # trace: 0 ? 0x100 ") && !has("0x200 "), "%s", captured);
}

static void check_erratum_leaves_none(void)
{
    static const struct cpu_identity haswell = {
        .vendor = "GenuineIntel", .family = 6, .model = 0x3c, .stepping = 3, .microcode = 0x20};

    errata_select(&haswell);
    start(0);
    run(&first, 2);
    test_find(
        t, &(struct finding){.kind = FINDING_RECORD_FROM, .expected = 5, .got = 3, .previous = 3});
    end();
    errata_select(NULL);
    CHECK(t->failed && !t->unexpected && !has("trace:"), "%s", captured);
}

static void fail_subtests(unsigned count)
{
    start(0);
    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        test_begin(t, NULL, "s%u", i);
        run(&first, 1000);
        FIND(t, INDEX, "wrong");
        test_end(t);
    }
    end();
}

/* Of failures that are alike the first have traces, of so many lines each. */
static void check_bounds_of_alike(void)
{
    fail_subtests(ALIKE_WHOLE + 2);
    CHECK(count_of("# trace: s") == ALIKE_WHOLE, "%u", count_of("# trace: s"));
    CHECK(count_of("# trace: ") == ALIKE_WHOLE * (TRACE_SHOWN + 1), "%s", captured);
    CHECK(has("\n  # in short: 2 like earlier ones"), "%s", captured);
}

/* The run has so many lines, and what is left out is said. */
static void check_bounds_of_run(void)
{
    for (unsigned lines = 0; lines < TRACE_LINES; lines += TRACE_SHOWN)
        fail_subtests(ALIKE_WHOLE);
    CHECK(count_of("# trace: ") == 1, "%u", count_of("# trace: "));
    CHECK(has("\n  # trace: left_out=3, of this test"), "%s", captured);
}

/* Asked for, all that is kept is printed, of every failure; a test has so many lines. */
static void check_bounds_of_test(void)
{
    trace_ask(true);
    fail_subtests(4);
    CHECK(count_of("# trace: s") == 2, "%u", count_of("# trace: s"));
    CHECK(count_of("# trace: ") == TRACE_TEST_LINES + 1, "%u", count_of("# trace: "));
    CHECK(has("\n  # trace: left_out=2, of this test"), "%s", captured);
    CHECK(has("shown=256\n") && has("shown=254\n"), "%s", captured);
    CHECK(!has("in short"), "%s", captured);
    trace_ask(false);
}

/* A trace that would end before its first difference is left out. */
static void check_reach(bool is_asked, unsigned ahead)
{
    struct branch_trace trace = {.head = {.source = "bts", .steps = 90, .shown = 90}};
    unsigned left = ahead + 1;

    trace_ask(is_asked);
    trace.steps[64].mark = TRACE_MISSING;
    CHECK(!trace_print(&trace, LEVEL_TEST, &left) && left == ahead + 1, "%u", left);
    left = ahead + 2;
    take_captured();
    CHECK(trace_print(&trace, LEVEL_TEST, &left) && left == 0, "%u", left);
    CHECK(has("  # trace: 64 - "), "%s", captured);
    CHECK(count_of("# trace: ") == ahead + 2, "%s", captured);
    trace_ask(false);
}

/* What a trace that begins later says of its beginning. */
static void check_head(void)
{
    struct branch_trace trace = {.head = {.source = "bts",
                                          .steps = 60,
                                          .shown = 40,
                                          .first = 20,
                                          .got_first = 19,
                                          .expected_first = 18,
                                          .is_compared = true}};
    unsigned left = 99;

    trace.steps[1].mark = TRACE_ABSENT;
    trace.steps[30].mark = TRACE_EXTRA;
    take_captured();
    trace_print(&trace, LEVEL_TEST, &left);
    CHECK(has("first=46 got_first=44 expected_first=44 shown=14\n"), "%s", captured);
    CHECK(has("  # trace: 50 + "), "%s", captured);
}

static char said[1024];

static void say(void *to, const char *line)
{
    (void)to;
    snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", line);
}

/* One list for people: what stands around the first difference, an altered one as two. */
static void check_diff(void)
{
    static const struct trace_step steps[] = {
        {.from = 1, .to = 2, .kind = "JMP"},
        {.from = 1, .to = 2, .kind = "JMP"},
        {.from = 3, .to = 4, .kind = "IRET", .to_ring = 3},
        {.mark = TRACE_ALTERED,
         .from = 5,
         .to = 6,
         .expected_from = 7,
         .expected_to = 6,
         .kind = "RET",
         .from_ring = 3,
         .to_ring = 3},
        {.mark = TRACE_EXTRA, .from = 8, .to = 9},
        {.mark = TRACE_MISSING, .from = 10, .to = 11, .kind = "Jcc"},
    };
    struct branch_trace trace = {.head = {.source = "bts",
                                          .got = 5,
                                          .expected = 5,
                                          .shown = 6,
                                          .first = 10,
                                          .is_compared = true}};

    memcpy(trace.steps, steps, sizeof(steps));
    said[0] = '\0';
    trace_diff(&trace, say, NULL);
    CHECK_TEXT(said, "5 records expected, 5 got; - is missing, + is too many:\n"
                     "=  11 0>0 JMP 0x0000000000000001 -> 0x0000000000000002\n"
                     "=  12 0>3 IRET 0x0000000000000003 -> 0x0000000000000004\n"
                     "-  13 3>3 RET 0x0000000000000007 -> 0x0000000000000006\n"
                     "+  13 3>3 RET 0x0000000000000005 -> 0x0000000000000006\n"
                     "+  14 0x0000000000000008 -> 0x0000000000000009\n"
                     "-  15 0>0 Jcc 0x000000000000000a -> 0x000000000000000b\n");
    said[0] = '\0';
    trace.head.shown = 3;
    trace_diff(&trace, say, NULL);
    CHECK_TEXT(said, "");
}

/* A disturbed test runs again, with no more lines than others. */
static void check_restart(void)
{
    fail_subtests(1);
    context_restart(t, 1);
    CHECK(t->trace_room == TRACE_TEST_LINES - TRACE_SHOWN - 1, "%u", t->trace_room);
}

/* Many processors have only a few lines each more than one. */
static void check_share(unsigned processors, unsigned lines)
{
    trace_share(processors);
    fail_subtests(2);
    CHECK(count_of("# trace: ") - has("left_out") == lines, "%u: %s", processors, captured);
    trace_share(1);
}

/* log=trace: of what passes, too; of the last run, compared or not. */
static void check_asked(void)
{
    trace_ask(true);
    start(0);
    test_plan(t, 3);
    test_begin(t, NULL, "a");
    run(&first, 2);
    run(&second, 2);
    test_end(t);
    test_begin(t, NULL, "b");
    run(&first, 2);
    compare(second, 1);
    test_end(t);
    test_begin(t, NULL, "c");
    test_end(t);
    end();
    CHECK(has("    # trace: source=bts steps=2 got=2 first=0 got_first=0 expected_first=0 shown=2\n"
              "    # trace: 0 ? 0x200 0x1 0x0 - -\n    # trace: 1 ? 0x201 0x1 0x0 - -\n"
              "    ok 1 a\n"),
          "%s", captured);
    CHECK(has("shown=1\n    # trace: 0 ? 0x200 0x1 0x0 - -\n    ok 2 b\n    ok 3 c\n"), "%s",
          captured);
    start(0);
    run(&second, 2);
    end();
    CHECK(has("  # trace: 1 ? 0x201 ") && !has("rerun"), "%s", captured);
    trace_ask(false);
}

int main(void)
{
    check_share(64, TRACE_LINES_LEAST);
    check_share(4, TRACE_LINES / 4 - TRACE_LINES_LEAST);
    check_bounds_of_alike();
    check_lines();
    check_pass_leaves_none();
    check_failure();
    check_gone();
    check_later_run();
    check_earlier_repetition();
    check_subtests();
    check_later_repetition();
    check_erratum_leaves_none();
    check_asked();
    check_restart();
    check_head();
    check_diff();
    check_reach(false, TRACE_SHOWN_AHEAD);
    check_reach(true, 64);
    check_bounds_of_run();
    check_bounds_of_test();
    return check_result();
}
