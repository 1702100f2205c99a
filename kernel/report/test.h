/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a test is declared and what it may report. Newcomers start here.
 *
 *     TEST(threshold, fires_once_at_threshold, CLAIMS("BTS-5", "T17-6.7"), NEEDS(BTS))
 *     {
 *         …
 *         EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", debugctl_read(), 0);
 *     }
 *
 * A test has a name, suite.name (public and never reused), the claims of the manual that it checks,
 * and the features that it needs. If a need is not met, the runner skips it and names the missing
 * bit. Another reason to skip it before it writes anything follows the needs, so that a list and a
 * dry run know it too:
 *
 *     TEST_UNLESS(probe, no_bts_without_ds, CLAIMS("DS-1"), NEEDS(MSR),
 *                 feature_present(FEATURE_DS), "CPUID.01H:EDX[21].DS = 1")
 *
 * A test starts and ends with a quiet processor.
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
    const char *const *claims;              /* ids, NULL at the end */
    const enum feature *needs;              /* FEATURE_COUNT at the end */
    bool (*unless)(char *why, size_t size); /* skips the test; only reads; NULL: never */
    void (*body)(struct test_context *t);
    bool only_when_named; /* runs only when test= names it */
    bool is_selftest;     /* tests this kernel, not a processor */
    const char *file;
    unsigned line;
};

/* The leading NULL allows an empty CLAIMS(). */
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

/* Skipped if the condition holds, for the formatted reason. */
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

/* Run only when test= names them: tests too uncertain to fail a processor, and tests of the kernel
 * itself. */
#define TEST_ON_REQUEST(suite, name, claims, needs)                                                \
    TEST_DECLARE(suite, name, claims, needs, NULL, true, false)
#define SELFTEST(suite, name, claims, needs)                                                       \
    TEST_DECLARE(suite, name, claims, needs, NULL, true, true)

/* --- what a test body may report; t is the running test or its open subtest --- */

/*
 * Reports a finding (kernel/report/findings.h): the test fails, and continues. Returns whether an
 * erratum of this processor explains it. test_find(t, &(struct finding){.kind = FINDING_INDEX,
 * .expected = 3, .got = 4}); FIND() is for a kind whose numbers are unknown, or in the text.
 */
