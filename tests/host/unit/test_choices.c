/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A choice is learnt once, printed once, held, and listed at the end. */
#include "tests/spec/choices/choices.h"

#include "arch/cpu/identity/features.h"
#include "arch/cpu/smp/hold.h"
#include "arch/lib/printf.h"
#include "arch/trace/debugctl.h"
#include "kernel/run/workers.h"
#include "kernel/report/ktap.h"
#include "tests/host/unit/check.h"
#include "tests/spec/choices/transfer_choices.h"

static struct cpu_features features[4];
static unsigned current;
static char said[65536]; /* since it was taken */
static size_t length;
static unsigned failures;
static bool differs; /* from another processor, is what is found */

unsigned features_slot(void)
{
    return current;
}

struct cpu_features *cpu_features(void)
{
    return &features[current];
}

const struct cpu_identity *features_identity(unsigned processor)
{
    return &features[processor].identity;
}

bool identity_same_kind(const struct cpu_identity *a, const struct cpu_identity *b)
{
    return a->core == b->core;
}

const char *cpu_label_suffix(void)
{
    return current ? "@E1" : "";
}

const char *cpu_label_name(void)
{
    return "@P0";
}

/* --- another processor, in a private image: what it has shown is that of one of ours --- */

static const struct worker there = {.number = 3};
static unsigned shown_there;

char *worker_suffix(const struct worker *worker, char text[WORKER_SUFFIX_SIZE])
{
    format_string(text, WORKER_SUFFIX_SIZE, "@E%u", worker->number);
    return text;
}

bool worker_read(const struct worker *worker, const void *variable, void *out, size_t size)
{
    (void)worker;
    memcpy(out, (const char *)variable + shown_there * size, size);
    return true;
}

static void say(const char *before, const char *format, va_list arguments)
{
    length += format_string(said + length, sizeof said - length, "%s", before);
    length += format_string_v(said + length, sizeof said - length, format, arguments);
    length += format_string(said + length, sizeof said - length, "\n");
}

#define SAYS(before)                                                                               \
    do {                                                                                           \
        va_list arguments;                                                                         \
                                                                                                   \
        va_start(arguments, format);                                                               \
        say(before, format, arguments);                                                            \
        va_end(arguments);                                                                         \
    } while (0)

void test_checked(struct test_context *t)
{
    (void)t;
}

void test_choice(struct test_context *t, const char *format, ...)
{
    (void)t;
    SAYS("choice: ");
}

void test_note(struct test_context *t, const char *format, ...)
{
    (void)t;
    SAYS("note: ");
}

void test_breaks(struct test_context *t, const char *claim)
{
    (void)t;
    length += format_string(said + length, sizeof said - length, "breaks %s\n", claim);
}

void ktap_comment(unsigned level, const char *format, ...)
{
    (void)level;
    SAYS("");
}

bool test_find_as(struct test_context *t, const struct finding *finding, const char *format, ...)
{
    (void)t;
    CHECK(finding->kind == (differs ? FINDING_TRAIT_DIFFERS : FINDING_CHOICE), "kind %d",
          finding->kind);
    failures++;
    SAYS("failed: ");
    return false;
}

bool test_expect(struct test_context *t, enum finding_kind kind, bool condition, const char *file,
                 unsigned line, const char *condition_text, const char *format, ...)
{
    (void)t, (void)kind, (void)file, (void)line, (void)condition_text;
    if (condition)
        return true;
    failures++;
    SAYS("failed: ");
    return false;
}

const char *test_why_unseen(const char *full_name, char *text, size_t size)
{
    format_string(text, size, "why %s", full_name);
    return text;
}

char *debugctl_format(uint64_t value, char *text, size_t size)
{
    format_string(text, size, "%s", value == DEBUGCTL_BTS_OFF_OS ? "BTS_OFF_OS" : "another");
    return text;
}

const char *pmu_event_name(enum pmu_event event)
{
    return event == PMU_BRANCHES ? "branches retired" : "another";
}

static const char *take(void)
{
    static char taken[sizeof said];

    memcpy(taken, said, length + 1);
    length = 0;
    said[0] = '\0';
    return taken;
}

