/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/context.h"

#include "kernel/report/coverage.h"
#include "kernel/report/ktap.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/machine/watchdog.h"

static unsigned places; /* context_places() */

void context_start(struct test_context *t, const struct test *test, uint64_t seed,
                   uint64_t repetitions)
{
    memset(t, 0, sizeof(*t));
    t->test = test;
    t->seed = seed;
    t->repetitions = repetitions;
    t->certain = errata_certain(test);
    t->trace_room = TRACE_TEST_LINES;
}

void context_restart(struct test_context *t, uint64_t seed)
{
    const char *cpu_label = t->cpu_label;
    bool is_drawn = t->is_drawn, is_retest = t->is_retest;
    unsigned printed = t->printed;
    bool plan_is_printed = t->plan_is_printed, is_summed = t->is_summed;
    unsigned trace_room = t->trace_room, traces_left_out = t->traces_left_out;

    context_start(t, t->test, seed, t->repetitions);
    t->cpu_label = cpu_label;
    t->is_drawn = is_drawn;
    t->is_retest = is_retest;
    t->printed = printed;
    t->plan_is_printed = plan_is_printed;
    t->is_summed = is_summed;
    t->trace_room = trace_room;
    t->traces_left_out = traces_left_out;
}

void context_repeat(struct test_context *t, uint64_t repetition)
{
    memset(&t->sub, 0, sizeof(t->sub));
    memset(t->found, 0, sizeof(t->found));
    memset(t->has_found, 0, sizeof(t->has_found));
    memset(t->explained, 0, sizeof(t->explained));
    t->under = 0;
    t->compared = 0;
    t->checks = 0;
    t->has_run = false;
    t->broken_here.count = 0;
    t->repetition = repetition;
    context_trace_forget(t);
}

void context_again(struct test_context *t)
{
    context_repeat(t, t->repetition);
    t->hung = false;
}

bool context_prints_subtests(const struct test_context *t)
{
    return t->repetition == 0 && !t->is_retest;
}

/* Whether the subtest that was run last is to have a line now; it is counted as printed then. */
static bool takes_line(struct test_context *t)
{
    if (!context_prints_subtests(t) || t->sub.run <= t->printed || t->is_held)
        return false;
    t->printed = t->sub.run;
    return true;
}

void context_starve(struct test_context *t, const char *format, ...)
{
    FORMAT_ARGUMENTS(t->reason, CONTEXT_REASON_SIZE, format);
    t->starved = true;
    t->sub.starved = t->sub.is_open;
}

void test_skip(struct test_context *t, const char *format, ...)
{
    FORMAT_ARGUMENTS(t->sub.is_open ? t->sub.reason : t->reason, CONTEXT_REASON_SIZE, format);
    if (t->sub.is_open)
        t->sub.skipped = true;
    else
        t->skipped = true;
}

void test_skip_without(struct test_context *t, enum feature feature)
{
    char why[CONTEXT_REASON_SIZE];

    feature_missing_reason(feature, why, sizeof why);
    test_skip(t, "%s", why);
}

void test_note(struct test_context *t, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    notes_add(&t->notes, format, arguments);
    va_end(arguments);
}

bool test_has_failed(const struct test_context *t)
{
    return t->sub.is_open ? t->sub.unexpected : t->unexpected;
}

uint64_t test_seed(const struct test_context *t)
{
    return t->seed;
}

uint64_t test_repetition(const struct test_context *t)
{
    return t->repetition;
}

void test_replays_from(struct test_context *t, uint64_t seed)
{
    t->seed = seed;
    t->replays = true;
}

void test_plan(struct test_context *t, unsigned count)
{
    if (t->sub.has_plan) {
        test_fail(t, "test bug: subtests are planned twice");
        return;
    }
    watchdog_hold();
    t->sub.has_plan = true;
    t->sub.planned = count;
    if (context_prints_subtests(t) && !t->plan_is_printed) {
        ktap_open(LEVEL_SUBTEST, t->test->name);
        ktap_plan(LEVEL_SUBTEST, count);
        t->plan_is_printed = true;
    }
    watchdog_release();
}

