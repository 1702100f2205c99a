/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/runner.h"

#include "arch/cpu/features.h"
#include "arch/cpu/processors.h"
#include "arch/cpu/refusal.h"
#include "arch/trace/features.h"
#include "kernel/context.h"
#include "kernel/disturbance.h"
#include "kernel/coverage_lines.h"
#include "kernel/dry_run.h"
#include "kernel/errata.h"
#include "kernel/learnt.h"
#include "kernel/list.h"
#include "arch/lib/printf.h"
#include "kernel/place.h"
#include "kernel/plan.h"
#include "kernel/progress.h"
#include "kernel/selection.h"
#include "kernel/summary.h"
#include "kernel/test_elsewhere.h"
#include "kernel/test_run.h"
#include "kernel/unclaimed.h"

#define TEXT_SIZE 256u
#define RUNS_MAX  6u /* of a test that something disturbs */

extern const struct report __reports_start[], __reports_end[];
extern const struct claim_scope __claim_scopes_start[], __claim_scopes_end[];

static struct test_context context;
static struct ktap_totals totals;
static struct disturbance disturbance; /* of the running test */
static struct claim_set broken;
static bool is_running;
const struct test *volatile running_test;
static unsigned unexpected_passes;

/* Tests of the facilities under test: how many there were, and how many found what they need. */
static unsigned facility_tests, facility_tests_met;

const struct ktap_totals *runner_totals(void)
{
    return &totals;
}

const char *runner_current(void)
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

void runner_print_notes(void)
{
    if (is_running)
        ktap_comment_lines(LEVEL_RUN, context.notes.text, context.notes.length);
}

static void run_repetitions(struct test_context *t, const struct options *options)
{
    is_running = true;
    running_test = t->test;
    for (uint64_t i = 0; i < options->repeat && !t->unexpected && !t->skipped && !t->starved; i++) {
        progress_begin(t->test, i);
        context_repeat(t, i);
        test_run(t, options->timeout);
        context_close(t);
    }
    running_test = NULL;
    is_running = false;
}

/* SMIs are counted by each processor for itself: all this is asked where the test is executed. */
static void begin_disturbance(void *unused)
{
    (void)unused;
    disturbance = disturbance_begin();
}

static void look(void *disturbed)
{
    *(bool *)disturbed = disturbance_look(
        &disturbance, selection_suite(plan_all(), context.test->suite)->asks_for_smis);
}

static void look_further(void *disturbed)
{
    *(bool *)disturbed |= disturbance_look_further(&disturbance);
}

static bool is_disturbed(void)
{
    bool disturbed = false;

    elsewhere_do(look, &disturbed);
    return disturbed;
}

static bool is_disturbed_subtest(void)
{
    bool disturbed = false;

    look(&disturbed);
    if (!disturbed)
        look_further(&disturbed);
    return disturbed;
}

/* Found when a test has failed, which ends with the counters off: at boot nobody used it yet. It is
 * looked for on this processor alone. */
static bool others_use_a_counter(void)
{
    disturbance.counters = place() == 0 && trace_features_look_again();
    return disturbance.counters;
}

/*
 * What disturbs a test leaves entries, records and counts that the processor is not to blame for.
 * What fails then runs once more, unless a line says already that a subtest failed.
 */
static void run_undisturbed(const struct test *test, const struct options *options)
{
    context_start(&context, test, options->seed, options->repeat);
    context.place = place_suffix();
    for (unsigned runs = 1; runs <= RUNS_MAX; runs++) {
        bool disturbed, again;

        context.disturbed = runs < RUNS_MAX ? is_disturbed_subtest : NULL;
        elsewhere_do(begin_disturbance, NULL);
        learnt_remember();
        run_repetitions(&context, options);
        unclaimed_print_new(LEVEL_SUITE);
        disturbed = is_disturbed();
        if (!context.unexpected)
            return;
        disturbed |= others_use_a_counter();
        elsewhere_do(look_further, &disturbed);
        if (!disturbed)
            return;
        again = runs < RUNS_MAX && !context.no_excuse && !context.has_bad_line;
        disturbance_tell(&disturbance, test, again);
        if (!again)
            return;
        ktap_comment_lines(LEVEL_SUITE, context.notes.text, context.notes.length);
        learnt_take_back();
        context_restart(&context, options->seed);
    }
}

static void report_skip(const struct test *test, unsigned number, const char *reason)
{
    ktap_result(LEVEL_SUITE, KTAP_SKIP, number, test->name, reason);
    totals.skip++;
}

/* The table says that this processor cannot pass: the erratum is fixed, or the row is wrong. */
static void report_unexpected_pass(const struct test_context *t)
{
    if (t->certain == NULL)
        return;
    unexpected_passes++;
    ktap_comment(LEVEL_SUITE, "unexpected pass: %s.%s, although %s: %s (%s)", t->test->suite,
                 t->test->name, t->certain->id, t->certain->effect, t->certain->source);
}

