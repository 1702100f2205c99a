/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another processor's log, in the log of all: as it is, and completed where it ends too early. */
#include "kernel/run/workers.h"

#include "arch/lib/printf.h"
#include "kernel/run/worker.h"
#include "kernel/run/soak.h"
#include "tests/host/unit/captured_console.h"
#include "tests/host/unit/check.h"

#define RING_BYTES 65536u

static union {
    struct ktap_ring ring;
    char bytes[RING_BYTES];
} memory;

static const struct test tests[] = {
    {.suite = "lbr", .name = "a"}, {.suite = "lbr", .name = "b"}, {.suite = "ring3", .name = "c"}};
static struct selection planned = {.tests = {&tests[0], &tests[1], &tests[2]}, .count = 3};
static const struct options options;
static struct worker worker = {.number = 3, .wrong = "no answer", .options = &options};
static struct worker_log log_of_worker;
static unsigned number;

enum worker_state worker_state(const struct worker *of)
{
    return of->state;
}

char *worker_suffix(const struct worker *of, char text[WORKER_SUFFIX_SIZE])
{
    format_string(text, WORKER_SUFFIX_SIZE, "@E%u", of->number);
    return text;
}

static bool soaks;

bool soak_draws_from(const struct options *of, const struct selection *tests)
{
    CHECK(of == &options && tests->count > 0, "others");
    return soaks;
}

static void put(enum ktap_call call, unsigned level, unsigned value, const char *text)
{
    struct ktap_message message = {.call = (uint8_t)call, .level = (uint8_t)level, .number = value};

    message.length = (uint16_t)(format_string(message.text, 200, "%s", text) + 2);
    ktap_ring_put(&memory.ring, &message);
}

static void begin(enum worker_state state)
{
    ktap_ring_open(&memory.ring, RING_BYTES);
    log_of_worker = (struct worker_log){.ring = &memory.ring};
    worker.state = state;
    number = 4;
    take_captured();
}

static const char *complete(void)
{
    worker_log_follow(&log_of_worker, &number);
    worker_log_complete(&log_of_worker, &planned, &worker, &number);
    return take_captured();
}

static void put_first_test(void)
{
    put(KTAP_CALL_OPEN, LEVEL_SUITE, 0, "lbr@E3");
    put(KTAP_CALL_PLAN, LEVEL_SUITE, 2, "");
    put(KTAP_CALL_RESULT, LEVEL_SUITE, KTAP_OK, "a");
}

/* Suites are numbered on; what sums up stays for the end. */
static void check_whole(void)
{
    begin(WORKER_DONE);
    put_first_test();
    put(KTAP_CALL_COMMENT, LEVEL_SUITE, 0, "a word");
    put(KTAP_CALL_RESULT, LEVEL_SUITE, KTAP_NOT_OK, "b");
    put(KTAP_CALL_RESULT, LEVEL_RUN, KTAP_NOT_OK, "lbr@E3");
    put(KTAP_CALL_END, 0, 0, "");
    put(KTAP_CALL_COMMENT, 0, 0, "coverage");
    CHECK(worker_log_follow(&log_of_worker, &number), "nothing came");
    CHECK_TEXT(take_captured(), "  KTAP version 1\n  # Subtest: lbr@E3\n  1..2\n  ok 1 a\n"
                                "  # a word\n  not ok 2 b\nnot ok 5 lbr@E3\n");
    CHECK(!worker_log_follow(&log_of_worker, &number), "it came again");
    CHECK(log_of_worker.totals.run == 2 && log_of_worker.totals.fail == 1, "totals");
    worker_log_finish(&log_of_worker);
    CHECK_TEXT(take_captured(), "# coverage\n");
}

