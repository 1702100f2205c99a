/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a test that failed fail always, or now and then? It runs again with the same seed, and the
 * log has one line about that (retest=N). Nothing else of these runs is printed or counts.
 */
#ifndef KERNEL_RUN_RETEST_H
#define KERNEL_RUN_RETEST_H

#include "kernel/run/attempts.h"
#include "kernel/settings.h"

#define RETEST_LEAST 2000000u  /* microseconds that a run has for it, and half of all else */
#define RETEST_MOST  20000000u /* for one test: the lab that follows the log hears nothing */

struct retest {
    uint64_t runs, failures;
};

/* Runs the test `times` times more, or until a run that takes as long as the longest would end
 * after `limit` microseconds. estimate: microseconds of the first. The result of attempts_run() is
 * another one afterwards. */
struct retest retest_run(const struct test *test, struct attempts attempts, const char *cpu_label,
                         uint64_t times, uint64_t limit, uint64_t estimate);

/* Starts the run's clock, on each processor that runs tests. */
void retest_begin(void);

/* Runs again what has failed, and prints how often it failed then: "# retest: failed 1 of 3". All
 * tests together take RETEST_LEAST and a half of the time of everything else; if that is used up,
 * the line says so. `failed` is another test afterwards. */
void retest_print(const struct test_context *failed, const struct options *options);

#endif
