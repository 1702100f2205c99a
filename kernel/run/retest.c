/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/run/retest.h"

#include "kernel/machine/time.h"
#include "kernel/report/ktap.h"

#define MICROSECONDS 1000000u
#define SHARE        2u /* the others have so many times as much */

static uint64_t begun, spent; /* TSC; microseconds of all retests */

struct retest retest_run(const struct test *test, struct attempts attempts, const char *cpu_label,
                         uint64_t times, uint64_t limit, uint64_t estimate)
{
    uint64_t start = time_now(), before = 0, longest = estimate;
    struct retest all = {0};

    attempts.is_retest = true;
    ktap_mute(true);
    while (all.runs < times && before + longest < limit) {
        const struct test_context *t = attempts_run(test, &attempts, cpu_label);
        uint64_t now = time_microseconds_since(start);

        if (t->starved && !t->unexpected)
            break;
        all.runs++;
        all.failures += t->unexpected;
        if (now - before > longest)
            longest = now - before;
        before = now;
    }
    ktap_mute(false);
    return all;
}

void retest_begin(void)
{
    begun = time_now();
    spent = 0;
}

/* Microseconds that the next test may have. */
static uint64_t time_left(void)
{
    uint64_t all = (time_microseconds_since(begun) - spent) / SHARE + RETEST_LEAST;
    uint64_t left = all > spent ? all - spent : 0;

    return left < RETEST_MOST ? left : RETEST_MOST;
}

static void print(const struct retest *all, uint64_t times)
{
    if (all->runs == 0)
        ktap_comment(LEVEL_TEST, "retest: none, no time for it");
    else
        ktap_comment(LEVEL_TEST, "retest: failed %lu of %lu%s", all->failures, all->runs,
                     all->runs < times ? ", no time for more" : "");
}

void retest_print(const struct test_context *failed, const struct options *options)
{
    const struct attempts attempts = {.seed = options->seed,
                                      .first = failed->repetition,
                                      .count = 1,
                                      .timeout = options->timeout};
    uint64_t start = time_now(), estimate = failed->hung ? options->timeout * MICROSECONDS : 0;
    struct retest all;

    if (options->retest == 0)
        return;
    all = retest_run(failed->test, attempts, failed->cpu_label, options->retest, time_left(),
                     estimate);
    spent += time_microseconds_since(start);
    print(&all, options->retest);
}
