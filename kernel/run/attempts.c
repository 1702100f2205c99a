/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/attempts.h"
#include "arch/lib/string.h"
#include "arch/trace/features.h"
#include "kernel/report/ktap.h"
#include "kernel/run/interference.h"
#include "kernel/run/plan.h"
#include "kernel/screen/dashboard.h"

#define TEXT_SIZE 256u
#define RUNS_MAX  6u /* of a disturbed test */

static struct test_context context;
static struct interference interference; /* of the running test */
static bool is_running;

extern const struct learned_state __learned_state_start[], __learned_state_end[];

/* What tests have learned of the processor (LEARNED_STATE()), around a run that may not count. */
static void learned_state_save(void)
{
    for (const struct learned_state *row = __learned_state_start; row < __learned_state_end; row++)
        memcpy(row->before, row->now, row->size);
}

static void learned_state_restore(void)
{
    for (const struct learned_state *row = __learned_state_start; row < __learned_state_end; row++)
        memcpy(row->now, row->before, row->size);
}

const char *attempts_current(void)
{
    static char text[TEXT_SIZE];
    char name[TEST_NAME_SIZE];

    if (!is_running)
        return NULL;
    test_full_name(context.test, name);
    if (context.sub.is_open)
        format_string(text, sizeof(text), "%s, subtest %s", name, context.sub.name);
    else
        format_string(text, sizeof(text), "%s", name);
    return text;
}

void attempts_print_notes(void)
{
    if (is_running)
        ktap_comment_lines(LEVEL_RUN, context.notes.text, context.notes.length);
}

static bool is_over(const struct test_context *t)
{
    return t->unexpected || t->skipped || t->starved;
}

static void run_repetitions(struct test_context *t, const struct attempts *attempts)
{
    is_running = true;
    running_test = t->test;
    for (uint64_t i = 0; i < attempts->count && !is_over(t); i++) {
        progress_begin(t->test, i);
        context_repeat(t, attempts->first + i);
        test_run(t, attempts->timeout);
        context_close(t);
    }
    running_test = NULL;
    is_running = false;
}

static bool is_disturbed(void)
{
    return interference_look(&interference,
                             selection_suite(plan_all(), context.test->suite)->asks_for_smis);
}

static bool is_disturbed_subtest(void)
{
    return is_disturbed() || interference_look_further(&interference);
}

/* Looks for foreign use when a test has failed, with the counters off; at boot there was none. */
static bool others_use_a_counter(void)
{
    interference.counters = trace_features_look_again();
    return interference.counters;
}

static void start(const struct test *test, const struct attempts *attempts, const char *cpu_label)
{
    context_start(&context, test, attempts->seed, attempts->count);
    context.cpu_label = cpu_label;
    context.is_summed = true;
    context.is_drawn = attempts->are_drawn;
    context.is_retest = attempts->is_retest;
}

/* Runs the test from the start. Returns whether it was disturbed. */
static bool run_once(const struct attempts *attempts)
{
    bool disturbed;

    sums_begin();
    interference = interference_begin();
    learned_state_save();
    run_repetitions(&context, attempts);
    unclaimed_print_new(LEVEL_SUITE);
    disturbed = is_disturbed();
    if (!context.unexpected)
        return false;
    disturbed |= others_use_a_counter();
    return disturbed | interference_look_further(&interference);
}

/*
 * Disturbances leave entries, records and counts that are no fault of the processor. A test that
 * fails then runs again, unless the log has a failed subtest already.
 */
struct test_context *attempts_run(const struct test *test, const struct attempts *attempts,
                                  const char *cpu_label)
{
    start(test, attempts, cpu_label);
    for (unsigned runs = 1; runs <= RUNS_MAX; runs++) {
        bool again;

        context.disturbed = runs < RUNS_MAX ? is_disturbed_subtest : NULL;
        if (!run_once(attempts))
            break;
        again = runs < RUNS_MAX && !context.no_excuse && !context.has_bad_line;
        if (!attempts->is_retest)
            interference_print_failure(&interference, test, again);
        if (!again)
            break;
        ktap_comment_lines(LEVEL_SUITE, context.notes.text, context.notes.length);
        learned_state_restore();
        context_restart(&context, attempts->seed);
    }
    if (attempts->is_retest) {
        learned_state_restore();
        return &context;
    }
    if (context.unexpected)
        sums_line_of_test(context.broken_line);
    sums_keep();
    return &context;
}