void test_begin(struct test_context *t, const char *claim, const char *format, ...)
{
    if (t->sub.is_open)
        test_end(t);
    if (!t->sub.has_plan || t->sub.run == t->sub.planned)
        test_fail(t, "test bug: subtest number %u of %u planned", t->sub.run + 1, t->sub.planned);
    t->sub.is_open = true;
    t->sub.failed = t->sub.skipped = t->sub.starved = t->sub.unexpected = false;
    t->sub.errata[0] = '\0';
    t->sub.places = 0;
    t->sub.claim = claim;
    t->sub.checks_before = t->checks;
    t->sub.notes_start = t->notes.length;
    t->has_run = false;
    t->broken_here.count = 0;
    if (context_prints_subtests(t))
        t->brief.length = 0;
    memset(t->has_found, 0, sizeof(t->has_found));
    FORMAT_ARGUMENTS(t->sub.name, sizeof(t->sub.name), format);
}

/* Of the (sub)test that has just ended, which names the claim or is of the test's. */
static bool is_brief(struct test_context *t, const char *claim)
{
    if (claim == NULL)
        claim = t->test->claims[0];
    if (trace_is_asked() || !alike_is_brief(t->has_found, claim != NULL ? claim : ""))
        return false;
    t->brief_count++;
    return true;
}

static void print_findings(struct test_context *t, bool brief, unsigned level, size_t notes_start,
                           bool is_bad)
{
    if (brief) {
        t->notes.length = notes_start;
        t->notes.dropped = 0;
        notes_flush(&t->brief, level, 0);
        return;
    }
    notes_flush(&t->notes, level, notes_start);
    context_trace_print(t, level, is_bad);
}

static void print_failed_subtest(struct test_context *t)
{
    const struct subtests *sub = &t->sub;

    print_findings(t, sub->unexpected && is_brief(t, sub->claim), LEVEL_SUBTEST, sub->notes_start,
                   sub->unexpected);
    if (sub->claim != NULL)
        ktap_comment(LEVEL_SUBTEST, "claims: %s", sub->claim);
    t->has_bad_line |= sub->unexpected;
    places = sub->places;
    if (sub->unexpected)
        ktap_result(LEVEL_SUBTEST, KTAP_NOT_OK, sub->run, sub->name, NULL);
    else
        ktap_result(LEVEL_SUBTEST, KTAP_XFAIL, sub->run, sub->name, sub->errata);
    places = 0;
}

unsigned context_places(void)
{
    return places;
}

static void print_subtest(struct test_context *t)
{
    const struct subtests *sub = &t->sub;

    if (sub->failed) {
        print_failed_subtest(t);
    } else if (sub->starved) {
        notes_flush(&t->notes, LEVEL_SUBTEST, sub->notes_start);
        ktap_result(LEVEL_SUBTEST, KTAP_TIMEOUT, sub->run, sub->name, t->reason);
    } else if (sub->skipped) {
        ktap_result(LEVEL_SUBTEST, KTAP_SKIP, sub->run, sub->name, sub->reason);
    } else {
        context_trace_print(t, LEVEL_SUBTEST, false);
        ktap_result(LEVEL_SUBTEST, KTAP_OK, sub->run, sub->name, NULL);
    }
}

/* What failed while something disturbed it says nothing yet. */
static void count_failed_subtest(struct test_context *t)
{
    if (t->disturbed != NULL && !t->no_excuse && !t->has_bad_line && t->disturbed())
        t->is_held = true;
    if (t->failed_subtests++ == 0)
        memcpy(t->failed_subtest, t->sub.name, sizeof(t->failed_subtest));
}

