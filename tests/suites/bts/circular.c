/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is the buffer circular with BTINT clear and the threshold above the absolute maximum: the oldest
 * record overwritten first, nothing outside touched, no interrupt?
 *
 * A sled of jumps makes exactly as many records as asked for, each different, so that the slot of
 * every one is known.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/compare.h"
#include "tests/spec/observe.h"

SUITE(circular, .order = -3);

#define RECORDS 16

static const struct run circular_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
    .layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD},
    .policy = PMI_COUNT,
};

/* Runs a program of exactly so many transfers, each with a record of its own. */
static void check_length(struct test_context *t, const struct run *run, size_t transfers)
{
    observe_run(t, program_of_length(transfers), run);
}

/* One record more than any reading of the absolute maximum has room for. */
TEST(circular, capacity_follows_absolute_maximum, CLAIMS("BTS-2", "BTS-3", "BTS-8", "DS-8"),
     NEEDS(BTS))
{
    struct run run = circular_run;

    for (run.layout.records = 2; run.layout.records <= 64; run.layout.records *= 2)
        for (unsigned plus_one = 0; plus_one <= 1; plus_one++) {
            run.layout.maximum_plus_one = plus_one;
            check_length(t, &run, run.layout.records + 2);
        }
}

TEST(circular, laps, CLAIMS("BTS-2", "BTS-3", "BTS-8", "T17-6.3"), NEEDS(BTS))
{
    size_t lap = limit_capacity(t, RECORDS, false);
    const struct {
        const char *name;
        size_t transfers;
    } cases[] = {
        {"two_records", 2},
        {"one_short_of_a_lap", lap - 1},
        {"exactly_one_lap", lap},
        {"one_more_than_a_lap", lap + 1},
        {"one_short_of_two_laps", 2 * lap - 1},
        {"exactly_two_laps", 2 * lap},
        {"one_more_than_two_laps", 2 * lap + 1},
        {"several_laps", 7 * lap + 5},
    };

    TEST_EACH(t, row, cases, "BTS-3", "%s", row->name)
        check_length(t, &circular_run, row->transfers);
}

TEST(circular, every_length_up_to_three_laps, CLAIMS("BTS-1", "BTS-3", "BTS-8", "BTS-2"),
     NEEDS(BTS))
{
    struct run run = circular_run;

    run.layout.records = 5;
    for (size_t transfers = PROGRAM_SLED_EXTRA; transfers <= 16 && !test_has_failed(t); transfers++)
        check_length(t, &run, transfers);
}

TEST(circular, absolute_maximum_plus_one, CLAIMS("BTS-3", "BTS-8", "BTS-2"), NEEDS(BTS))
{
    struct run run = circular_run;
    size_t lap = limit_capacity(t, RECORDS, true);

    run.layout.maximum_plus_one = true;
    check_length(t, &run, lap - 1);
    check_length(t, &run, lap);
    check_length(t, &run, lap + 1);
}

/* The smallest that the manual allows (F3.24): a record and a byte. Each record is the newest. */
TEST(circular, room_for_one_record, CLAIMS("BTS-2", "BTS-3", "BTS-8"), NEEDS(BTS))
{
    struct run run = circular_run;

    run.layout.records = 1;
    run.layout.maximum_plus_one = true;
    for (size_t transfers = PROGRAM_SLED_EXTRA; transfers <= 9 && !test_has_failed(t); transfers++)
        check_length(t, &run, transfers);
}

/* More than 16 bits count, and a multiple of no capacity that RECORDS can mean. */
#define LONG_TURNS 70000u

/* Only the youngest records are left, but a lost or doubled one among all moves them. */
static void check_long_loop(struct test_context *t, const struct workload *workload)
{
    size_t capacity = limit_capacity(t, RECORDS, false);

    observe_run(t, program_of_long_loop(workload, LONG_TURNS, capacity), &circular_run);
}

TEST(circular, many_thousand_records, CLAIMS("BTS-1", "BTS-3", "BTS-8", "BTS-2"),
     NEEDS(BTS, SYSCALL))
{
    test_plan(t, 2);
    test_begin(t, "BTS-1", "in_ring_0");
    check_long_loop(t, &workload_long_loop);
    test_end(t);
    test_begin(t, "BTS-1", "in_ring_3");
    check_long_loop(t, &workload_long_loop_user);
    test_end(t);
}

/* An index of 16 bits would not get there. */
TEST(circular, buffer_larger_than_64_kib, CLAIMS("BTS-2", "BTS-3", "BTS-8"), NEEDS(BTS))
{
    struct run run = circular_run;

    run.layout.records = BTS_RECORDS_MAX;
    test_plan(t, 2);
    test_begin(t, "BTS-2", "across_64_kib");
    run.first = (1u << 16) / BTS_RECORD_SIZE - RECORDS / 2;
    check_length(t, &run, RECORDS);
    test_end(t);
    test_begin(t, "BTS-3", "around_the_end");
    run.first = BTS_RECORDS_MAX - RECORDS / 2;
    check_length(t, &run, RECORDS);
    test_end(t);
}

/* Rounds that fill the buffer once, and that go around its end twice. */
#define ROUNDS_ONCE  4
#define ROUNDS_TWICE 9

