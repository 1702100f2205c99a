/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/runner.h"

#include "arch/cpu/smp/processors.h"
#include "arch/trace/features.h"
#include "kernel/run/workers.h"
#include "kernel/run/interference.h"
#include "kernel/report/coverage.h"
#include "kernel/run/dry_run.h"
#include "kernel/run/outcome.h"
#include "arch/lib/printf.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/run/plan.h"
#include "kernel/screen/dashboard.h"
#include "kernel/run/retest.h"
#include "kernel/run/soak.h"
#include "kernel/machine/time.h"

#define TEXT_SIZE    256u
#define MICROSECONDS 1000000u

extern const struct report __reports_start[], __reports_end[];
extern const struct claim_scope __claim_scopes_start[], __claim_scopes_end[];

static char suffix[WORKER_SUFFIX_SIZE]; /* of the suites' names */

const struct ktap_totals *runner_totals(void)
{
    return &outcome()->totals;
}

static void report_skip(const struct test *test, unsigned number, const char *reason)
{
    ktap_result(LEVEL_SUITE, KTAP_SKIP, number, test->name, reason);
    outcome()->totals.skip++;
}

/* An erratum's row says that this processor cannot pass: the erratum is fixed, or the row is
 * wrong. */
static void report_unexpected_pass(const struct test_context *t)
{
    if (t->certain == NULL)
        return;
    outcome()->unexpected_passes++;
    ktap_comment(LEVEL_SUITE, "unexpected pass: %s.%s, although %s: %s (%s)", t->test->suite,
                 t->test->name, t->certain->id, t->certain->effect, t->certain->source);
}

/* From the retest on the context is another's. */
static void report_failure(const struct test_context *t, unsigned number,
                           const struct options *options)
{
    const char *name = t->test->name;

    summary_add_failure(t);
    outcome()->totals.fail++;
    retest_print(t, options);
    ktap_result(LEVEL_SUITE, KTAP_NOT_OK, number, name, NULL);
}

static void report(const struct test_context *t, unsigned number, const struct options *options)
{
    struct ktap_totals *totals = &outcome()->totals;
    char errata[TEXT_SIZE];

    coverage_note_test(t);
    if (t->starved && !t->unexpected) {
        ktap_result(LEVEL_SUITE, KTAP_TIMEOUT, number, t->test->name, t->reason);
        totals->timeout++;
    } else if (context_failed_as_expected(t)) {
        ktap_result(LEVEL_SUITE, KTAP_XFAIL, number, t->test->name,
                    errata_format_counts(t->explained_in_all, errata, sizeof(errata)));
        totals->xfail++;
    } else if (t->failed) {
        report_failure(t, number, options);
    } else if (t->skipped) {
        summary_add_skip(FEATURE_COUNT);
        report_skip(t->test, number, t->reason);
    } else {
        report_unexpected_pass(t);
        ktap_result(LEVEL_SUITE, KTAP_OK, number, t->test->name, NULL);
        totals->pass++;
    }
}

/* Tests that need only common features prove little. */
static bool tests_a_facility(const struct test *test)
{
    for (const enum feature *need = test->needs; *need != FEATURE_COUNT; need++) {
        if (feature_is_facility(*need))
            return true;
    }
    return false;
}

static void skip(const struct test *test, unsigned number, enum feature missing)
{
    char reason[TEXT_SIZE];

    feature_missing_reason(missing, reason, sizeof(reason));
    summary_add_skip(missing);
    coverage_note(test, NULL, COVERAGE_SKIPPED, reason);
    report_skip(test, number, reason);
}

/* Of a test that took long enough to be worth a line. */
static void print_test_time(uint64_t began)
{
    uint64_t hundredths = time_microseconds_since(began) / 10000;

    if (hundredths > 0)
        ktap_detail(LEVEL_TEST, "time: %lu.%02lu s", hundredths / 100, hundredths % 100);
}

static void run_test(const struct test *test, unsigned number, const struct options *options)
{
    const struct attempts attempts = {
        .seed = options->seed, .count = options->repeat, .timeout = options->timeout};
    enum feature missing = feature_missing(test->needs);
    struct test_context *context;
    uint64_t began;

    worker_waits_for_room();
    outcome()->totals.run++;
    outcome()->facility_tests += tests_a_facility(test);
    if (missing != FEATURE_COUNT) {
        skip(test, number, missing);
        return;
    }
    outcome()->facility_tests_met += tests_a_facility(test);
    began = time_now();
    context = attempts_run(test, &attempts, suffix);
    if (context->failed || context->starved) {
        context_report_failure(context);
        outcome_add_broken(outcome(), &context->broken);
    } else if (!context->skipped) {
        context_report_trace(context);
    }
    print_test_time(began);
    report(context, number, options);
}

