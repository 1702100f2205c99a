/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/workers.h"

#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/run/soak.h"

#define REASON_SIZE 160u

static void open_block(struct worker_log *log, unsigned level, const char *name)
{
    log->level = level;
    log->planned[level] = log->seen[level] = 0;
    if (level == LEVEL_SUITE) {
        log->is_in_suite = true;
        log->failed_before = log->totals.fail;
        format_string(log->suite, sizeof(log->suite), "%s", name);
    }
    ktap_open(level, name[0] != '\0' ? name : NULL);
}

static void plan_block(struct worker_log *log, unsigned count)
{
    log->planned[log->level] = count;
    ktap_plan(log->level, count);
}

/* Suites are numbered over the whole log. */
static void give(struct worker_log *log, unsigned level, enum ktap_outcome outcome,
                 const char *name, const char *reason, unsigned *number)
{
    log->level = level;
    log->is_in_suite &= level != LEVEL_RUN;
    if (level == LEVEL_SUITE)
        ktap_totals_count(&log->totals, outcome);
    ktap_result(level, outcome, level == LEVEL_RUN ? ++*number : ++log->seen[level], name,
                reason[0] != '\0' ? reason : NULL);
}

static void result(struct worker_log *log, const struct ktap_message *message, unsigned *number)
{
    give(log, message->level, (enum ktap_outcome)message->number, message->text,
         message->text + strlen(message->text) + 1, number);
}

static void make(struct worker_log *log, const struct ktap_message *message, unsigned *number)
{
    switch ((enum ktap_call)message->call) {
    case KTAP_CALL_OPEN:
        open_block(log, message->level, message->text);
        break;
    case KTAP_CALL_PLAN:
        plan_block(log, message->number);
        break;
    case KTAP_CALL_RESULT:
        result(log, message, number);
        break;
    case KTAP_CALL_COMMENT:
        ktap_comment_lines(message->level, message->text, strlen(message->text));
        break;
    case KTAP_CALL_DETAIL:
        ktap_detail(message->level, "%s", message->text);
        break;
    case KTAP_CALL_END:
        log->at_end = true;
    }
}

bool worker_log_follow(struct worker_log *log, unsigned *number)
{
    static struct ktap_message message;
    bool any = false;

    while (!log->at_end && ktap_ring_take(log->ring, &message)) {
        make(log, &message, number);
        any = true;
    }
    return any;
}

/* The last suite's own result included. */
static bool has_had_tests(const struct worker_log *log, size_t tests)
{
    return log->at_end || (log->totals.run >= tests && !log->is_in_suite);
}

bool worker_log_follow_tests(struct worker_log *log, size_t tests, unsigned *number)
{
    static struct ktap_message message;

    while (!has_had_tests(log, tests) && ktap_ring_take(log->ring, &message))
        make(log, &message, number);
    return has_had_tests(log, tests);
}

void worker_log_follow_comments(struct worker_log *log)
{
    static struct ktap_message message;
    unsigned none = 0;

    while (!log->at_end && !log->is_in_suite && ktap_ring_next(log->ring) == KTAP_CALL_COMMENT &&
           ktap_ring_take(log->ring, &message))
        make(log, &message, &none);
}

void worker_log_finish(struct worker_log *log)
{
    static struct ktap_message message;
    unsigned none = 0;

    while (log->at_end && ktap_ring_take(log->ring, &message))
        make(log, &message, &none);
}

/* --- what is still due --- */

struct rest {
    struct worker_log *log;
    const struct selection *planned;
    struct worker *worker;
    unsigned *number;
    bool is_printed; /* the failure */
    char why[REASON_SIZE];
};

static void fill_subtests(struct rest *rest)
{
    char name[REASON_SIZE];
    struct worker_log *log = rest->log;

    while (log->level == LEVEL_SUBTEST && log->seen[LEVEL_SUBTEST] < log->planned[LEVEL_SUBTEST]) {
        format_string(name, sizeof(name), "not_run_%u", log->seen[LEVEL_SUBTEST] + 1);
        give(log, LEVEL_SUBTEST, KTAP_SKIP, name, rest->why, rest->number);
    }
}

/* The test that ran when the worker was lost fails; between two tests, the next one. */
static void give_test(struct rest *rest, const char *name)
{
    bool fails = !rest->is_printed && worker_state(rest->worker) == WORKER_LOST;

    rest->is_printed = true;
    fill_subtests(rest);
    if (fails)
        ktap_comment(LEVEL_SUITE, "finding: hang, on processor %u", rest->worker->number);
    give(rest->log, LEVEL_SUITE, fails ? KTAP_NOT_OK : KTAP_SKIP, name, rest->why, rest->number);
}

/* Tests run in the order of the plan; each has one result. */
static const struct test *next_test(const struct rest *rest)
{
    return rest->planned->tests[rest->log->totals.run];
}

static void close_suite(struct rest *rest)
{
    struct worker_log *log = rest->log;

    give(log, LEVEL_RUN, log->totals.fail > log->failed_before ? KTAP_NOT_OK : KTAP_OK, log->suite,
         "", rest->number);
}

static void fill_suite(struct rest *rest)
{
    struct worker_log *log = rest->log;

    while (log->seen[LEVEL_SUITE] < log->planned[LEVEL_SUITE])
        give_test(rest, next_test(rest)->name);
    close_suite(rest);
}

static void open_suite(struct rest *rest, const char *suite, size_t size)
{
    char suffix[WORKER_SUFFIX_SIZE], name[TEST_NAME_SIZE];

    format_string(name, sizeof(name), "%s%s", suite, worker_suffix(rest->worker, suffix));
    open_block(rest->log, LEVEL_SUITE, name);
    plan_block(rest->log, (unsigned)size);
}

static void give_suite(struct rest *rest)
{
    open_suite(rest, next_test(rest)->suite,
               selection_suite_size(rest->planned, rest->log->totals.run));
    fill_suite(rest);
}

/* The soak's result follows those of all planned tests. */
static void give_soak(struct rest *rest)
{
    open_suite(rest, SOAK_SUITE, 1);
    give_test(rest, SOAK_TEST);
    close_suite(rest);
}

static void say_why(struct rest *rest)
{
    const struct worker *worker = rest->worker;

    if (worker_state(worker) == WORKER_LOST)
        format_string(rest->why, sizeof(rest->why), "processor %u hung and was left behind",
                      worker->number);
    else
        format_string(rest->why, sizeof(rest->why), "processor %u ran no tests: %s", worker->number,
                      worker->wrong);
}

void worker_log_complete(struct worker_log *log, const struct selection *planned,
                         struct worker *worker, unsigned *number)
{
    struct rest rest = {.log = log, .planned = planned, .worker = worker, .number = number};

    say_why(&rest);
    if (log->is_in_suite)
        fill_suite(&rest);
    while (log->totals.run < planned->count)
        give_suite(&rest);
    if (soak_draws_from(worker->options, planned) && log->totals.run == planned->count)
        give_soak(&rest);
    log->at_end = true;
    log->totals.planned = log->totals.run;
    worker->outcome = (struct outcome){.totals = log->totals};
}