static void check_each_of_rounds(struct test_context *t, const struct run *run, size_t rounds)
{
    static struct bts_record got[PROGRAM_TRANSFERS_MAX];
    size_t capacity = limit_capacity(t, run->layout.records, false);
    size_t end = PROGRAM_ROUNDS_TRANSFERS(rounds), number = end > capacity ? end - capacity : 0;

    while (number < end && !test_has_failed(t)) {
        const struct program *program = program_of_rounds(rounds, number);
        const struct expected *expected = expected_of(t, program, run->debugctl, NULL);

        test_note(t, "from transfer %zu on, of %zu", number, end);
        for (size_t i = 0; i < program->count; i++)
            got[i] = bts_records()[(run->first + number + i) % capacity];
        if (expected && compare_records(t, expected, got, program->count) == UNLIKE)
            test_breaks(t, "BTS-2");
        number += program->count;
    }
}

/* Into a buffer of thousands of records: each of them is where and what it must be. */
static void check_thousands(struct test_context *t, const struct run *run, size_t rounds)
{
    size_t end = PROGRAM_ROUNDS_TRANSFERS(rounds);

    if (!observe_run(t, program_of_rounds(rounds, end - PROGRAM_TRANSFERS_MAX), run))
        return;
    check_each_of_rounds(t, run, rounds);
    EXPECT(t, STRAY_WRITE, bts_bytes_are_poison(0, run->first * BTS_RECORD_SIZE),
           "a record before the index that the run began with was written");
}

/* Nothing is written meanwhile to IA32_DEBUGCTL or to the index. */
TEST(circular, buffer_of_thousands_of_records,
     CLAIMS("BTS-1", "BTS-2", "BTS-3", "BTS-8", "T17-6.3", "T17-6.7"), NEEDS(BTS))
{
    struct run run = circular_run;

    run.layout.large = true;
    run.layout.records = BTS_LARGE_RECORDS_MAX;
    run.hold_off_interrupts = true;
    test_plan(t, 2);
    test_begin(t, "BTS-3", "twice_around_the_end");
    check_thousands(t, &run, ROUNDS_TWICE);
    test_end(t);
    run.debugctl |= DEBUGCTL_BTINT;
    run.first =
        limit_capacity(t, run.layout.records, false) - PROGRAM_ROUNDS_TRANSFERS(ROUNDS_ONCE);
    test_begin(t, "T17-6.7", "filled_to_the_last_with_btint");
    check_thousands(t, &run, ROUNDS_ONCE);
    test_end(t);
}

#define PREDICTED      (1ull << 4) /* of a record's flags (F3.11) */
#define WARMING_ROUNDS 2
#define COUNTED_ROUNDS 8

/* The same branches again and again, so that a predictor knows them: how many does it say it knew?
 */
static void learn_predicted(struct test_context *t)
{
    struct run run = circular_run;
    struct observation got = {0};
    size_t predicted = 0, all = 0;

    run.layout.records = 256;
    for (unsigned round = 0; round < WARMING_ROUNDS + COUNTED_ROUNDS; round++) {
        if (!observe(t, program_of_workload(&workload_near_branches), &run, &got))
            return;
        all += round < WARMING_ROUNDS ? 0 : got.count;
        for (size_t i = 0; i < got.count && round >= WARMING_ROUNDS; i++)
            predicted += !!(got.records[i].flags & PREDICTED);
    }
    if (all)
        choice_learn(t, CHOICE_PREDICTED,
                     !predicted                 ? VALUE_NEVER
                     : predicted >= all * 3 / 4 ? VALUE_MOSTLY
                                                : VALUE_MIXED);
}

TEST(circular, whole_buffer_memory, CLAIMS("BTS-3", "BTS-8", "BTS-2"), NEEDS(BTS))
{
    struct run run = circular_run;

    run.layout.records = 1000; /* several pages; records that lie across page boundaries */
    check_length(t, &run, SLED_LENGTH);
    learn_predicted(t);
}

TEST(circular, threshold_above_maximum_prevents_interrupt, CLAIMS("BTS-4"), NEEDS(BTS, PMI))
{
    struct run run = circular_run;

    run.layout.records = 4;
    check_length(t, &run, SLED_LENGTH); /* hundreds of laps */
}

/* The manual promises nothing here (D 4), so this reports; what it checks is that the records stay
 * right. */
TEST(circular, threshold_inside_with_btint_clear, CLAIMS("BTS-3"), NEEDS(BTS, PMI))
{
    struct run run = circular_run;
    struct observation got;

    run.layout.threshold = RECORDS / 2;
    if (observe(t, program_of_length(3 * RECORDS), &run, &got))
        choice_learn(t, CHOICE_BTINT_CLEAR_INTERRUPTS, got.interrupts ? VALUE_YES : VALUE_NO);
}

TEST(circular, refuses_a_buffer_below_the_minimum, CLAIMS("BTS-7"), NEEDS())
{
    const struct {
        struct bts_layout layout;
        const char *what;
        bool refused;
    } cases[] = {
        {{.records = 0, .threshold = BTS_NO_THRESHOLD}, "no record", true},
        {{.records = 1, .threshold = BTS_NO_THRESHOLD}, "one record", true},
        {{.records = 1, .threshold = BTS_NO_THRESHOLD, .maximum_plus_one = true},
         "one record plus one byte",
         false},
        {{.records = 2, .threshold = BTS_NO_THRESHOLD}, "two records", false},
        {{.records = BTS_RECORDS_MAX + 1, .threshold = BTS_NO_THRESHOLD}, "more than fits", true},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool refused = bts_refusal(&cases[i].layout) != NULL;

        test_checked(t); /* the claim is one about software */
        EXPECT(t, SETUP, refused == cases[i].refused, "a buffer of %s is %s", cases[i].what,
               refused ? "refused" : "accepted");
    }
}