static void report(const struct test_context *t, unsigned number)
{
    char errata[TEXT_SIZE];

    coverage_note_test(t);
    if (t->starved && !t->unexpected) {
        ktap_result(LEVEL_SUITE, KTAP_TIMEOUT, number, t->test->name, t->reason);
        totals.timeout++;
    } else if (context_failed_as_expected(t)) {
        ktap_result(LEVEL_SUITE, KTAP_XFAIL, number, t->test->name,
                    errata_format_counts(t->explained_in_all, errata, sizeof(errata)));
        totals.xfail++;
    } else if (t->failed) {
        ktap_result(LEVEL_SUITE, KTAP_NOT_OK, number, t->test->name, NULL);
        summary_add_failure(t);
        totals.fail++;
    } else if (t->skipped) {
        summary_add_skip(FEATURE_COUNT);
        report_skip(t->test, number, t->reason);
    } else {
        report_unexpected_pass(t);
        ktap_result(LEVEL_SUITE, KTAP_OK, number, t->test->name, NULL);
        totals.pass++;
    }
}

/* Every 64-bit processor has the other features: a test that passes with them proves little. */
static bool tests_a_facility(const struct test *test)
{
    for (const enum feature *need = test->needs; *need != FEATURE_COUNT; need++) {
        if (feature_is_facility(*need))
            return true;
    }
    return false;
}

static void run_test(const struct test *test, unsigned number, const struct options *options)
{
    enum feature missing = feature_missing(test->needs);
    char reason[TEXT_SIZE];

    totals.run++;
    facility_tests += tests_a_facility(test);
    if (missing != FEATURE_COUNT) {
        feature_missing_reason(missing, reason, sizeof(reason));
        summary_add_skip(missing);
        coverage_note(test, NULL, COVERAGE_SKIPPED, reason);
        report_skip(test, number, reason);
        return;
    }
    facility_tests_met += tests_a_facility(test);
    run_undisturbed(test, options);
    if (context.failed || context.starved) {
        context_report_failure(&context);
        for (size_t i = 0; i < context.broken.count; i++)
            claim_set_add(&broken, context.broken.ids[i]);
    }
    report(&context, number);
}

/* How many of them from first on are of the same suite. */
static size_t suite_size(const struct selection *tests, size_t first)
{
    size_t size = 1;

    while (first + size < tests->count &&
           test_same_suite(tests->tests[first], tests->tests[first + size]))
        size++;
    return size;
}

static unsigned count_suites(const struct selection *tests)
{
    unsigned count = 0;

    for (size_t first = 0; first < tests->count; first += suite_size(tests, first))
        count++;
    return count;
}

static void report_suite(const char *name, unsigned number, const struct ktap_totals *before)
{
    bool failed = totals.fail > before->fail, starved = totals.timeout > before->timeout;

    ktap_result(LEVEL_RUN,
                failed    ? KTAP_NOT_OK
                : starved ? KTAP_TIMEOUT
                          : KTAP_OK,
                number, name, "starved");
}

static void run_suite(const struct test *const *tests, size_t size, unsigned number,
                      const struct options *options)
{
    char name[TEST_NAME_SIZE];
    struct ktap_totals before = totals;

    format_string(name, sizeof(name), "%s%s", tests[0]->suite, place_suffix());
    ktap_open(LEVEL_SUITE, name);
    ktap_plan(LEVEL_SUITE, (unsigned)size);
    for (size_t i = 0; i < size; i++)
        run_test(tests[i], (unsigned)i + 1, options);
    report_suite(name, number, &before);
}

/* The suites' numbers go on from place to place. */
static void run_here(unsigned *number, const struct options *options)
{
    const struct selection *tests = plan_here();

    errata_select(options->ignore_deviations ? NULL : &cpu_features()->identity);
    for (size_t first = 0; first < tests->count; first += suite_size(tests, first))
        run_suite(&tests->tests[first], suite_size(tests, first), ++*number, options);
}

/* With each place made the present one, from the one that booted on, and that one again. */
static void in_each_place(void (*act)(void *argument), void *argument)
{
    for (unsigned i = 0; i < processor_count(); i++) {
        if (!place_is_one(i))
            continue;
        place_go(i);
        coverage_go(i);
        act(argument);
    }
    place_go(0);
    coverage_go(0);
}

static void prepare_place(void *suites)
{
    *(unsigned *)suites += count_suites(plan_here());
    progress_plan(plan_here(), plan_all(), place_suffix());
    coverage_begin(plan_all_here(), plan_here());
}

struct run {
    const struct options *options;
    unsigned number; /* of the suite that ran last */
};

