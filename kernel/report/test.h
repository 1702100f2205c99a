/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a test is declared and what it may say. The file a newcomer reads.
 *
 *     TEST(threshold, fires_once_at_threshold, CLAIMS("BTS-5", "T17-6.7"), NEEDS(BTS))
 *     {
 *         …
 *         EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", debugctl_read(), 0);
 *     }
 *
 * A test is data first: its name is suite.name (public and never reused), the claims of the manual
 * that it checks, and the features that the processor must have. The runner skips it, saying which
 * bit is missing, where a need is not met. What else makes it skip before it touches anything
 * stands behind the needs, so that a list and a dry run know it, too:
 *
 *     TEST_UNLESS(probe, no_bts_without_ds, CLAIMS("DS-1"), NEEDS(MSR),
 *                 feature_present(FEATURE_DS), "CPUID.01H:EDX[21].DS = 1")
 *
 * It starts and ends with a quiet processor.
 */
#ifndef KERNEL_REPORT_TEST_H
#define KERNEL_REPORT_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "arch/cpu/identity/features.h"
#include "arch/lib/printf.h"
#include "kernel/report/findings.h"
#include "kernel/console/lab.h"

struct test_context;

struct test {
    const char *suite;
    const char *name;
    const char *const *claims;              /* ids of the claims table, NULL at the end */
    const enum feature *needs;              /* FEATURE_COUNT at the end */
    bool (*unless)(char *why, size_t size); /* nothing to do here, by reads alone; NULL: never */
    void (*body)(struct test_context *t);
    bool only_when_named; /* not in a normal run, only when test= matches it */
    bool is_selftest;     /* of this kernel: it says nothing of a processor */
    const char *file;
    unsigned line;
};

/* The NULL in front, before the first id, lets CLAIMS() be empty. */
#define CLAIMS(...) ((const char *const[]){NULL, ##__VA_ARGS__, NULL} + 1)

#define NEEDS_0()                                  FEATURE_COUNT
#define NEEDS_1(a)                                 FEATURE_##a, FEATURE_COUNT
#define NEEDS_2(a, b)                              FEATURE_##a, NEEDS_1(b)
#define NEEDS_3(a, b, c)                           FEATURE_##a, NEEDS_2(b, c)
#define NEEDS_4(a, b, c, d)                        FEATURE_##a, NEEDS_3(b, c, d)
#define NEEDS_5(a, b, c, d, e)                     FEATURE_##a, NEEDS_4(b, c, d, e)
#define NEEDS_6(a, b, c, d, e, f)                  FEATURE_##a, NEEDS_5(b, c, d, e, f)
#define NEEDS_PICK(z, a, b, c, d, e, f, pick, ...) pick
#define NEEDS(...)                                                                                 \
    ((const enum feature[]){NEEDS_PICK(_, ##__VA_ARGS__, NEEDS_6, NEEDS_5, NEEDS_4, NEEDS_3,       \
                                       NEEDS_2, NEEDS_1, NEEDS_0)(__VA_ARGS__)})

#define TEST_DECLARE(suite_, name_, claims_, needs_, unless_, only_when_named_, is_selftest_)      \
    static void test_##suite_##_##name_(struct test_context *t);                                   \
    static const struct test test_data_##suite_##_##name_                                          \
        __attribute__((used, section(".tests"), aligned(8))) = {                                   \
            .suite = #suite_,                                                                      \
            .name = #name_,                                                                        \
            .claims = claims_,                                                                     \
            .needs = needs_,                                                                       \
            .unless = unless_,                                                                     \
            .body = test_##suite_##_##name_,                                                       \
            .only_when_named = only_when_named_,                                                   \
            .is_selftest = is_selftest_,                                                           \
            .file = __FILE__,                                                                      \
            .line = __LINE__,                                                                      \
    };                                                                                             \
    static void test_##suite_##_##name_(struct test_context *t)

#define TEST(suite, name, claims, needs)                                                           \
    TEST_DECLARE(suite, name, claims, needs, NULL, false, false)

/* Skipped where the condition holds, for the reason that the format and the rest make. */
#define TEST_UNLESS(suite, name, claims, needs, ...)                                               \
    TEST_DECLARE_UNLESS(suite, name, claims, needs, __VA_ARGS__)
