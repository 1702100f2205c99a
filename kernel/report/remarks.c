/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a test says for all to read while it runs, whether it fails or not. */
#include "arch/lib/printf.h"
#include "kernel/report/context.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/watchdog.h"

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
    if (notes_first_time(line))
        ktap_aside(level_now(t), "observed: %s", line);
    watchdog_release();
}

void test_choice(struct test_context *t, const char *format, ...)
{
    char line[NOTE_SIZE];
    FORMAT_ARGUMENTS(line, sizeof(line), format);
    watchdog_hold();
    ktap_aside(level_now(t), "choice: %s", line);
    watchdog_release();
}
