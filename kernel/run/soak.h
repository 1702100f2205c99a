/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A soak (duration=, repeat=forever): when each processor has run its tests once it goes on, with
 * tests that it draws, each with a seed and a repetition of its own, until the time is over. What
 * passes leaves no line. Each distinct failure is told once in full, with the command that brings
 * it back, and counted from then on; once a minute a line tells how far everybody is.
 */
#ifndef KERNEL_RUN_SOAK_H
#define KERNEL_RUN_SOAK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/report/context.h"
#include "kernel/settings.h"
#include "kernel/report/selection.h"
#include "kernel/report/tally.h"

#define SOAK_SUITE "soak" /* its result in the log */
#define SOAK_TEST  "drawn_tests"

/* What counts as one: a processor that is lost. */
void soak_end_by_failure(void);

/* What is drawn: the seed and the repetition with which the test runs once. */
struct soak_draw {
    const struct test *test;
    uint64_t seed, repetition;
    bool fills; /* its suite says that it fills_a_soak */
};

bool soak_is_wanted(const struct options *options);

/* … and a processor that runs these tests has one: there is something to draw. */
bool soak_draws_from(const struct options *options, const struct selection *tests);

/* The run has so many microseconds from now on, and this processor the first own of them, its first
 * tests included. */
void soak_begin(uint64_t microseconds, uint64_t own);

/* False: the time is over, or a failure has ended it for everybody (until=first-failure). */
bool soak_goes_on(const struct options *options);

/* tests: what is drawn from, not empty; all: with what is declared of their suites. Three
 * quarters of the time go to suites that fill_a_soak, where there are any. */
struct soak_draw soak_next(const struct selection *tests, const struct selection *all,
                           uint64_t seed);

/* It took so many microseconds, and this became of it. Whether to tell it: such a failure was not
 * there before. */
bool soak_took(const struct soak_draw *draw, const struct test_context *t, uint64_t microseconds);

/* "circular@E2.laps: index is 3, not 2": what failed last, on whichever processor; "": nothing. */
const char *soak_last_failure(void);

/* A line for each test that failed, with how often; whether there is none. */
bool soak_sum_up(void);

/* --- on the processor that writes the log --- */

/* Now and then: a line a minute, and one for each of the first processors. */
void soak_beat(void);

/* The same once more, for the end of the log. */
void soak_print_end(void);

/* Since soak_begin(), and until the end: seconds, or microseconds. SOAK_FOREVER: it has none. */
uint64_t soak_seconds(void);
uint64_t soak_seconds_left(void);
uint64_t soak_left(void);

/* What all processors together have done until now. */
struct tally soak_sum(void);

#endif