/* The test that ran fails; tests that had not begun are skipped. */
static void check_lost(void)
{
    begin(WORKER_LOST);
    put_first_test();
    put(KTAP_CALL_OPEN, LEVEL_SUBTEST, 0, "b");
    put(KTAP_CALL_PLAN, LEVEL_SUBTEST, 2, "");
    put(KTAP_CALL_RESULT, LEVEL_SUBTEST, KTAP_OK, "x");
    CHECK_TEXT(complete(), "  KTAP version 1\n  # Subtest: lbr@E3\n  1..2\n  ok 1 a\n"
                           "    KTAP version 1\n    # Subtest: b\n    1..2\n    ok 1 x\n"
                           "    ok 2 not_run_2 # SKIP processor 3 hung and was left behind\n"
                           "  # finding: hang, on processor 3\n  not ok 2 b\nnot ok 5 lbr@E3\n"
                           "  KTAP version 1\n  # Subtest: ring3@E3\n  1..1\n"
                           "  ok 1 c # SKIP processor 3 hung and was left behind\nok 6 ring3@E3\n");
    CHECK(worker.outcome.totals.run == 3 && worker.outcome.totals.fail == 1 &&
              worker.outcome.totals.skip == 1 && worker.outcome.totals.pass == 1,
          "totals");
}

/* Behind a test that was done the next one stands for what was lost. */
static void check_lost_between(void)
{
    begin(WORKER_LOST);
    put_first_test();
    CHECK(strstr(complete(), "  not ok 2 b\n") != NULL, "nothing failed");
    CHECK(worker.outcome.totals.fail == 1 && worker.outcome.totals.skip == 1, "totals");
}

static void check_refused(void)
{
    begin(WORKER_REFUSED);
    CHECK_TEXT(complete(), "  KTAP version 1\n  # Subtest: lbr@E3\n  1..2\n"
                           "  ok 1 a # SKIP processor 3 ran no tests: no answer\n"
                           "  ok 2 b # SKIP processor 3 ran no tests: no answer\nok 5 lbr@E3\n"
                           "  KTAP version 1\n  # Subtest: ring3@E3\n  1..1\n"
                           "  ok 1 c # SKIP processor 3 ran no tests: no answer\nok 6 ring3@E3\n");
    CHECK(worker.outcome.totals.run == 3 && worker.outcome.totals.skip == 3, "totals");
}

/* All its tests were done, and it draws; what it said so far stands between the others' suites. */
static void check_lost_in_soak(void)
{
    static const struct selection one = {.tests = {&tests[2]}, .count = 1};

    soaks = true;
    begin(WORKER_LOST);
    put(KTAP_CALL_OPEN, LEVEL_SUITE, 0, "ring3@E3");
    put(KTAP_CALL_PLAN, LEVEL_SUITE, 1, "");
    put(KTAP_CALL_RESULT, LEVEL_SUITE, KTAP_OK, "c");
    put(KTAP_CALL_RESULT, LEVEL_RUN, KTAP_OK, "ring3@E3");
    worker_log_follow_comments(&log_of_worker);
    CHECK_TEXT(take_captured(), "");
    worker_log_follow(&log_of_worker, &number);
    put(KTAP_CALL_COMMENT, LEVEL_SUITE, 0, "a failure");
    put(KTAP_CALL_OPEN, LEVEL_SUITE, 0, "soak@E3");
    take_captured();
    worker_log_follow_comments(&log_of_worker);
    CHECK_TEXT(take_captured(), "  # a failure\n");
    ktap_ring_open(&memory.ring, RING_BYTES);
    worker_log_complete(&log_of_worker, &one, &worker, &number);
    CHECK_TEXT(take_captured(), "  KTAP version 1\n  # Subtest: soak@E3\n  1..1\n"
                                "  # finding: hang, on processor 3\n  not ok 1 drawn_tests\n"
                                "not ok 6 soak@E3\n");
    CHECK(worker.outcome.totals.run == 2 && worker.outcome.totals.fail == 1, "totals");
    soaks = false;
}

int main(void)
{
    check_whole();
    check_lost();
    check_lost_between();
    check_refused();
    check_lost_in_soak();
    return check_result();
}
