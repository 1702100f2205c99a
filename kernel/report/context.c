/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/report/context.h"

#include "kernel/report/coverage.h"
#include "kernel/report/ktap.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "kernel/report/soak_stats.h"
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
    bool plan_is_printed = t->plan_is_printed;
    unsigned trace_room = t->trace_room, traces_left_out = t->traces_left_out;

    context_start(t, t->test, seed, t->repetitions);
    t->cpu_label = cpu_label;
    t->is_drawn = is_drawn;
    t->is_retest = is_retest;
    t->printed = printed;
    t->plan_is_printed = plan_is_printed;
    t->trace_room = trace_room;
    t->traces_left_out = traces_left_out;
}

void context_repeat(struct test_context *t, uint64_t repetition)
{
    memset(&t->sub, 0, sizeof(t->sub));
    memset(t->found, 0, sizeof(t->found));
    memset(t->explained, 0, sizeof(t->explained));
    t->under = 0;
    t->compared = 0;
    t->checks = 0;
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

static void mark_broken(struct test_context *t)
{
    if (!t->sub.is_open || t->sub.claim == NULL)
        claim_set_add_all(&t->broken, t->test->claims);
    else
        claim_set_add(&t->broken, t->sub.claim);
    if (t->breaks_too != NULL)
        claim_set_add(&t->broken, t->breaks_too);
}

static void mark_unexpected(struct test_context *t)
{
    t->unexpected = true;
    t->sub.unexpected = t->sub.is_open;
    mark_broken(t);
    context_trace_failed(t);
}

/* Of a known failure that is none the less one: once in a (sub)test. */
static void name_failure(struct test_context *t, size_t row)
{
    const struct erratum *known = erratum_row(row);

    if (t->explained[row]++ == 0)
        test_note(t, "known: %s: %s; microcode %#x mends it", known->id, known->effect,
                  known->microcode_fixed);
}

/* Returns whether an erratum excuses the finding. */
static bool mark_failed(struct test_context *t, const struct finding *finding)
{
    size_t row = t->no_excuse ? ERRATA_MAX : errata_find(t->test, finding);
    bool is_excused = row != ERRATA_MAX && erratum_excuses(erratum_row(row));

    t->sub.failed = t->sub.is_open;
    t->failed = true;
    if (!is_excused)
        mark_unexpected(t);
    else if (!finding->same_record || !t->explained[row])
        t->explained[row]++;
    if (row != ERRATA_MAX && !is_excused)
        name_failure(t, row);
    return is_excused;
}

bool context_failed_as_expected(const struct test_context *t)
{
    return t->failed && !t->unexpected;
}

/* Whether it is one of the first of its kind in the (sub)test, which are shown. */
static bool takes_finding(struct test_context *t, const struct finding *finding)
{
    return t->found[finding->kind]++ < FINDING_SHOWN;
}

void test_under(struct test_context *t, unsigned circumstances)
{
    t->under |= circumstances;
}

void test_checked(struct test_context *t)
{
    t->checks++;
}

void test_checked_claim(struct test_context *t, const char *claim)
{
    if (context_prints_subtests(t))
        coverage_note(t->test, claim, COVERAGE_CHECKED, NULL);
}

void test_compared(struct test_context *t, uint64_t count)
{
    t->compared += count;
    soak_stats_add(SOAK_STATS_RECORDS, count);
    test_checked(t);
}

static void keep_first(struct test_context *t, const char *words)
{
    if (t->first_finding[0] == '\0')
        format_string(t->first_finding, sizeof(t->first_finding), "%s", words);
}

/* A later run has compared more records. */
static void note_place(struct test_context *t, const struct finding *finding)
{
    if (t->sub.places == 0)
        t->sub.places_since = t->compared;
    if (t->sub.places_since == t->compared)
        t->sub.places |= finding_place(finding);
}

static bool find(struct test_context *t, const struct finding *finding, const char *words)
{
    struct finding here = *finding;
    char text[NOTE_SIZE];
    bool is_shown = takes_finding(t, finding), is_explained;

    t->checks += finding->kind != FINDING_SETUP;
    here.under |= t->under;
    if (is_shown) {
        if (words != NULL)
            test_note(t, "%s", words);
        test_note(t, "finding: %s", finding_format(&here, text, sizeof(text)));
    }
    is_explained = mark_failed(t, &here);
    if (!is_explained)
        note_place(t, &here);
    if (is_shown && !is_explained)
        keep_first(t, words != NULL ? words : text);
    return is_explained;
}

bool test_find(struct test_context *t, const struct finding *finding)
{
    return find(t, finding, NULL);
}

bool test_find_as(struct test_context *t, const struct finding *finding, const char *format, ...)
{
    char words[NOTE_SIZE];
    FORMAT_ARGUMENTS(words, sizeof(words), format);
    return find(t, finding, words);
}

void test_fail(struct test_context *t, const char *format, ...)
{
    const struct finding finding = {.kind = FINDING_SETUP, .bare = true};
    char words[NOTE_SIZE];
    FORMAT_ARGUMENTS(words, sizeof(words), format);
    find(t, &finding, words);
}

/* At the end of a subtest, or of the test: an erratum that shows more often than it may is none. */
static void settle_errata(struct test_context *t)
{
    for (size_t row = 0; row < ERRATA_MAX; row++) {
        if (t->explained[row] == 0 || !erratum_excuses(erratum_row(row)))
            continue;
        if (t->explained[row] > erratum_allows(erratum_row(row), t->compared)) {
            test_note(t, "%s: %u times, at most %lu are to be expected in %lu",
                      erratum_row(row)->id, t->explained[row],
                      erratum_allows(erratum_row(row), t->compared), t->compared);
            mark_unexpected(t);
        }
        t->explained_in_all[row] += t->explained[row];
        errata_count(row, t->explained[row]);
    }
}

/* Likewise: how many more findings there were than are shown. */
static void count_findings(struct test_context *t)
{
    settle_errata(t);
    for (unsigned kind = 0; kind < FINDING_KINDS; kind++) {
        if (t->found[kind] > FINDING_SHOWN)
            test_note(t, "findings: %u more of %s", t->found[kind] - FINDING_SHOWN,
                      finding_name((enum finding_kind)kind));
        t->found[kind] = 0;
    }
    memset(t->explained, 0, sizeof(t->explained));
    t->under = 0;
    t->compared = 0;
    t->breaks_too = NULL;
}

void context_starve(struct test_context *t, const char *format, ...)
{
    FORMAT_ARGUMENTS(t->reason, CONTEXT_REASON_SIZE, format);
    t->starved = true;
    t->sub.starved = t->sub.is_open;
}

void test_breaks(struct test_context *t, const char *claim)
{
    if (t->sub.is_open ? t->sub.unexpected : t->unexpected)
        claim_set_add(&t->broken, claim);
    test_note(t, "breaks %s", claim);
}

void test_breaks_too(struct test_context *t, const char *claim)
{
    t->breaks_too = claim;
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
    FORMAT_ARGUMENTS(t->sub.name, sizeof(t->sub.name), format);
}

static void print_failed_subtest(struct test_context *t)
{
    const struct subtests *sub = &t->sub;

    notes_flush(&t->notes, LEVEL_SUBTEST, sub->notes_start);
    context_trace_print(t, LEVEL_SUBTEST, sub->unexpected);
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
    count_findings(t);
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
        test_note(t, "that was subtest %s", sub->name);
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
    count_findings(t);
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

    notes_flush(&t->notes, LEVEL_TEST, 0);
    context_report_trace(t);
    if (t->repetitions > 1)
        ktap_comment(LEVEL_TEST, "repetition: %lu of %lu", t->repetition + 1, t->repetitions);
    report_errata(t);
    if (t->broken.count > 0)
        ktap_comment(LEVEL_TEST, "claims:%s", claim_set_format(&t->broken, text, sizeof(text)));
    ktap_comment(LEVEL_TEST, "rerun: make run TEST=%s%s", test_full_name(t->test, name),
                 rerun_options(t->seed, repeat_for(t), text, sizeof(text)));
}
