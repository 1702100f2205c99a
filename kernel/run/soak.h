/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A soak (repeat=TIME). After its tests have run once, each processor draws tests,
 * each with its own seed and repetition, until the time is over. Passes leave no line. Each
 * distinct failure is reported once in full, with the command that reproduces it, and then counted.
 * A line a minute reports progress.
 */
#ifndef KERNEL_RUN_SOAK_H
#define KERNEL_RUN_SOAK_H

#include <stdbool.h>
#include <stdint.h>
#include "kernel/report/context.h"
#include "kernel/report/selection.h"
#include "kernel/report/soak_stats.h"
#include "kernel/settings.h"

#define SOAK_SUITE "soak" /* its result in the log */
#define SOAK_TEST  "drawn_tests"

/* Ends the soak as a failed test does, because a processor is lost. */
void soak_end_by_failure(void);

/* A draw: a test with the seed and repetition with which it runs once. */
struct soak_draw {
    const struct test *test;
    uint64_t seed, repetition;
    bool fills; /* fills_a_soak of its suite (kernel/report/selection.h) */
};

bool soak_is_wanted(const struct options *options);

/* Does a processor that runs these tests get a soak? It does if there is a test to draw. */
bool soak_draws_from(const struct options *options, const struct selection *tests);

/* Starts the clock. The soak of the whole run lasts so many microseconds, that of this processor
 * only the first `own` of them. The time of its planned tests counts too. */
void soak_begin(uint64_t microseconds, uint64_t own);

/* False if the time is over, or a failure has ended the soak for all (repeat=TIME,first-failure).
 */
bool soak_goes_on(const struct options *options);

/* Draws from `tests`, which is not empty; `all` has the suites' declarations. Suites with
 * fills_a_soak, if any, get three quarters of the time. */
struct soak_draw soak_next(const struct selection *tests, const struct selection *all,
                           uint64_t seed);

/* Records a draw's result and its time. Returns true if the draw failed in a way that was not
 * reported before, and is to be reported. */
bool soak_took(const struct soak_draw *draw, const struct test_context *t, uint64_t microseconds);

/* Last failure on any processor, "circular@E2.laps: index is 3, not 2"; "" if there is none. */
const char *soak_last_failure(void);

/* Prints a line for each failed test, with its count. Returns true if no test failed. */
bool soak_sum_up(void);

/* --- on the processor that writes the log --- */

/* Call it regularly. Each minute prints a line, and one for each of the first processors. */
void soak_beat(void);

/* Prints the same at the end of the log. */
void soak_print_end(void);

/* Seconds since soak_begin(); seconds and microseconds until the end. */
uint64_t soak_seconds(void);
uint64_t soak_seconds_left(void);
uint64_t soak_left(void);

/* Sum of what all processors have done so far. */
struct soak_stats soak_sum(void);

/* Shows the soak on the screen, instead of the suites, from now on. */
void soak_screen_begin(void);

/* The soak of one processor, from its first draw to its result. tests: from which it draws; suffix:
 * of the suite's name; *number: number of the last suite, updated. A soak counts as one test. */
void soak_run(const struct selection *tests, const struct options *options, const char *suffix,
              unsigned *number);

#endif
