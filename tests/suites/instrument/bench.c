/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many taken branches a second, and with each of them recorded, or stepped? Run when named.
 *
 * One branch is taken again and again: a LOOP, nothing else. The quickest of some runs counts, as
 * whatever comes in between only takes longer. Each rate is a line of the log,
 * `# bench: bts 25.3 M records/s`.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/ktap.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/spec/observe.h"
#include "tests/step/stepper.h"

SUITE(bench, .order = 10);

#define RUNS          5
#define LEAST         20000 /* microseconds that a run takes */
#define TURNS_FIRST   20000u
#define TURNS_STEPPED (PROGRAM_TRANSFERS_MAX - 8)
#define TENTHS        10 /* rates have one digit behind the point */

/* What takes so many branches; false: it has failed. */
typedef bool (*laps)(struct test_context *t, const struct run *how, uint64_t turns,
                     uint64_t *ticks);

static uint64_t microseconds(uint64_t ticks)
{
    return ticks / time_tsc_per_microsecond();
}

/* In tenths of a million a second. */
static uint64_t rate_of(uint64_t turns, uint64_t ticks)
{
    return ticks ? turns * TENTHS * time_tsc_per_microsecond() / ticks : 0;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* So many turns that a run is long beside a tick of the clock, and what is around the loop. */
static uint64_t quickest(struct test_context *t, laps laps, const struct run *how)
{
    uint64_t turns = TURNS_FIRST, ticks = 0, best = 0;

    while (microseconds(ticks) < LEAST) {
        if (!laps(t, how, turns, &ticks) || test_is_late())
            return 0;
        turns *= microseconds(ticks) < LEAST ? 2 : 1;
    }
    for (unsigned i = 0; i < RUNS && !test_is_late(); i++) {
        if (!laps(t, how, turns, &ticks))
            return 0;
        best = greater(best, rate_of(turns, ticks));
    }
    return best;
}

/* The last turn's LOOP is not taken; the bracket's CALL and the RET are, instead. */
static bool loop(struct test_context *t, const struct run *how, uint64_t turns, uint64_t *ticks)
{
    struct run run = *how;
    struct observation seen;

    run.entry = workload_long_loop.entry;
    run.argument = turns;
    if (!observe(t, NULL, &run, &seen))
        return false;
    *ticks = seen.tsc_after - seen.tsc_before;
    return true;
}

/* No more turns at once than the stepper has room for. */
static bool step(struct test_context *t, const struct run *how, uint64_t turns, uint64_t *ticks)
{
    static struct transfer rows[PROGRAM_TRANSFERS_MAX];
    const struct program *program =
        program_of_long_loop(&workload_long_loop, TURNS_STEPPED, PROGRAM_TRANSFERS_MAX);
    uint64_t start = time_now();
    struct stepper_result result;

    (void)how;
    for (uint64_t done = 0; done < turns; done += TURNS_STEPPED)
        if (!stepper_run(program, rows, PROGRAM_TRANSFERS_MAX, STEPPER_STEPS_MAX, &result)) {
            stepper_report(t, &result);
            return false;
        }
    *ticks = time_now() - start;
    return true;
}

static void measure(struct test_context *t, const char *name, const char *of, laps laps,
                    const struct run *how)
{
    uint64_t rate = quickest(t, laps, how);

    if (!test_has_failed(t))
        ktap_comment(LEVEL_TEST, "bench: %s %lu.%lu M %s/s", name, rate / TENTHS, rate % TENTHS,
                     of);
}

TEST_ON_REQUEST(bench, off, CLAIMS(), NEEDS())
{
    measure(t, "off", "branches", loop, &(struct run){.once = true});
}

TEST_ON_REQUEST(bench, bts, CLAIMS(), NEEDS(BTS))
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = BTS_RECORDS_MAX, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .once = true,
    };

    measure(t, "bts", "records", loop, &run);
}

TEST_ON_REQUEST(bench, lbr, CLAIMS(), NEEDS(LBR))
{
    measure(t, "lbr", "records", loop, &(struct run){.debugctl = DEBUGCTL_LBR, .once = true});
}

TEST_ON_REQUEST(bench, stepped, CLAIMS(), NEEDS())
{
    measure(t, "stepped", "branches", step, NULL);
}