static unsigned count_suites(const struct selection *tests)
{
    unsigned count = 0;

    for (size_t first = 0; first < tests->count; first += selection_suite_size(tests, first))
        count++;
    return count;
}

static void report_suite(const char *name, unsigned number, const struct ktap_totals *before)
{
    const struct ktap_totals *now = &outcome()->totals;
    bool failed = now->fail > before->fail, starved = now->timeout > before->timeout;

    ktap_result(LEVEL_RUN,
                failed    ? KTAP_NOT_OK
                : starved ? KTAP_TIMEOUT
                          : KTAP_OK,
                number, name, "starved");
}

/* Says where the suite ran; a worker says it in its own log. */
static void print_time(const char *suite, uint64_t began)
{
    uint64_t hundredths = time_microseconds_since(began) / 10000;

    ktap_comment(LEVEL_RUN, "time: suite %s %lu.%02lu s", suite, hundredths / 100,
                 hundredths % 100);
}

static void run_suite(const struct test *const *tests, size_t size, unsigned number,
                      const struct options *options)
{
    char name[TEST_NAME_SIZE];
    struct ktap_totals before = outcome()->totals;
    uint64_t began = time_now();

    format_string(name, sizeof(name), "%s%s", tests[0]->suite, suffix);
    ktap_open(LEVEL_SUITE, name);
    ktap_plan(LEVEL_SUITE, (unsigned)size);
    for (size_t i = 0; i < size; i++)
        run_test(tests[i], (unsigned)i + 1, options);
    print_time(name, began);
    report_suite(name, number, &before);
}

static void name_suites(const char *where)
{
    format_string(suffix, sizeof(suffix), "%s", where);
}

/* Suite numbers continue. */
static void run_plan(const struct selection *tests, unsigned *number, const struct options *options)
{
    for (size_t first = 0, size; first < tests->count; first += size) {
        size = selection_suite_size(tests, first);
        run_suite(&tests->tests[first], size, ++*number, options);
        workers_look();
    }
}

/* The soak follows the tests that this processor draws from. */
static void soak(const struct selection *tests, const struct options *options, unsigned *number)
{
    if (soak_draws_from(options, tests))
        soak_run(tests, options, suffix, number);
}

static void plan_workers(unsigned *suites, const struct options *options)
{
    const struct worker *worker;
    char its[WORKER_SUFFIX_SIZE];

    for (unsigned i = 0; (worker = worker_at(i)) != NULL; i++) {
        const struct selection *tests = plan_of_worker(worker->number);

        *suites += count_suites(tests) + soak_draws_from(options, tests);
        progress_plan(tests, plan_all(), worker_suffix(worker, its));
    }
}

static void print_plan(const struct options *options)
{
    unsigned suites =
        count_suites(plan_first()) + count_suites(plan_together()) + count_suites(plan_last());

    progress_plan(plan_first(), plan_all(), "");
    progress_plan(plan_together(), plan_all(), cpu_label_name());
    suites += soak_draws_from(options, plan_soaked());
    plan_workers(&suites, options);
    progress_plan(plan_last(), plan_all(), "");
    progress_start(options->repeat);
    unclaimed_print_new(LEVEL_RUN);
    ktap_plan(LEVEL_RUN, suites);
}

/* This processor is then one of many, so its suites get its name. */
static void run_together(unsigned *number, const struct options *options)
{
    if (plan_together()->count == 0)
        return;
    workers_send_all();
    name_suites(cpu_label_name());
    run_plan(plan_together(), number, options);
}

/* If processors soak in turn, each has the same part of the time. */
static void begin_soak(const struct options *options)
{
    uint64_t all = options->duration * MICROSECONDS;
    unsigned turns = plan_is_at_once() ? 1 : plan_soaks(options);

    if (turns > 0 && soak_is_wanted(options))
        soak_begin(all, all / turns);
}

/* Tests for the processor that booted alone come first, because they may use the others. */
static void run_suites(const struct options *options)
{
    unsigned number = 0;

    coverage_begin(plan_all_here(), plan_chosen());
    if (worker_count() > 0)
        machine_print_processor(cpu_number(), processor_apic_id(0), &cpu_features()->identity);
    print_plan(options);
    begin_soak(options);
    run_plan(plan_first(), &number, options);
    run_together(&number, options);
    soak(plan_soaked(), options, &number);
    if (soak_left() > 0)
        soak_screen_begin();
    workers_run(&number);
    name_suites("");
    run_plan(plan_last(), &number, options);
}

static void print_errata(void)
{
    char text[TEXT_SIZE];

    if (errata_format(text, sizeof(text))[0] != '\0')
        ktap_comment(LEVEL_RUN, "known errata:%s", text);
}

static void print_unexpected_passes(void)
{
    if (outcome()->unexpected_passes > 0)
        ktap_comment(LEVEL_RUN, "unexpected passes: %u, look for 'unexpected pass:' above",
                     outcome()->unexpected_passes);
}