static void check_held(void)
{
    CHECK(choice_of(CHOICE_WRAP) == VALUE_UNKNOWN, "known at the start");
    CHECK(choice_learn(NULL, CHOICE_WRAP, VALUE_EAGER), "the first is right");
    CHECK_TEXT(take(), "choice: wrap=eager\n");
    CHECK(choice_of(CHOICE_WRAP) == VALUE_EAGER, "not kept");
    CHECK(choice_learn(NULL, CHOICE_WRAP, VALUE_EAGER), "the same again");
    CHECK_TEXT(take(), "");
    CHECK(!choice_learn(NULL, CHOICE_WRAP, VALUE_LAZY), "another passes");
    CHECK(strstr(take(), "failed: choice wrap: lazy, although it was eager before\n"), "not told");
    CHECK(failures == 1, "%u failures", failures);
    CHECK(choice_of(CHOICE_WRAP) == VALUE_EAGER, "held to the second");
}

static void check_values_of_the_row(void)
{
    failures = 0;
    choice_learn(NULL, CHOICE_FULL, VALUE_EAGER);
    CHECK(failures == 1, "a value of another row is taken");
    take();
}

static void check_several(void)
{
    failures = 0;
    choice_learn(NULL, CHOICE_BTS_OVFBUF, VALUE_NO);
    choice_learn(NULL, CHOICE_BTS_OVFBUF, VALUE_YES);
    choice_learn(NULL, CHOICE_BTS_OVFBUF, VALUE_NO);
    CHECK_TEXT(take(), "choice: bts-ovfbuf=no\nchoice: bts-ovfbuf=yes\n");
    CHECK(failures == 0, "nobody holds it to one");
}

static void check_numbers(void)
{
    choice_learn(NULL, CHOICE_PMI_SKID, 0);
    choice_learn(NULL, CHOICE_PMI_SKID, 7);
    choice_learn(NULL, CHOICE_PMI_SKID, 3);
    CHECK_TEXT(take(), "choice: pmi-skid=0\nchoice: pmi-skid=7\n");
}

static void check_points(void)
{
    choice_learn(NULL, CHOICE_FROM, VALUE_NEXT, TRANSFER_FAR_RET);
    choice_learn(NULL, CHOICE_LBR_CLASS, VALUE_NO, 2, TRANSFER_LOOP);
    choice_learn(NULL, CHOICE_MACHINE_CHECK_DEBUGCTL, VALUE_KEPT, 9);
    choice_learn(NULL, CHOICE_PEBS_EVENT, VALUE_NO, PMU_BRANCHES);
    choice_learn(NULL, CHOICE_MACHINE_CHECK_STORED, VALUE_NO, 3);
    choice_learn(NULL, CHOICE_PEBS_SPACING, VALUE_PERIOD_PLUS_ONE, 15);
    CHECK_TEXT(take(), "choice: from[far-ret]=next\n"
                       "choice: lbr-class[jcc,loop]=no\n"
                       "choice: machine-check-debugctl[bts-off-os]=kept\n"
                       "choice: pebs-event[branches-retired]=no\n"
                       "choice: machine-check-stored[ring-3]=no\n"
                       "choice: pebs-spacing[pmc15]=period-plus-one\n");
    CHECK(choice_of(CHOICE_FROM, TRANSFER_FAR_JMP) == VALUE_UNKNOWN, "of another point");
    CHECK(choice_of(CHOICE_LBR_FROM, TRANSFER_FAR_RET) == VALUE_UNKNOWN, "of another row");
}

/* Every point of every row is a place of its own. */
static void check_places(void)
{
    failures = 0;
    for (unsigned kind = 0; kind < TRANSFER_KINDS; kind++)
        choice_learn(NULL, CHOICE_BTF, kind % 2 ? VALUE_YES : VALUE_NO, kind);
    for (unsigned kind = 0; kind < TRANSFER_KINDS; kind++)
        for (unsigned bit = 0; bit < 9; bit++)
            choice_learn(NULL, CHOICE_LBR_CROSSING, (kind + bit) % 2 ? VALUE_NEW : VALUE_OLD, bit,
                         kind);
    for (unsigned kind = 0; kind < TRANSFER_KINDS; kind++) {
        CHECK(choice_of(CHOICE_BTF, kind) == (kind % 2 ? VALUE_YES : VALUE_NO), "kind %u", kind);
        for (unsigned bit = 0; bit < 9; bit++)
            CHECK(choice_of(CHOICE_LBR_CROSSING, bit, kind) ==
                      ((kind + bit) % 2 ? VALUE_NEW : VALUE_OLD),
                  "bit %u, kind %u", bit, kind);
    }
    CHECK(failures == 0, "%u failures", failures);
    CHECK(choice_of(CHOICE_WRAP) == VALUE_EAGER, "another row was changed");
    take();
}