#define TEST_DECLARE_UNLESS(suite, name, claims, needs, condition, ...)                            \
    static bool unless_##suite##_##name(char *why, size_t size)                                    \
    {                                                                                              \
        bool holds = (condition);                                                                  \
        if (holds)                                                                                 \
            format_string(why, size, __VA_ARGS__);                                                 \
        return holds;                                                                              \
    }                                                                                              \
    TEST_DECLARE(suite, name, claims, needs, unless_##suite##_##name, false, false)

/* Not in a normal run, only when test= matches it: what is not sure enough of itself to condemn a
 * processor; and tests of the kernel itself. */
#define TEST_ON_REQUEST(suite, name, claims, needs)                                                \
    TEST_DECLARE(suite, name, claims, needs, NULL, true, false)
#define SELFTEST(suite, name, claims, needs)                                                       \
    TEST_DECLARE(suite, name, claims, needs, NULL, true, true)

/* --- what a test body may say; t is the running test, or the subtest it is in --- */

/*
 * Reports a finding (kernel/report/findings.h): the test has failed, and goes on. Returns whether
 * an erratum of this processor explains it. test_find(t, &(struct finding){.kind = FINDING_INDEX,
 * .expected = 3, .got = 4}); FIND() is for a kind whose numbers are not known, or are in the text.
 */
bool test_find(struct test_context *t, const struct finding *finding);
bool test_find_as(struct test_context *t, const struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define FIND(t, kind_, ...)                                                                        \
    test_find_as(t, &(struct finding){.kind = FINDING_##kind_, .bare = true}, __VA_ARGS__)

/* All findings until the (sub)test ends happen under these circumstances besides their own. */
void test_under(struct test_context *t, unsigned circumstances);

/* A check was made by other means than EXPECT(), and held: a (sub)test that makes none has checked
 * none of its claims. One of the test's own set-up is none. */
void test_checked(struct test_context *t);

/* The checks just made were of this claim, too, besides that of the subtest they are in. */
void test_checked_claim(struct test_context *t, const char *claim);

/* So many records, entries or counts were compared: what the rate of an erratum refers to. */
void test_compared(struct test_context *t, uint64_t count);

/* The test itself is in trouble: it cannot be set up, or contradicts itself. Of the processor this
 * says nothing, and no erratum excuses it. */
void test_fail(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Names a claim that the failure just reported breaks, besides the claim of the subtest it is in.
 */
void test_breaks(struct test_context *t, const char *claim);

/* Ahead of the checks: whatever fails in the open subtest, or in the test, breaks this claim, too.
 * At most one. */
void test_breaks_too(struct test_context *t, const char *claim);

/* Ends as skipped (return from the body right after); the reason says what was missing. */
void test_skip(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, with the feature's own reason. */
void test_skip_without(struct test_context *t, enum feature feature);

/* A diagnostic line "# …", shown only when the (sub)test fails. */
void test_note(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "# observed: …": how this processor decides a point that the manual leaves open. Printed once for
 * each different text. */
void test_observe(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "# choice: NAME=VALUE", for tests/oracle/choices.h, which keeps what is known. */
void test_choice(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A test by its "suite.name", or by its number in the order of the log, from 0; NULL: none such. */
const struct test *test_named(const char *full_name);
const struct test *test_number(size_t number);

/* Why a test has shown nothing of what it is there to show: not chosen, a need that is missing. */
const char *test_why_unseen(const char *full_name, char *text, size_t size);

/* Asks the lab for one of its services, at once: "# lab: machine-check?". Only what lab_can() do is
 * asked for. */
void test_ask_lab(struct test_context *t, enum lab_services service);

bool test_has_failed(const struct test_context *t);

/* The run's seed (seed=N) and which repetition this is (repeat=N), from 0. */
uint64_t test_seed(const struct test_context *t);
uint64_t test_repetition(const struct test_context *t);

/* Half of the time is over that the running test may take (timeout=SECONDS). What is done many
 * times ends then, on a slow machine, and says how often it was done. */
bool test_is_late(void);

/* For a test that goes through the other processors: each of them has the whole of its time. */
void test_time_anew(void);

/* A whole test runs on this processor, which is not that of the watchdog: it may take so much. */
void test_time_here(uint64_t microseconds);

/* The failure comes with this seed in the first repetition: the rerun line will say so. */
void test_replays_from(struct test_context *t, uint64_t seed);

/*
 * Subtests: say how many come, then open and close each; the parent fails when one does.
 *     test_plan(t, 32);
 *     test_begin(t, "T17-6.4", "tr1_bts1_off_os1_off_usr0_btint0");   claim may be NULL
 *     … test_end(t);
 * The number run must be the number planned. One level only.
 */
void test_plan(struct test_context *t, unsigned count);
void test_begin(struct test_context *t, const char *claim, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void test_end(struct test_context *t);

/*
 * Checks. Each has the kind of what is wrong when it does not hold, without FINDING_ in front, and
 * returns whether it held; a failure prints the place, expected and got.
 *     EXPECT(t, PMI_LVT, event->lvt_masked, "interrupt %zu left the LVT entry unmasked", i);
 *     EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", got, expected);
 * Where too few is of another kind than too many:
 *     EXPECT_COUNT(t, PMI, "interrupts", got, expected);       PMI_MISSING or PMI_EXTRA
 *     EXPECT_BITS(t, OVERFLOW, "status", got, expected);       OVERFLOW_MISSING, _EXTRA, or both
 *     EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, got, least, most, "%s counted …", …);
 * EXPECT() has none of the kind's numbers. The others have an expected and a got: kinds that have
 * more, or addresses where it is a count, are refused.
 */
#define EXPECT_KIND(kind, known)                                                                   \
    ((void)sizeof(struct {                                                                         \
        _Static_assert((NUMBERS_OF_##kind & ~(known)) == 0,                                        \
                       "this kind of finding has numbers (findings.def) that this check lacks");   \
        char none;                                                                                 \
    }))
#define EXPECT(t, kind, condition, ...)                                                            \
    test_expect(t, FINDING_##kind, condition, __FILE__, __LINE__, #condition, __VA_ARGS__)
#define EXPECT_EQUAL(t, kind, what, got, expected)                                                 \
    (EXPECT_KIND(kind, HAS_VALUES | HAS_ADDRESSES),                                                \
     test_expect_equal(t, FINDING_##kind, what, got, expected, __FILE__, __LINE__))
#define EXPECT_COUNT(t, kinds, what, got, expected)                                                \
    (EXPECT_KIND(kinds##_MISSING, HAS_VALUES), EXPECT_KIND(kinds##_EXTRA, HAS_VALUES),             \
     test_expect_count(t, FINDING_##kinds##_MISSING, FINDING_##kinds##_EXTRA, what, got, expected, \
                       __FILE__, __LINE__))
#define EXPECT_BITS(t, kinds, what, got, expected)                                                 \
    (EXPECT_KIND(kinds##_MISSING, HAS_VALUES), EXPECT_KIND(kinds##_EXTRA, HAS_VALUES),             \
     test_expect_bits(t, FINDING_##kinds##_MISSING, FINDING_##kinds##_EXTRA, what, got, expected,  \
                      __FILE__, __LINE__))
#define EXPECT_BETWEEN(t, low, high, got, least, most, ...)                                        \
    (EXPECT_KIND(low, HAS_VALUES), EXPECT_KIND(high, HAS_VALUES),                                  \
     test_expect_between(t, FINDING_##low, FINDING_##high, got, least, most, __FILE__, __LINE__,   \
                         __VA_ARGS__))

bool test_expect(struct test_context *t, enum finding_kind kind, bool condition, const char *file,
                 unsigned line, const char *condition_text, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
bool test_expect_equal(struct test_context *t, enum finding_kind kind, const char *what,
                       uint64_t got, uint64_t expected, const char *file, unsigned line);
bool test_expect_count(struct test_context *t, enum finding_kind few, enum finding_kind many,
                       const char *what, uint64_t got, uint64_t expected, const char *file,
                       unsigned line);
bool test_expect_bits(struct test_context *t, enum finding_kind missing, enum finding_kind extra,
                      const char *what, uint64_t got, uint64_t expected, const char *file,
                      unsigned line);
bool test_expect_between(struct test_context *t, enum finding_kind low, enum finding_kind high,
                         uint64_t got, uint64_t least, uint64_t most, const char *file,
                         unsigned line, const char *format, ...)
    __attribute__((format(printf, 9, 10)));

/*
 * Quiet processor: what must be off between tests. Registered beside the suites, one row a
 * facility; the runner calls is_quiet before and after each test (after: a loud one fails it, with
 * the text that is_quiet wrote) and make_quiet after both.
 */
struct quiet_check {
    const char *name;
    bool (*is_quiet)(char *why, size_t size);
    void (*make_quiet)(void);
};

#define QUIET_CHECK(name_, is_quiet_, make_quiet_)                                                 \
    static const struct quiet_check quiet_check_##name_                                            \
        __attribute__((used, section(".quiet_checks"), aligned(8))) = {#name_, is_quiet_,          \
                                                                       make_quiet_}

/*
 * What tests have learnt of the processor: taken back when what a test saw does not count.
 * LEARNT(x) behind the definition of x.
 */
struct learnt {
    void *now, *before;
    size_t size; /* bytes */
};

#define LEARNT(variable)                                                                           \
    static __typeof__(variable) variable##_before;                                                 \
    static const struct learnt learnt_##variable                                                   \
        __attribute__((used, section(".learnt"), aligned(8))) = {&variable, &variable##_before,    \
                                                                 sizeof(variable)}

/*
 * A claim that says nothing of some processors: on one of those it counts as not checked, whatever
 * the tests that name it have found.
 */
struct claim_scope {
    const char *claim;
    bool (*covers_this)(void); /* asked after the last test */
    const char *why_not;       /* where it does not */
};

#define CLAIM_SCOPES(name)                                                                         \
    static const struct claim_scope name[]                                                         \
        __attribute__((used, section(".claim_scopes"), aligned(8)))

/* What is printed at the log's top level after the last test. */
struct report {
    const char *name;
    void (*print)(void); /* on each processor on which tests ran: place_suffix() tells which */
};

#define REPORT(name_, print_)                                                                      \
    static const struct report report_##name_                                                      \
        __attribute__((used, section(".reports"), aligned(8))) = {#name_, print_}

#define TEST_NAME_SIZE 96u /* bytes of "suite.name", terminating zero included */

/* "suite.name" into text of TEST_NAME_SIZE bytes; returns text. */
char *test_full_name(const struct test *test, char *text);

/* The same of a test in a place: "suite@E2.name". where may be NULL. */
char *test_placed_name(const struct test *test, const char *where, char *text);

bool test_same_suite(const struct test *a, const struct test *b);

/* The running test, NULL between tests: a word of memory for whoever looks in from outside. */
extern const struct test *volatile running_test;

/*
 * One subtest for each row of a table, planned, opened and closed; the body is a statement, which
 * `continue` ends early, and nothing else does. The name may use the row.
 *
 *     TEST_EACH(t, row, cases, row->claim, "%s", row->name)
 *         check(t, row->transfers);
 */

#define COUNT_OF(table) (sizeof(table) / sizeof(table)[0])

/* The rows from first up to end. */
#define TEST_EACH_OF(t, row, first, end, claim, ...)                                               \
    for (__auto_type row = (test_plan(t, (unsigned)((end) - (first))), (first));                   \
         row < (end) && (test_begin(t, claim, __VA_ARGS__), true); test_end(t), row++)

#define TEST_EACH(t, row, table, claim, ...)                                                       \
    TEST_EACH_OF(t, row, table, (table) + COUNT_OF(table), claim, __VA_ARGS__)

/* How many rows from first up to end the condition holds for. */
#define TEST_ROWS(row, first, end, condition)                                                      \
    ({                                                                                             \
        unsigned test_rows = 0;                                                                    \
        for (__auto_type row = (first); row < (end); row++)                                        \
            test_rows += !!(condition);                                                            \
        test_rows;                                                                                 \
    })

/* The rows, or numbers, from first up to end for which the condition holds. */
#define TEST_EACH_WHERE(t, row, first, end, condition, claim, ...)                                 \
    for (__auto_type row = (test_plan(t, TEST_ROWS(row, first, end, condition)), (first));         \
         row < (end); row++)                                                                       \
        for (bool test_opens = (condition);                                                        \
             test_opens && (test_begin(t, claim, __VA_ARGS__), true);                              \
             test_end(t), test_opens = false)

/* The numbers from first up to end - 1. */
#define TEST_NUMBERS(t, number, first, end, claim, ...)                                            \
    for (unsigned number = (test_plan(t, (unsigned)(end) - (first)), (first));                     \
         number < (end) && (test_begin(t, claim, __VA_ARGS__), true); test_end(t), number++)

#endif
