// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs every table of tests: one line a test, then the totals. Exit status 0 only if all passed. */
#include "check.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

extern const struct test profile_tests[], variation_tests[], area_tests[], lbr_tests[],
    pebs_record_tests[], newer_tests[], fault_tests[], errata_tests[], arch_lbr_tests[],
    arch_lbr_kept_tests[], arch_pebs_tests[], fast_tests[], not_lent_tests[];

/* The emulator's build runs one table alone (builder/fast_path.py). */
static const struct test *const tables[] = {
#ifdef ONLY
    ONLY
#else
    profile_tests,   variation_tests, area_tests,     lbr_tests,      pebs_record_tests,
    newer_tests,     fault_tests,     errata_tests,   arch_lbr_tests, arch_lbr_kept_tests,
    arch_pebs_tests, fast_tests,      not_lent_tests,
#endif
};

static unsigned checks, failures;

void check_true(bool passed, const char *text, const char *file, int line)
{
    checks++;
    if (!passed) {
        failures++;
        printf("    %s:%d: not true: %s\n", file, line, text);
    }
}

void check_equal(uint64_t got, uint64_t expected, const char *text, const char *file, int line)
{
    checks++;
    if (got != expected) {
        failures++;
        printf("    %s:%d: %s is 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", file, line, text, got,
               expected);
    }
}

static bool run(const struct test *test)
{
    unsigned checks_before = checks, failures_before = failures;

    test->run();
    if (checks == checks_before) {
        failures++;
        printf("    checks nothing\n");
    }
    printf("%s %s\n", failures == failures_before ? "ok    " : "not ok", test->name);
    return failures == failures_before;
}

int main(void)
{
    unsigned passed = 0, total = 0;

    alarm(300); /* nothing waits for ever */
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        for (const struct test *test = tables[i]; test->name; test++) {
            total++;
            passed += run(test);
        }
    }
    printf("%u of %u tests passed, %u checks\n", passed, total, checks);
    return passed == total ? 0 : 1;
}
