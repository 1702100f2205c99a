/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tests run, and in which order. Pure: works on any array of tests, on the host too. */
#ifndef KERNEL_REPORT_SELECTION_H
#define KERNEL_REPORT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/report/test.h"

#define SELECTION_TEST_COUNT 1024u
#define SELECTION_ERROR_SIZE 512u

/*
 * Properties of a suite for the runner, declared once beside one of its tests:
 *     SUITE(threshold, .order = -2);
 * A suite needs no declaration if all are zero.
 */

/*
 * Tests whose subtests the screen shows in a grid of 4 rows by 8. The digits 0 and 1 in a subtest's
 * name, first to last, are the number of its cell in binary.
 */
struct suite_grid {
    const char *tests; /* a glob of their names; NULL: no grid */
    const char *title;
    const char *rows, *columns; /* what the two digits of a row mean, and the three of a column */
    const char *digits;         /* what the first four digits mean, in short */
};

struct suite {
    const char *name;
    int order;          /* below 0: runs early, because others rely on it; above 0: runs last */
    bool asks_for_smis; /* an SMI counts as the test's own, not as interference */
    bool boot_only; /* runs only on the processor that booted: it is about that one, or its events
                       reach all */
    bool fills_a_soak;    /* such suites get three quarters of a soak (kernel/run/soak.h) */
    bool compares_places; /* compares processors, and runs after all other suites */
    bool (*unless)(char *why,
                   size_t size); /* as of a test (kernel/report/test.h), for the whole suite */
    struct suite_grid grid;
};

#define SUITE(name_, ...)                                                                          \
    static const struct suite suite_##name_                                                        \
        __attribute__((used, section(".suites"), aligned(8))) = {.name = #name_, __VA_ARGS__}

struct selection {
    const struct suite *suites; /* the declared ones; set before selection_collect() */
    size_t suite_count;
    const struct test *tests[SELECTION_TEST_COUNT]; /* by suite, then as declared */
    size_t count;
};

/* The suite's declaration, or zeros. */
const struct suite *selection_suite(const struct selection *all, const char *name);

/* Takes `count` tests from `first` on. If they are too many, or a name is too long, not of
 * [a-z0-9_] or given twice, returns false and writes a sentence to `error` (SELECTION_ERROR_SIZE
 * bytes). */
bool selection_collect(struct selection *all, const struct test *first, size_t count, char *error);

/*
 * Keeps tests that the globs name as "suite.name" or "suite"; without globs all of a normal run.
 * "suite.name.subtest" and "suite@E2.name", names in the log, select the whole test. A test that
 * runs only when named needs a glob without a wildcard at its start. If a glob matches nothing,
 * returns false and writes a sentence to `error`.
 */
bool selection_choose(struct selection *chosen, const struct selection *all,
                      const char *const *globs, size_t glob_count, char *error);

/*
 * Keeps the chosen tests that other processors run too. Leaves out tests that start processors,
 * boot_only suites, and self-tests that were not named.
 */
void selection_elsewhere(struct selection *elsewhere, const struct selection *chosen,
                         const struct selection *all);
bool selection_runs_elsewhere(const struct test *test, const struct selection *all);

/* Returns ".subtest" of a glob "suite.name.subtest", or NULL. */
const char *selection_subtest(const char *glob);

/* Number of tests in the suite of test `first`, from that test on. */
size_t selection_suite_size(const struct selection *tests, size_t first);

/*
 * Rotates suites without an order by so many, so that processors do not run the same tests at the
 * same time.
 */
void selection_turn(struct selection *turned, const struct selection *tests,
                    const struct selection *all, unsigned by);

#endif