static void end_subtest(struct test_context *t)
{
    struct subtests *sub = &t->sub;

    if (sub->errata[0] == '\0')
        errata_format_counts(t->explained, sub->errata, sizeof(sub->errata));
    context_count_findings(t);
    context_sum_result(t);
    sub->is_open = false;
    sub->run++;
    if (sub->unexpected)
        count_failed_subtest(t);
    if (sub->run <= sub->planned && takes_line(t)) {
        print_subtest(t);
        coverage_note_subtest(t);
        t->notes.length = sub->notes_start;
        context_trace_forget(t);
    } else if (sub->failed) {
        context_note_always(t, "that was subtest %s", sub->name);
        context_trace_waits(t, sub->unexpected);
    } else {
        t->notes.length = sub->notes_start;
        context_trace_waits(t, false);
    }
}

void test_end(struct test_context *t)
{
    if (!t->sub.is_open) {
        test_fail(t, "test bug: the end of a subtest that has not begun");
        return;
    }
    watchdog_hold(); /* counted, it must have its line */
    end_subtest(t);
    watchdog_release();
}

/* A plan is kept to the letter even when the test ended early: a reader counts on it. */
static void fill_plan(struct test_context *t)
{
    char name[CONTEXT_NAME_SIZE];

    while (t->sub.run < t->sub.planned) {
        t->sub.run++;
        format_string(name, sizeof(name), "not_run_%u", t->sub.run);
        if (takes_line(t))
            ktap_result(LEVEL_SUBTEST, KTAP_SKIP, t->sub.run, name, "the test ended before it");
    }
}

void context_close(struct test_context *t)
{
    if (t->sub.is_open) {
        if (!t->sub.failed && !t->sub.starved)
            test_fail(t, "test bug: the subtest has no end");
        test_end(t);
    }
    if (t->sub.run < t->sub.planned && !t->failed && !t->skipped && !t->starved)
        test_fail(t, "test bug: %u subtests planned, %u run", t->sub.planned, t->sub.run);
    context_count_findings(t);
    context_sum_result(t);
    fill_plan(t);
}

/* Each erratum that explains a finding, with its source. */
static void report_errata(const struct test_context *t)
{
    for (size_t i = 0; i < ERRATA_MAX; i++) {
        if (t->explained_in_all[i] > 0)
            ktap_comment(LEVEL_TEST, "known erratum %s x%u: %s (%s)", erratum_row(i)->id,
                         t->explained_in_all[i], erratum_row(i)->effect, erratum_row(i)->source);
    }
}

/* With which repeat= the failure comes back; 0: that of the command line. */
static uint64_t repeat_for(const struct test_context *t)
{
    if (t->replays)
        return 1;
    return t->is_drawn ? t->repetition + 1 : 0;
}

void context_report_trace(struct test_context *t)
{
    context_trace_print(t, LEVEL_TEST, t->unexpected);
    context_trace_end(t);
}

void context_report_failure(struct test_context *t)
{
    char text[NOTE_SIZE];
    char name[TEST_NAME_SIZE];

    /* Where there are subtests, what is left is of no one of them. */
    print_findings(t, t->unexpected && !t->sub.has_plan && is_brief(t, NULL), LEVEL_TEST, 0,
                   t->unexpected);
    context_trace_end(t);
    if (t->brief_count > 0)
        ktap_comment(LEVEL_TEST, "in short: %u like earlier ones; log=trace shows all of them",
                     t->brief_count);
    if (t->repetitions > 1)
        ktap_comment(LEVEL_TEST, "repetition: %lu of %lu", t->repetition + 1, t->repetitions);
    report_errata(t);
    if (t->broken_line[0] != '\0')
        ktap_comment(LEVEL_TEST, "broken: %s", t->broken_line);
    if (t->broken.count > 0)
        ktap_comment(LEVEL_TEST, "claims:%s", claim_set_format(&t->broken, text, sizeof(text)));
    ktap_comment(LEVEL_TEST, "rerun: make run TEST=%s%s", test_full_name(t->test, name),
                 rerun_options(t->seed, repeat_for(t), text, sizeof(text)));
}
