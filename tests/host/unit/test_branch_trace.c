/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which branch records a test leaves in the log, and how many. */
#include "kernel/report/branch_trace.h"

#include "kernel/report/context.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/watchdog.h"
#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

void watchdog_hold(void)
{
}

void watchdog_release(void)
{
}

static struct test_context context;
static struct test_context *const t = &context;

static const struct test sample = {
    .suite = "suite", .name = "name", .claims = CLAIMS("BTS-1"), .needs = NEEDS()};

static void start(void)
{
    take_captured();
    context_start(t, &sample, 1, 1);
    context_repeat(t, 0);
}

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
    start();
    run(&first, 3);
    compare(first, 3);
    end();
    CHECK(captured_length == 0, "%s", captured);
}

/* The trace is that of the failed run, whatever runs follow. */
static void check_failure(void)
{
    start();
    run(&first, 3);
    FIND(t, INDEX, "wrong");
    run(&second, 3);
    compare(second, 3);
    end();
    CHECK(has("got=3 first=0") && has("0 ? 0x100 ") && !has("0x200 "), "%s", captured);

    start();
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
    start();
    run(&first, 3);
    is_there = false;
    FIND(t, INDEX, "wrong");
    end();
    CHECK(!has("trace:"), "%s", captured);
}

/* Those that failed are not there: what runs behind is not shown in their place. */
static void check_later_run(void)
{
    start();
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
    start();
    run(&first, 3);
    context_repeat(t, 1);
    FIND(t, INDEX, "wrong");
    end();
    CHECK(!has("trace:"), "%s", captured);
}

/* Each has its own trace, before its result. */
static void check_subtests(void)
{
    start();
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
    start();
    run(&first, 2);
    test_find(
        t, &(struct finding){.kind = FINDING_RECORD_FROM, .expected = 5, .got = 3, .previous = 3});
    end();
    errata_select(NULL);
    CHECK(t->failed && !t->unexpected && !has("trace:"), "%s", captured);
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;

    for (const char *at = captured; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static void fail_subtests(unsigned count)
{
    start();
    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        test_begin(t, NULL, "s%u", i);
        run(&first, 1000);
        FIND(t, INDEX, "wrong");
        test_end(t);
    }
    end();
}

/* A test has so many lines, the run so many, and what is left out is said. */
static void check_bounds(void)
{
    unsigned lines;

    fail_subtests(4);
    CHECK(count_lines("# trace: s") == 2, "%u", count_lines("# trace: s"));
    CHECK(count_lines("# trace: ") == TRACE_TEST_LINES + 1, "%u", count_lines("# trace: "));
    CHECK(has("\n  # trace: left_out=2, of this test"), "%s", captured);
    CHECK(has("shown=256\n") && has("shown=254\n"), "%s", captured);
    for (lines = 0; lines < TRACE_LINES / TRACE_TEST_LINES; lines++)
        fail_subtests(4);
    CHECK(count_lines("# trace: ") == 1, "%u", count_lines("# trace: "));
    CHECK(has("\n  # trace: left_out=4, of this test"), "%s", captured);
}

/* A trace that would end before its first difference is left out. */
static void check_reach(void)
{
    struct branch_trace trace = {.head = {.source = "bts", .steps = 90, .shown = 90}};
    unsigned left;

    trace.steps[64].mark = TRACE_MISSING;
    left = 65;
    CHECK(!trace_print(&trace, LEVEL_TEST, &left) && left == 65, "%u", left);
    left = 66;
    CHECK(trace_print(&trace, LEVEL_TEST, &left) && left == 0, "%u", left);
    CHECK(has("shown=65\n") && has("  # trace: 64 - "), "%s", captured);
}

/* A disturbed test runs again, with no more lines than others. */
static void check_restart(void)
{
    fail_subtests(1);
    context_restart(t, 1);
    CHECK(t->trace_room == TRACE_TEST_LINES - TRACE_STEPS - 1, "%u", t->trace_room);
}

/* Many processors have only a few lines each more than one. */
static void check_share(unsigned processors, unsigned lines)
{
    trace_share(processors);
    fail_subtests(2);
    CHECK(count_lines("# trace: ") - has("left_out") == lines, "%u: %s", processors, captured);
    trace_share(1);
}

/* trace=1: of what passes, too; of the last run, compared or not. */
static void check_asked(void)
{
    trace_ask(true);
    start();
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
    start();
    run(&second, 2);
    end();
    CHECK(has("  # trace: 1 ? 0x201 ") && !has("rerun"), "%s", captured);
    trace_ask(false);
}

int main(void)
{
    check_share(64, TRACE_LINES_LEAST);
    check_share(8, TRACE_LINES / 8 - TRACE_LINES_LEAST);
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
    check_reach();
    check_restart();
    check_bounds();
    return check_result();
}