static void check_processors(void)
{
    failures = 0;
    features[1].identity.core = CORE_ATOM << CORE_TYPE;
    current = 1;
    CHECK(choice_of(CHOICE_WRAP) == VALUE_UNKNOWN, "of another processor");
    choice_learn(NULL, CHOICE_WRAP, VALUE_LAZY);
    current = 0;
    CHECK(choice_of(CHOICE_WRAP) == VALUE_EAGER, "of another processor");
    CHECK(failures == 0, "one of another kind decides for itself");
    take();
}

/* Two of a kind: what is held must be alike, what may be several things or a number need not. */
static void check_twins(void)
{
    const char *text;

    features[2].identity.core = features[3].identity.core = CORE_ATOM << CORE_TYPE;
    features[0].identity.core = CORE_CORE << CORE_TYPE;
    failures = 0;
    current = 2;
    choice_learn(NULL, CHOICE_WRAP, VALUE_LAZY);
    choice_learn(NULL, CHOICE_BTS_OVFBUF, VALUE_YES);
    choice_learn(NULL, CHOICE_PMI_SKID, 3);
    choice_learn(NULL, CHOICE_FROM, VALUE_NEXT, TRANSFER_FAR_RET);
    current = 3;
    choice_learn(NULL, CHOICE_BTS_OVFBUF, VALUE_NO);
    choice_learn(NULL, CHOICE_PMI_SKID, 4);
    CHECK(failures == 0 && choices_compare(NULL, 2, 3) == 0, "%u failures", failures);
    choice_learn(NULL, CHOICE_WRAP, VALUE_LAZY);
    CHECK(failures == 0 && choices_compare(NULL, 2, 3) == 1, "%u failures", failures);
    take();
    differs = true;
    choice_learn(NULL, CHOICE_FROM, VALUE_INSTRUCTION, TRANSFER_FAR_RET);
    text = take();
    CHECK(strstr(text, "failed: choice from[far-ret]: instruction on processor 3, although next on "
                       "processor 2\nbreaks MP-1\n"),
          "not told: %s", text);
    CHECK(failures == 1, "%u failures", failures);
    CHECK(choices_compare(NULL, 2, 3) == 2 && failures == 2, "%u failures", failures);
    differs = false;
    current = 0;
    take();
}

/* In a private image: a processor of the same kind is held to the other, one of another kind is
 * reported. */
static void check_workers(void)
{
    const char *text;

    failures = 0;
    shown_there = 2;
    CHECK(choices_compare_workers(NULL, &there, &there) > 0 && failures == 0, "%u failures",
          failures);
    choice_learn(NULL, CHOICE_WRAP, VALUE_EAGER);
    failures = 0;
    differs = true;
    take();
    CHECK(choices_compare_workers(NULL, NULL, &there) > 0 && failures == 1, "%u failures",
          failures);
    CHECK(strstr(take(), "choice wrap: lazy on processor 3, although eager on processor 0"),
          "not told");
    differs = false;
    choices_print_differences(&there);
    text = take();
    CHECK(strstr(text, "trait@E3 differs from @P0, another kind: wrap=lazy, not eager\n"),
          "not told: %s", text);
    CHECK(strstr(text, "pmi-late") == NULL, "what one has not shown: %s", text);
}

#define RECORDS ((uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS))

bool transactions_always_abort(void)
{
    return true;
}

