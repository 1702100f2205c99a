/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tests run, and in which order. Pure: works on any array of tests, so that the host can
 * test it.
 */
#ifndef KERNEL_REPORT_SELECTION_H
#define KERNEL_REPORT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/report/test.h"

#define SELECTION_TEST_COUNT 1024u
#define SELECTION_ERROR_SIZE 512u

/*
 * What the runner must know of a suite beyond its name, declared once beside one of its tests:
 *     SUITE(threshold, .order = -2);
 * A suite that declares nothing is like every other.
 */

/*
 * Tests whose subtests the screen shows one by one, in a grid of 4 rows by 8: the digits 0 and 1 in
 * the name of a subtest, first to last, are the number of its cell in binary.
 */
struct suite_grid {
    const char *tests; /* a glob of their names; NULL: there is no grid */
    const char *title;
    const char *rows, *columns; /* what the two digits of a row stand for, and the three others */
};

struct suite {
    const char *name;
    int order;          /* below 0: others rest on it, the lowest runs first; above 0: runs last */
    bool asks_for_smis; /* so that one which comes is no disturbance */
    bool boot_only;     /* it is about the processor that booted, or its event meets every one */
    bool fills_a_soak;  /* three quarters of the time of a soak (kernel/run/soak.h) go to them */
    bool compares_places; /* what tests have shown elsewhere: it runs behind all the others */
    bool (*unless)(char *why,
                   size_t size); /* as that of a test (kernel/report/test.h), for all of them */
    struct suite_grid grid;
};

#define SUITE(name_, ...)                                                                          \
    static const struct suite suite_##name_                                                        \
        __attribute__((used, section(".suites"), aligned(8))) = {.name = #name_, __VA_ARGS__}

struct selection {
    const struct suite *suites; /* those declared; set before selection_collect() */
    size_t suite_count;
    const struct test *tests[SELECTION_TEST_COUNT]; /* by suite, then as declared */
    size_t count;
};

/* What is declared of the suite, or zeros. */
const struct suite *selection_suite(const struct selection *all, const char *name);

/*
 * Takes all tests of the array that begins at first and has count elements, and refuses names that
 * are not lower case [a-z0-9_] or come twice. Returns false and a sentence in error
 * (SELECTION_ERROR_SIZE bytes).
 */
bool selection_collect(struct selection *all, const struct test *first, size_t count, char *error);

/*
 * Keeps what the globs name: "suite.name", or a whole suite; without globs all that run normally.
 * A subtest, "suite.name.subtest", names its test, which runs whole, and so does "suite@E2.name",
 * as the log has it of another processor.
 * One that only runs when named wants a glob whose first character is no wildcard. Returns false
 * and a sentence in error for a glob that matches nothing.
 */
bool selection_choose(struct selection *chosen, const struct selection *all,
                      const char *const *globs, size_t glob_count, char *error);

/*
 * Of those chosen, what is executed on other processors, too: not what starts processors itself,
 * nor suites that are boot_only, nor self-tests but for those that were named.
 */
void selection_elsewhere(struct selection *elsewhere, const struct selection *chosen,
                         const struct selection *all);
bool selection_runs_elsewhere(const struct test *test, const struct selection *all);

/* The ".subtest" of a glob "suite.name.subtest", or NULL. */
const char *selection_subtest(const char *glob);

/* How many of them from number first on are of the same suite. */
size_t selection_suite_size(const struct selection *tests, size_t first);

/*
 * The same tests, suites that say nothing of their order moved on by so many, so that those who do
 * the same at the same time do not do the same.
 */
void selection_turn(struct selection *turned, const struct selection *tests,
                    const struct selection *all, unsigned by);

#endif
