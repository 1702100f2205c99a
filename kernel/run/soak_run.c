/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/soak_run.h"

#include "arch/lib/printf.h"
#include "arch/trace/pmi.h"
#include "kernel/run/workers.h"
#include "kernel/run/worker.h"
#include "kernel/report/ktap.h"
#include "kernel/run/outcome.h"
#include "kernel/run/plan.h"
#include "kernel/screen/progress.h"
#include "kernel/run/attempts.h"
#include "kernel/run/soak.h"
#include "kernel/run/soak_screen.h"
#include "kernel/report/summary.h"
#include "kernel/report/soak_stats.h"
#include "kernel/machine/time.h"

#define AGAIN 3u /* repetitions of a failed draw */

static struct selection drawable;

static struct test_context *execute(const struct soak_draw *draw, const struct options *options,
                                    const char *suffix)
{
    const struct attempts attempts = {.seed = draw->seed,
                                      .first = draw->repetition,
                                      .count = 1,
                                      .are_drawn = true,
                                      .timeout = options->timeout};
    uint64_t interrupts = pmi_taken();
    struct test_context *t;

    ktap_mute(true);
    t = attempts_run(draw->test, &attempts, suffix);
    ktap_mute(false);
    soak_stats_add(SOAK_STATS_INTERRUPTS, pmi_taken() - interrupts);
    return t;
}

/* Does the failure repeat with its seed: always, seldom or never? */
static void try_again(const struct soak_draw *draw, const struct options *options,
                      const char *suffix)
{
    unsigned failures = 0;

    for (unsigned i = 0; i < AGAIN; i++)
        failures += execute(draw, options, suffix)->unexpected;
    ktap_comment(LEVEL_SUITE, "soak%s: executed %u times more, it failed %u times", suffix, AGAIN,
                 failures);
}

static void print_draw(const struct soak_draw *draw, struct test_context *t,
                       const struct options *options, const char *suffix)
{
    char name[TEST_NAME_SIZE];

    ktap_comment(LEVEL_SUITE, "soak%s: after %lu s %s failed:", suffix, soak_seconds(),
                 test_full_name(t->test, name));
    context_report_failure(t);
    summary_add_failure(t);
    outcome_add_broken(outcome(), &t->broken);
    try_again(draw, options, suffix);
}

static void draw_one(const struct options *options, const char *suffix)
{
    struct soak_draw draw = soak_next(&drawable, plan_all(), options->seed);
    uint64_t start = time_now();
    struct test_context *t;

    worker_waits_for_room();
    progress_soak(draw.test);
    t = execute(&draw, options, suffix);
    if (soak_took(&draw, t, time_microseconds_since(start)))
        print_draw(&draw, t, options, suffix);
}

static void choose_drawable(const struct selection *tests)
{
    drawable.count = 0;
    for (size_t i = 0; i < tests->count; i++)
        if (feature_missing(tests->tests[i]->needs) == FEATURE_COUNT)
            drawable.tests[drawable.count++] = tests->tests[i];
}

static void report(bool has_passed, const char *suffix, unsigned *number)
{
    enum ktap_outcome result = has_passed ? KTAP_OK : KTAP_NOT_OK;

    ktap_totals_count(&outcome()->totals, result);
    ktap_result(LEVEL_SUITE, result, 1, SOAK_TEST, NULL);
    ktap_result(LEVEL_RUN, result, ++*number, suffix, NULL);
}

void soak_run(const struct selection *tests, const struct options *options, const char *suffix,
              unsigned *number)
{
    char name[TEST_NAME_SIZE];

    choose_drawable(tests);
    soak_screen_begin();
    while (drawable.count > 0 && soak_goes_on(options)) {
        draw_one(options, suffix);
        workers_print_tests(number);
        workers_look();
    }
    format_string(name, sizeof(name), SOAK_SUITE "%s", suffix);
    ktap_open(LEVEL_SUITE, name);
    ktap_plan(LEVEL_SUITE, 1);
    report(soak_sum_up(), name, number);
}