/* Stored or not, by the ring that decides: both OFF bits, both directions. */
static void check_crossings(void)
{
    static const struct {
        uint64_t off;
        struct transfer transfer;
        bool old_passes;
    } cases[] = {
        {DEBUGCTL_BTS_OFF_OS, {.kind = TRANSFER_IRET, .to_ring = 3}, false},
        {DEBUGCTL_BTS_OFF_OS, {.kind = TRANSFER_SYSCALL, .from_ring = 3}, true},
        {DEBUGCTL_BTS_OFF_USR, {.kind = TRANSFER_SYSEXIT, .to_ring = 3}, true},
        {DEBUGCTL_BTS_OFF_USR, {.kind = TRANSFER_INT, .from_ring = 3}, false},
        {DEBUGCTL_BTS_OFF_USR, {.kind = TRANSFER_DEBUG, .from_ring = 3}, false},
    };
    const struct transfer *debug = &cases[4].transfer;

    is_stored_learn(NULL, DEBUGCTL_BTS_OFF_USR, debug, false);
    CHECK(is_stored(RECORDS | DEBUGCTL_BTS_OFF_USR, debug) == MAYBE,
          "absent, and perhaps never stored");
    is_stored_learn(NULL, 0, debug, true);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct transfer *transfer = &cases[i].transfer;
        bool stored = i % 2;

        CHECK(is_stored(RECORDS | cases[i].off, transfer) == MAYBE, "case %zu known", i);
        is_stored_learn(NULL, cases[i].off, transfer, stored);
        CHECK(is_stored(RECORDS | cases[i].off, transfer) == (stored ? YES : NO), "case %zu", i);
        CHECK(choice_of(CHOICE_CROSSING, cases[i].off == DEBUGCTL_BTS_OFF_OS ? 1 : 2,
                        transfer->kind) == (stored == cases[i].old_passes ? VALUE_OLD : VALUE_NEW),
              "case %zu: the ring", i);
    }
    take();
}

/* Those of which it is open whether they are transfers at all. */
static void check_doubtful(void)
{
    const struct transfer abort = {.kind = TRANSFER_ABORT}, debug = {.kind = TRANSFER_DEBUG};
    const struct transfer from_ring_3 = {.kind = TRANSFER_DEBUG, .from_ring = 3};

    is_stored_learn(NULL, DEBUGCTL_BTS_OFF_OS, &abort, false);
    CHECK(is_stored(RECORDS, &abort) == NO && choice_of(CHOICE_FORCED_ABORT) == VALUE_NO,
          "an abort is stored or not, whatever the OFF bits");
    is_stored_learn(NULL, 0, &debug, true);
    CHECK(is_stored(RECORDS, &debug) == YES && is_stored(RECORDS, &from_ring_3) == YES,
          "debug exception");
    CHECK(is_stored(RECORDS | DEBUGCTL_BTS_OFF_USR, &debug) == MAYBE, "under an OFF bit");
    CHECK(is_stored(RECORDS | DEBUGCTL_BTS_OFF_OS, &debug) == NO, "under that of its own ring");
    CHECK(is_stored(DEBUGCTL_TR, &debug) == NO, "without BTS");
    is_stored_learn(NULL, DEBUGCTL_BTS_OFF_OS, &debug, true);
    CHECK(is_stored(RECORDS | DEBUGCTL_BTS_OFF_OS, &from_ring_3) == MAYBE, "from ring 3");
    take();
}

static void check_print(void)
{
    const char *text;

    choices_print();
    text = take();
    CHECK(strstr(text, "trait: wrap=eager\n"), "%s", text);
    CHECK(strstr(text, "trait: bts-ovfbuf=no|yes\n"), "%s", text);
    CHECK(strstr(text, "trait: pmi-skid=7\n"), "%s", text);
    CHECK(strstr(text, "trait: limit=unknown (why circular.capacity"), "%s", text);
    CHECK(strstr(text, "trait: from=next [far-ret]\n"), "%s", text);
    CHECK(strstr(text, "trait: btf=no [jmp] [jcc] [jrcxz]"), "%s", text);
    CHECK(strstr(text, "trait: btf=yes [jmp-indirect]"), "%s", text);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        CHECK(strchr(line, '\n') - line < 200, "a long line: %.60s", line);
}

int main(void)
{
    check_held();
    check_values_of_the_row();
    check_several();
    check_numbers();
    check_points();
    check_places();
    check_processors();
    check_twins();
    check_workers();
    check_crossings();
    check_doubtful();
    check_print();
    return check_result();
}