static void run_place(void *argument)
{
    struct run *run = argument;

    if (place() != 0 && plan_here()->count > 0)
        ktap_comment(LEVEL_RUN,
                     "from here on, in suites named %s: tests on processor %u, APIC id %u",
                     place_suffix(), place(), processor_apic_id(place()));
    run_here(&run->number, run->options);
    if (place() != 0)
        elsewhere_end();
}

static void run_suites(const struct options *options)
{
    struct run run = {.options = options};
    unsigned suites = 0;

    in_each_place(prepare_place, &suites);
    progress_start(options->repeat);
    unclaimed_print_new(LEVEL_RUN);
    ktap_plan(LEVEL_RUN, suites);
    in_each_place(run_place, &run);
}

static void print_errata(void)
{
    char text[TEXT_SIZE];

    if (errata_format(text, sizeof(text))[0] != '\0')
        ktap_comment(LEVEL_RUN, "known errata:%s", text);
}

static void print_unexpected_passes(void)
{
    if (unexpected_passes > 0)
        ktap_comment(LEVEL_RUN, "unexpected passes: %u, look for 'unexpected pass:' above",
                     unexpected_passes);
}

static void print_starved(void)
{
    if (totals.timeout > 0)
        ktap_comment(LEVEL_RUN,
                     "starved: %u tests had too little time to end: nothing is known of them; run "
                     "them again where less else runs",
                     totals.timeout);
}

static void print_broken_claims(void)
{
    char text[CLAIM_SET_COUNT * 10];

    if (broken.count > 0)
        ktap_comment(LEVEL_RUN, "broken claims:%s", claim_set_format(&broken, text, sizeof(text)));
}

/* What runs anywhere is no evidence that the facilities under test work. */
static bool nothing_was_tested(void)
{
    return totals.skip == totals.run || (facility_tests > 0 && facility_tests_met == 0);
}

static void print_reports(void *unused)
{
    (void)unused;
    for (const struct report *report = __reports_start; report < __reports_end; report++)
        if (place() == 0 || report->of_each_place)
            report->print();
}

static void print_coverage(void *unused)
{
    (void)unused;
    coverage_apply_scopes(__claim_scopes_start, __claim_scopes_end);
    coverage_print(place_suffix());
}

static enum verdict conclude(void)
{
    summary_begin_end();
    in_each_place(print_reports, NULL);
    unclaimed_print_all();
    errata_print_summary();
    print_broken_claims();
    print_unexpected_passes();
    print_starved();
    disturbance_print();
    in_each_place(print_coverage, NULL);
    if (totals.run != totals.planned) {
        ktap_error("%u tests planned, %u run", totals.planned, totals.run);
        return VERDICT_ERROR;
    }
    if (totals.fail > 0)
        return VERDICT_FAIL;
    if (totals.timeout > 0)
        return VERDICT_TIMEOUT;
    if (nothing_was_tested()) {
        ktap_comment(LEVEL_RUN,
                     "nothing but skips: each says what the tests are about and is missing");
        return VERDICT_SKIP;
    }
    return VERDICT_PASS;
}

/* What is printed as suite.test.subtest can be named so; nothing is smaller than a test. */
static void tell_of_subtests(const struct options *options)
{
    for (size_t i = 0; i < options->glob_count; i++) {
        const char *glob = options->globs[i];
        const char *subtest = selection_subtest(glob);

        if (subtest != NULL)
            ktap_comment(LEVEL_RUN, "test=%s: a subtest; its test runs whole, test=%.*s", glob,
                         (int)(subtest - glob), glob);
    }
}

enum verdict runner_run(const struct options *options, struct ktap_totals *totals_out)
{
    char error[SELECTION_ERROR_SIZE];
    enum verdict verdict;

    if (!plan_make(options, error)) {
        ktap_error("%s", error);
        return VERDICT_ERROR;
    }
    tell_of_subtests(options);
    if (options->dry_run) {
        coverage_begin(plan_all(), plan_chosen());
        coverage_apply_scopes(__claim_scopes_start, __claim_scopes_end);
        dry_run_plan(plan_chosen());
        return VERDICT_DRY_RUN;
    }
    if (options->list) {
        list_tests(options->glob_count == 0 ? plan_all() : plan_chosen());
        return VERDICT_PASS;
    }
    if (plan_chosen()->count == 0) {
        ktap_error("this kernel holds no test");
        return VERDICT_ERROR;
    }
    places_choose(options->places);
    totals.planned = plan_count();
    refusal_set_handler(test_run_refused);
    errata_select(options->ignore_deviations ? NULL : &cpu_features()->identity);
    print_errata();
    run_suites(options);
    verdict = conclude();
    *totals_out = totals;
    return verdict;
}
