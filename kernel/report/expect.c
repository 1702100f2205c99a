/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test says, as kernel/report/test.h has it: checks, and comments for all to read. */
#include "kernel/report/context.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/watchdog.h"

/* That of a test's own set-up says nothing of a claim. */
static bool count_check(struct test_context *t, enum finding_kind kind, bool held)
{
    const struct finding check = {.kind = kind};

    if (kind != FINDING_SETUP)
        test_checked(t);
    if (kind != FINDING_SETUP && held)
        test_held(t, &check);
    return held;
}

/* Of a check that makes two kinds of finding, what held holds for the other kind as well. */
static void count_other(struct test_context *t, enum finding_kind kind, bool held)
{
    if (held)
        test_held(t, &(struct finding){.kind = kind});
}

bool test_expect(struct test_context *t, enum finding_kind kind, bool condition, const char *file,
                 unsigned line, const char *condition_text, const char *format, ...)
{
    const struct finding finding = {.kind = kind, .bare = true};
    char text[NOTE_SIZE];

    if (count_check(t, kind, condition))
        return true;
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    test_find_as(t, &finding, "%s:%u: %s; expected: %s", file, line, text, condition_text);
    return false;
}

bool test_expect_equal(struct test_context *t, enum finding_kind kind, const char *what,
                       uint64_t got, uint64_t expected, const char *file, unsigned line)
{
    const struct finding finding = {.kind = kind, .where = what, .expected = expected, .got = got};

    if (count_check(t, kind, got == expected))
        return true;
    test_find_as(t, &finding, "%s:%u: %s: expected %lu (0x%lx), got %lu (0x%lx)", file, line, what,
                 expected, expected, got, got);
    return false;
}

bool test_expect_count(struct test_context *t, enum finding_kind few, enum finding_kind many,
                       const char *what, uint64_t got, uint64_t expected, const char *file,
                       unsigned line)
{
    count_other(t, few, got == expected);
    return test_expect_equal(t, got < expected ? few : many, what, got, expected, file, line);
}

/* One finding for the bits that are missing, one for those that are too many. */
bool test_expect_bits(struct test_context *t, enum finding_kind missing, enum finding_kind extra,
                      const char *what, uint64_t got, uint64_t expected, const char *file,
                      unsigned line)
{
    bool held = true;

    count_check(t, missing, got == expected);
    count_other(t, extra, got == expected);
    if (expected & ~got)
        held = test_expect_equal(t, missing, what, got, expected, file, line);
    if (got & ~expected)
        held = test_expect_equal(t, extra, what, got, expected, file, line);
    return held;
}

bool test_expect_between(struct test_context *t, enum finding_kind low, enum finding_kind high,
                         uint64_t got, uint64_t least, uint64_t most, const char *file,
                         unsigned line, const char *format, ...)
{
    const bool is_low = got < least;
    const struct finding finding = {
        .kind = is_low ? low : high, .expected = is_low ? least : most, .got = got};
    char text[NOTE_SIZE];

    count_other(t, high, got >= least && got <= most);
    if (count_check(t, low, got >= least && got <= most))
        return true;
    FORMAT_ARGUMENTS(text, sizeof(text), format);
    test_find_as(t, &finding, "%s:%u: %s", file, line, text);
    return false;
}

/* --- What a test says for all to read while it runs, whether it fails or not. --- */

/* Of a line that is printed while the test runs. */
static unsigned level_now(const struct test_context *t)
{
    return t->sub.has_plan && context_prints_subtests(t) ? LEVEL_SUBTEST : LEVEL_TEST;
}

void test_ask_lab(struct test_context *t, enum lab_services service)
{
    watchdog_hold();
    ktap_ask_lab(level_now(t), lab_word(service));
    watchdog_release();
}

void test_observe(struct test_context *t, const char *format, ...)
{
    char line[NOTE_SIZE];
    FORMAT_ARGUMENTS(line, sizeof(line), format);
    watchdog_hold();
    if (!t->is_retest && notes_first_time(line))
        ktap_detail(level_now(t), "observed: %s", line);
    watchdog_release();
}

void test_choice(struct test_context *t, const char *format, ...)
{
    char line[NOTE_SIZE];
    FORMAT_ARGUMENTS(line, sizeof(line), format);
    if (t->is_retest)
        return;
    watchdog_hold();
    ktap_detail(level_now(t), "choice: %s", line);
    watchdog_release();
}
