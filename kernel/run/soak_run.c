/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/soak.h"
#include "arch/lib/printf.h"
#include "arch/trace/pmi.h"
#include "kernel/machine/time.h"
#include "kernel/run/retest.h"
#include "kernel/run/plan.h"
#include "kernel/run/workers.h"
#include "kernel/screen/console_screen.h"
#include "kernel/screen/dashboard.h"

static struct selection drawable;

static struct attempts attempts_of(const struct soak_draw *draw, const struct options *options)
{
    return (struct attempts){.seed = draw->seed,
                             .first = draw->repetition,
                             .count = 1,
                             .are_drawn = true,
                             .timeout = options->timeout};
}

static struct test_context *execute(const struct soak_draw *draw, const struct options *options,
                                    const char *suffix)
{
    const struct attempts attempts = attempts_of(draw, options);
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
    struct retest all;

    if (options->retest == 0)
        return;
    all =
        retest_run(draw->test, attempts_of(draw, options), suffix, options->retest, UINT64_MAX, 0);
    ktap_comment(LEVEL_SUITE, "soak%s: executed %lu times more, it failed %lu times", suffix,
                 all.runs, all.failures);
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

static const char *state_of(const struct worker *worker)
{
    static const char *const names[] = {
        [WORKER_WAITS] = "waits", [WORKER_STARTS] = "starts",         [WORKER_RUNS] = "runs",
        [WORKER_DONE] = "done",   [WORKER_REFUSED] = "does not come", [WORKER_LOST] = "lost",
    };

    return names[worker_state(worker)];
}

/* Row 0 is this processor. */
static struct soak_row row_of(unsigned number)
{
    static char name[WORKER_SUFFIX_SIZE];
    const struct worker *worker = number > 0 ? worker_at(number - 1) : NULL;

    if (worker == NULL)
        return (struct soak_row){cpu_label_name() + 1, "", soak_stats_of(0)};
    return (struct soak_row){worker_suffix(worker, name) + 1, state_of(worker),
                             soak_stats_of(worker->slot)};
}

static void show_page(const struct test *test)
{
    static struct machine_name machine;
    struct screen_page *page = console_screen_start_page();
    struct soak_view view = {.machine = &machine,
                             .last_failure = soak_last_failure(),
                             .seconds = soak_seconds(),
                             .left = soak_seconds_left(),
                             .sum = soak_sum(),
                             .row = row_of,
                             .rows = 1 + worker_count(),
                             .test = test};

    if (page == NULL)
        return;
    machine_get_name(&machine);
    soak_page_fill(page, &view);
    console_screen_show_page();
}

static void show_below_log(void)
{
    char counts[SOAK_STATS_TEXT_SIZE], text[SOAK_STATS_TEXT_SIZE];
    struct soak_stats sum = soak_sum();

    format_string(text, sizeof(text), "soak: %lu s", soak_seconds());
    console_screen_status(text, soak_stats_format(&sum, counts),
                          sum.counts[SOAK_STATS_FAILURES] > 0 ? COLOUR_BAD : COLOUR_GOOD);
}

static void show(const struct test *test)
{
    if (console_screen_keeps_log())
        show_below_log();
    else
        show_page(test);
}

void soak_screen_begin(void)
{
    progress_begin_soak(show);
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