bool test_find(struct test_context *t, const struct finding *finding);
bool test_find_as(struct test_context *t, const struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define FIND(t, kind_, ...)                                                                        \
    test_find_as(t, &(struct finding){.kind = FINDING_##kind_, .bare = true}, __VA_ARGS__)

/* Counts a check that held, as a finding that it would have been otherwise: what is broken can be
 * told apart from what is right (kernel/report/sums/sums.h). EXPECT…() do so by themselves. */
void test_held(struct test_context *t, const struct finding *check);

/* Adds circumstances to all findings until the (sub)test ends. */
void test_under(struct test_context *t, unsigned circumstances);

/* Counts a check that held without EXPECT(). A (sub)test without checks has checked none of its
 * claims. Do not count checks of the test's own set-up. */
void test_checked(struct test_context *t);

/* The checks just made also check this claim, besides the subtest's. */
void test_checked_claim(struct test_context *t, const char *claim);

/* Counts compared records, entries or counts, to which an erratum's rate refers. */
void test_compared(struct test_context *t, uint64_t count);

/* The test itself fails: its set-up fails, or it contradicts itself. This says nothing about the
 * processor, and no erratum excuses it. */
void test_fail(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The failure just reported also breaks this claim, besides the subtest's. */
void test_breaks(struct test_context *t, const char *claim);

/* Call it before the checks: any failure of the open subtest, or of the test, also breaks this
 * claim. At most one. */
void test_breaks_too(struct test_context *t, const char *claim);

/* Skips the test or subtest, with what is missing as the reason. Return from the body after it. */
void test_skip(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, with the feature's own reason. */
void test_skip_without(struct test_context *t, enum feature feature);

/* A line "# …" that is printed only if the (sub)test fails. */
void test_note(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "# observed: …": how this processor decides a point that the manual leaves open. Each text is
 * printed once. */
void test_observe(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "# choice: NAME=VALUE", for tests/spec/choices/choices.h, which keeps the values. */
void test_choice(struct test_context *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Find a test by "suite.name", or by its number in the order of the log, from 0; NULL if there is
 * none. */
const struct test *test_named(const char *full_name);
const struct test *test_number(size_t number);

/* Writes why a test has shown nothing: it was not chosen, or a need is missing. Returns text. */
const char *test_why_unseen(const char *full_name, char *text, size_t size);

/* Asks the lab for a service now: "# lab: machine-check?". Requires lab_can(). */
void test_ask_lab(struct test_context *t, enum lab_services service);

/* Has the open subtest, or else the test, a failure that no erratum excuses? */
bool test_has_failed(const struct test_context *t);

/* The run's seed (seed=N), and the number of this repetition (repeat=N), from 0. */
uint64_t test_seed(const struct test_context *t);
uint64_t test_repetition(const struct test_context *t);

/* Is half of the test's time (timeout=SECONDS) over? On a slow machine loops then end, and report
 * their count. */
bool test_is_late(void);

/* The time that the watchdog gives a test (timeout=), in microseconds. */
uint64_t test_time_given(void);

/* A new run begins, so that the test does not hang: the time begins again for it, until all runs of
 * the test have had five times as much. Nothing must be recorded or counted meanwhile. */
void test_goes_on(void);

/* How often a processor said so. */
unsigned test_runs_begun(unsigned index);

/* Restarts the test's time, for a test that visits the other processors in turn. */
void test_time_anew(void);

/* Sets the time for a whole test on this processor, if it is not the one that the watchdog
 * guards. */
void test_time_here(uint64_t microseconds);

/* This seed reproduces the failure in the first repetition; the rerun line says so. */
void test_replays_from(struct test_context *t, uint64_t seed);

/*
 * Subtests: plan their number, then open and close each. The test fails if one of them does.
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
 * Checks. Each names the kind of finding if it fails, without FINDING_, and returns whether it
 * held. A failure prints the place, expected and got.
 *     EXPECT(t, PMI_LVT, event->lvt_masked, "interrupt %zu left the LVT entry unmasked", i);
 *     EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", got, expected);
 * If too few and too many are different kinds:
 *     EXPECT_COUNT(t, PMI, "interrupts", got, expected);       PMI_MISSING or PMI_EXTRA
 *     EXPECT_BITS(t, OVERFLOW, "status", got, expected);       OVERFLOW_MISSING, _EXTRA, or both
 *     EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, got, least, most, "%s counted …", …);
 * EXPECT() gives none of the kind's numbers. The others give expected and got; kinds with more
 * numbers, or with addresses for a count, do not compile.
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
 * What must be off between tests, registered beside the suites, one row a facility. The runner
 * calls is_quiet before and after each test. It calls make_quiet after each test, and before a test
 * if something is on. A facility that is on after a test fails the test, with the text of is_quiet.
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
 * What tests have learned of the processor; restored if a test's observation does not count. Put
 * LEARNED_STATE(x) after the definition of x.
 */
struct learned_state {
    void *now, *before;
    size_t size; /* bytes */
};

#define LEARNED_STATE(variable)                                                                    \
    static __typeof__(variable) variable##_before;                                                 \
    static const struct learned_state learned_state_##variable                                     \
        __attribute__((used, section(".learned_state"), aligned(8))) = {                           \
            &variable, &variable##_before, sizeof(variable)}

/*
 * A claim that does not apply to some processors. There it counts as not checked, whatever its
 * tests found.
 */
struct claim_scope {
    const char *claim;
    bool (*covers_this)(void); /* called after the last test */
    const char *why_not;       /* the reason if it does not */
};

#define CLAIM_SCOPES(name)                                                                         \
    static const struct claim_scope name[]                                                         \
        __attribute__((used, section(".claim_scopes"), aligned(8)))

/* A report at the log's top level after the last test. */
struct report {
    const char *name;
    void (*print)(void); /* on each processor that ran tests; cpu_label_suffix() names it */
};

#define REPORT(name_, print_)                                                                      \
    static const struct report report_##name_                                                      \
        __attribute__((used, section(".reports"), aligned(8))) = {#name_, print_}

#define TEST_NAME_SIZE 96u /* bytes of "suite.name", terminating zero included */

/* Writes "suite.name" to text of TEST_NAME_SIZE bytes. Returns text. */
char *test_full_name(const struct test *test, char *text);

/* The same with the suffix `where`, which may be NULL: "suite@E2.name". */
char *test_labelled_name(const struct test *test, const char *where, char *text);

bool test_same_suite(const struct test *a, const struct test *b);

/* The running test, NULL between tests, for debuggers to read. */
extern const struct test *volatile running_test;

/*
 * One subtest for each row of a table, planned, opened and closed. The body is a statement, which
 * only `continue` may end early. The name may use the row.
 *
 *     TEST_EACH(t, row, cases, row->claim, "%s", row->name)
 *         check(t, row->transfers);
 */

#define COUNT_OF(table) (sizeof(table) / sizeof(table)[0])

/* Rows in [first, end). */
#define TEST_EACH_OF(t, row, first, end, claim, ...)                                               \
    for (__auto_type row = (test_plan(t, (unsigned)((end) - (first))), (first));                   \
         row < (end) && (test_begin(t, claim, __VA_ARGS__), true); test_end(t), row++)

#define TEST_EACH(t, row, table, claim, ...)                                                       \
    TEST_EACH_OF(t, row, table, (table) + COUNT_OF(table), claim, __VA_ARGS__)

/* Number of rows in [first, end) for which the condition holds. */
#define TEST_ROWS(row, first, end, condition)                                                      \
    ({                                                                                             \
        unsigned test_rows = 0;                                                                    \
        for (__auto_type row = (first); row < (end); row++)                                        \
            test_rows += !!(condition);                                                            \
        test_rows;                                                                                 \
    })

/* Rows, or numbers, in [first, end) for which the condition holds. */
#define TEST_EACH_WHERE(t, row, first, end, condition, claim, ...)                                 \
    for (__auto_type row = (test_plan(t, TEST_ROWS(row, first, end, condition)), (first));         \
         row < (end); row++)                                                                       \
        for (bool test_opens = (condition);                                                        \
             test_opens && (test_begin(t, claim, __VA_ARGS__), true);                              \
             test_end(t), test_opens = false)

/* Numbers in [first, end). */
#define TEST_NUMBERS(t, number, first, end, claim, ...)                                            \
    for (unsigned number = (test_plan(t, (unsigned)(end) - (first)), (first));                     \
         number < (end) && (test_begin(t, claim, __VA_ARGS__), true); test_end(t), number++)

#endif
