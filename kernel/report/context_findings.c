/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings of a test: their lines, whole and brief, errata that explain them, claims that break. */
#include "kernel/report/context.h"

#include "kernel/report/coverage.h"
#include "arch/lib/printf.h"
#include "arch/lib/string.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/soak_stats.h"

static void mark_claim(struct test_context *t, const char *claim)
{
    claim_set_add(&t->broken, claim);
    claim_set_add(&t->broken_here, claim);
}

/* The claims that the (sub)test itself is about. */
static void own_claims(const struct test_context *t, struct claim_set *own)
{
    *own = (struct claim_set){.count = 0};
    if (t->sub.is_open && t->sub.claim != NULL) {
        claim_set_add(own, t->sub.claim);
        return;
    }
    for (const char *const *id = t->test->claims; *id != NULL; id++)
        claim_set_add(own, *id);
}

static void mark_broken(struct test_context *t)
{
    struct claim_set own;

    own_claims(t, &own);
    for (size_t i = 0; i < own.count; i++)
        mark_claim(t, own.ids[i]);
    if (t->breaks_too != NULL)
        mark_claim(t, t->breaks_too);
}

static void mark_unexpected(struct test_context *t)
{
    t->unexpected = true;
    t->sub.unexpected = t->sub.is_open;
    mark_broken(t);
    context_trace_failed(t);
}

static void note_brief(struct test_context *t, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    notes_add(&t->brief, format, arguments);
    va_end(arguments);
}

void context_note_always(struct test_context *t, const char *format, ...)
{
    char line[NOTE_SIZE];
    FORMAT_ARGUMENTS(line, sizeof(line), format);
    test_note(t, "%s", line);
    note_brief(t, "%s", line);
}

/* Of a known failure that is none the less one: once in a (sub)test. */
static void name_failure(struct test_context *t, size_t row)
{
    const struct erratum *known = erratum_row(row);

    if (t->explained[row]++ == 0)
        context_note_always(t, "known: %s: %s; microcode %#x mends it", known->id, known->effect,
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

/* Of its kind, in a (sub)test. */
static unsigned shown_at_most(void)
{
    return trace_is_asked() ? FINDING_SHOWN_ASKED : FINDING_SHOWN;
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

/* Names of addresses take long to find: only the first of a kind has them. */
static void note_whole(struct test_context *t, const struct finding *finding, const char *words)
{
    bool has_names = t->found[finding->kind] == 0 || trace_is_asked();
    char text[NOTE_SIZE];

    context_note_run(t);
    if (!test_has_failed(t))
        t->findings_start = t->notes.length;
    if (words != NULL)
        test_note(t, "%s", words);
    test_note(t, "finding: %s",
              has_names ? finding_format(finding, text, sizeof(text))
                        : finding_format_brief(finding, text, sizeof(text)));
}

static void note_finding(struct test_context *t, const struct finding *finding, const char *words)
{
    if (t->found[finding->kind] < shown_at_most())
        note_whole(t, finding, words);
}

static void keep_first(struct test_context *t, const struct finding *finding, const char *words)
{
    char text[NOTE_SIZE];

    if (t->first_finding[0] != '\0')
        return;
    if (words == NULL)
        words = finding_format(finding, text, sizeof(text));
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
    bool is_explained;

    t->checks += finding->kind != FINDING_SETUP;
    here.under |= t->under;
    note_finding(t, &here, words);
    t->found[finding->kind]++;
    t->has_found[finding->kind] = true;
    is_explained = mark_failed(t, &here);
    if (is_explained)
        return true;
    context_sum_up(t, &here, false);
    if (t->is_summed)
        sums_found(&here);
    note_place(t, &here);
    keep_first(t, &here, words);
    return false;
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
            context_note_always(t, "%s: %u times, at most %lu are to be expected in %lu",
                                erratum_row(row)->id, t->explained[row],
                                erratum_allows(erratum_row(row), t->compared), t->compared);
            mark_unexpected(t);
        }
        t->explained_in_all[row] += t->explained[row];
        errata_count(row, t->explained[row]);
    }
}

/* How many more of a kind there were than are shown. */
static void note_more(struct test_context *t, enum finding_kind kind)
{
    unsigned count = t->found[kind], shown = shown_at_most();

    if (count > shown)
        test_note(t, "findings: %u more of %s", count - shown, finding_name(kind));
    if (count > 0)
        note_brief(t, "findings: %u more of %s", count, finding_name(kind));
}

void context_count_findings(struct test_context *t)
{
    settle_errata(t);
    for (unsigned kind = 0; kind < FINDING_KINDS; kind++) {
        note_more(t, (enum finding_kind)kind);
        t->found[kind] = 0;
    }
    memset(t->explained, 0, sizeof(t->explained));
    t->under = 0;
    t->compared = 0;
    t->breaks_too = NULL;
}

bool context_failed_as_expected(const struct test_context *t)
{
    return t->failed && !t->unexpected;
}

void test_breaks(struct test_context *t, const char *claim)
{
    size_t count = t->broken_here.count;

    if (t->sub.is_open ? t->sub.unexpected : t->unexpected)
        mark_claim(t, claim);
    if (t->broken_here.count > count)
        test_note(t, "breaks %s", claim);
}

void test_breaks_too(struct test_context *t, const char *claim)
{
    t->breaks_too = claim;
}

/* --- what checks, runs and results add to the sums of the run (kernel/report/sums/sums.h) --- */

static struct sums_key key_of(const struct test_context *t, const struct finding *check)
{
    struct sums_key key = {
        .kind = (uint8_t)check->kind,
        .suite = sums_name(t->test->suite),
        .under = check->is_of_transfer ? 0 : t->under,
        .from = RING_HIDDEN,
        .to = RING_HIDDEN,
    };

    if (t->has_run && !t->run.changes) {
        key.has_run = true;
        key.debugctl = (uint16_t)t->run.debugctl;
        key.causes = (uint8_t)t->run.causes;
    }
    if (check->is_of_transfer) {
        key.transfer = sums_name(check->where);
        key.from = check->from_ring;
        key.to = check->to_ring;
    }
    return key;
}

void context_sum_up(const struct test_context *t, const struct finding *check, bool held)
{
    const struct sums_key key = key_of(t, check);

    if (t->is_summed)
        sums_count(&key, !held, held);
}

void test_held(struct test_context *t, const struct finding *check)
{
    context_sum_up(t, check, true);
}

void context_sum_result(struct test_context *t)
{
    struct claim_set own;

    own_claims(t, &own);
    if (t->is_summed && t->broken_here.count > 0)
        sums_failure(&own);
    t->broken_here.count = 0;
}

void test_run_is(struct test_context *t, const struct run_conditions *run)
{
    t->run = *run;
    t->has_run = true;
    t->run_is_noted = false;
}

void context_note_run(struct test_context *t)
{
    const struct run_conditions *run = &t->run;
    char bits[NOTE_SIZE], buffer[NOTE_SIZE] = "";

    if (!t->has_run || t->run_is_noted)
        return;
    t->run_is_noted = true;
    if (run->records > 0)
        format_append(buffer, sizeof(buffer), " records=%zu", run->records);
    if (run->records >= run->threshold)
        format_append(buffer, sizeof(buffer), " threshold=%zu", run->threshold);
    test_note(t, "run: debugctl=\"%s%s\" program=\"%s\"%s",
              debugctl_format(run->debugctl, bits, sizeof(bits)), run->changes ? " at first" : "",
              run->program != NULL ? run->program : "-", buffer);
}