static void print_starved(void)
{
    if (outcome()->totals.timeout > 0)
        ktap_comment(LEVEL_RUN,
                     "starved: %u tests had too little time to end: nothing is known of them; run "
                     "them again where less else runs",
                     outcome()->totals.timeout);
}

static void print_broken_claims(void)
{
    const struct claim_set *broken = &outcome()->broken;
    char text[CLAIM_SET_COUNT * 10];

    if (broken->count > 0)
        ktap_comment(LEVEL_RUN, "broken claims:%s", claim_set_format(broken, text, sizeof(text)));
}

static void print_reports(void)
{
    for (const struct report *report = __reports_start; report < __reports_end; report++)
        report->print();
}

static void print_coverage(void)
{
    coverage_apply_scopes(__claim_scopes_start, __claim_scopes_end);
    coverage_print(cpu_label_suffix());
}

/* For this processor; the workers' summaries are in their logs. */
static void sum_up_here(void)
{
    print_reports();
    unclaimed_print_all();
    print_coverage();
}

static enum verdict conclude(void)
{
    summary_begin_end();
    soak_print_end();
    sum_up_here();
    workers_sum_up();
    errata_print_summary();
    print_broken_claims();
    if (outcome()->totals.fail > 0)
        sums_print();
    print_unexpected_passes();
    print_starved();
    interference_print();
    if (workers_lost_lines()) {
        ktap_error("lines of another processor's log are lost: there was no room for them");
        return VERDICT_ERROR;
    }
    if (!outcome_is_whole(outcome())) {
        ktap_error("%u tests planned, %u run", outcome()->totals.planned, outcome()->totals.run);
        return VERDICT_ERROR;
    }
    if (outcome_is_of_nothing(outcome()) && outcome_verdict(outcome()) == VERDICT_SKIP)
        ktap_comment(LEVEL_RUN,
                     "nothing but skips: each says what the tests are about and is missing");
    return outcome_verdict(outcome());
}

/* A test is the smallest unit; suite.test.subtest in test= gets a comment. */
static void print_subtests(const struct options *options)
{
    for (size_t i = 0; i < options->glob_count; i++) {
        const char *glob = options->globs[i];
        const char *subtest = selection_subtest(glob);

        if (subtest != NULL)
            ktap_comment(LEVEL_RUN, "test=%s: a subtest; its test runs whole, test=%.*s", glob,
                         (int)(subtest - glob), glob);
    }
}

static void prepare(const struct options *options)
{
    retest_begin();
    msr_fault_set_handler(test_run_refused);
    trace_ask(options->trace);
    alike_begin();
    errata_select(options->ignore_deviations ? NULL : &cpu_features()->identity);
}

enum verdict runner_run(const struct options *options, struct ktap_totals *totals_out)
{
    char error[SELECTION_ERROR_SIZE];
    enum verdict verdict;

    if (!plan_make(options, worker_count(), error)) {
        ktap_error("%s", error);
        return VERDICT_ERROR;
    }
    print_subtests(options);
    if (options->dry_run || options->list) {
        summary_begin_end();
        workers_foresee(options);
    }
    if (options->dry_run) {
        coverage_begin(plan_all(), plan_chosen());
        coverage_apply_scopes(__claim_scopes_start, __claim_scopes_end);
        dry_run_plan(plan_chosen());
        return VERDICT_DRY_RUN;
    }
    if (options->list) {
        list_tests(options->glob_count == 0 ? plan_all() : plan_chosen());
        return VERDICT_LISTED;
    }
    if (plan_chosen()->count == 0) {
        ktap_error("this kernel holds no test");
        return VERDICT_ERROR;
    }
    outcome()->totals.planned = plan_count(options);
    trace_share(worker_count() + 1);
    prepare(options);
    print_errata();
    run_suites(options);
    verdict = conclude();
    *totals_out = outcome()->totals;
    return verdict;
}

/* Makes the same plan as the processor that booted, from the same options. */
bool runner_run_worker(const struct options *options, uint64_t its_soak)
{
    char error[SELECTION_ERROR_SIZE];
    const struct selection *tests;
    unsigned number = 0;

    if (soak_is_wanted(options))
        soak_begin(its_soak, its_soak);
    if (!plan_make(options, 1, error)) {
        ktap_error("%s", error);
        return false;
    }
    name_suites(cpu_label_suffix());
    tests = plan_of_worker(cpu_number());
    outcome()->totals.planned = (unsigned)tests->count + soak_draws_from(options, tests);
    prepare(options);
    coverage_begin(plan_all_here(), tests);
    run_plan(tests, &number, options);
    soak(tests, options, &number);
    ktap_begin_end();
    sum_up_here();
    return true;
}
