/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the comparison engine see every kind of difference? Traces are made up from a program's own
 * truth, spoilt in one way each, and judged in a scratch context; no processor feature is involved.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "arch/lib/string.h"
#include "kernel/report/test.h"
#include "tests/spec/bts_check.h"
#include "tests/spec/store.h"

#define TRANSFERS 12
#define CAPACITY  5

static struct test_context scratch;
static struct bts_record trace[TRANSFERS + 1];

static const struct expected *perfect_trace(struct test_context *t)
{
    const struct expected *expected =
        expected_of(t, program_of_length(TRANSFERS), DEBUGCTL_TR | DEBUGCTL_BTS, NULL);

    for (size_t i = 0; expected && i < TRANSFERS; i++)
        trace[i] = (struct bts_record){.from = expected->records[i].transfer.from,
                                       .to = expected->records[i].transfer.to};
    return expected;
}

static void leave_out(size_t number)
{
    memmove(trace + number, trace + number + 1, (TRANSFERS - number) * sizeof trace[0]);
}

static void repeat(size_t number)
{
    memmove(trace + number + 1, trace + number, (TRANSFERS - number) * sizeof trace[0]);
}

static void swap_with_next(size_t number)
{
    struct bts_record kept = trace[number];

    trace[number] = trace[number + 1];
    trace[number + 1] = kept;
}

static void swap_from_and_to(size_t number)
{
    struct bts_record kept = trace[number];

    trace[number].from = kept.to;
    trace[number].to = kept.from;
}

static void shift_from(size_t number)
{
    trace[number].from++;
}

static void shift_to(size_t number)
{
    trace[number].to--;
}

static void repeat_from_of_previous(size_t number)
{
    trace[number].from = trace[number - 1].from;
}

static const struct {
    const char *name;
    void (*spoil)(size_t number);
    int count_change;
} spoilers[] = {
    {"a record left out", leave_out, -1},
    {"a record doubled", repeat, 1},
    {"two records swapped", swap_with_next, 0},
    {"FROM and TO swapped", swap_from_and_to, 0},
    {"FROM one byte late", shift_from, 0},
    {"TO one byte early", shift_to, 0},
    {"FROM of the record before", repeat_from_of_previous, 0},
};

static bool judges_equal(const struct expected *expected, size_t count)
{
    return compare_records(&scratch, expected, trace, count) != UNLIKE &&
           !test_has_failed(&scratch);
}

static void start_scratch(const struct test_context *t)
{
    context_start(&scratch, t->test, 0, 1);
    scratch.no_excuse = true; /* it judges the judge, not the processor */
}

SELFTEST(selftest, comparison_accepts_the_truth, CLAIMS("BTS-1"), NEEDS())
{
    const struct expected *expected = perfect_trace(t);

    start_scratch(t);
    EXPECT(t, SETUP, expected && judges_equal(expected, TRANSFERS), "a perfect trace was refused");
}

SELFTEST(selftest, comparison_finds_every_difference, CLAIMS("BTS-1"), NEEDS())
{
    for (size_t i = 0; i < COUNT_OF(spoilers); i++) {
        for (size_t number = 1; number + 1 < TRANSFERS; number++) {
            const struct expected *expected = perfect_trace(t);

            spoilers[i].spoil(number);
            start_scratch(t);
            EXPECT(t, SETUP,
                   expected &&
                       !judges_equal(expected, (size_t)(TRANSFERS + spoilers[i].count_change)) &&
                       test_has_failed(&scratch),
                   "%s at record %zu was not seen", spoilers[i].name, number);
        }
    }
}

SELFTEST(selftest, comparison_finds_a_short_and_a_long_trace, CLAIMS("BTS-1"), NEEDS())
{
    const struct expected *expected = perfect_trace(t);

    for (size_t count = 0; expected && count < TRANSFERS; count++) {
        start_scratch(t);
        EXPECT(t, SETUP, !judges_equal(expected, count), "%zu of %u records were taken for all",
               count, TRANSFERS);
    }
    trace[TRANSFERS] = trace[TRANSFERS - 1];
    start_scratch(t);
    EXPECT(t, SETUP, expected && !judges_equal(expected, TRANSFERS + 1),
           "one record more was not seen");
}

/* A run that ended with these records in a buffer, and its judgement. */
static bool judges_buffer(const struct program *program, struct bts_record *slots, size_t capacity)
{
    const struct run run = {.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
                            .layout = {.records = capacity, .threshold = BTS_NO_THRESHOLD},
                            .policy = PMI_COUNT};
    const struct pmi_log log = {.policy = PMI_COUNT};
    const uint64_t base = (uint64_t)slots, maximum = base + CAPACITY * BTS_RECORD_SIZE;
    const struct observation seen = {.program = program,
                                     .log = &log,
                                     .before.area = {.bts_buffer_base = base,
                                                     .bts_index = base,
                                                     .bts_absolute_maximum = maximum,
                                                     .bts_interrupt_threshold = maximum + 1}};

    return bts_check_records(&scratch, &run, &seen) != UNLIKE;
}

SELFTEST(selftest, comparison_of_a_circular_buffer, CLAIMS("BTS-3"), NEEDS())
{
    const struct store store = {.maximum = CAPACITY * BTS_RECORD_SIZE};
    size_t capacity = store_capacity_by(&store, choice_of(CHOICE_LIMIT));
    const struct program *program = program_of_length(TRANSFERS);
    struct bts_record slots[CAPACITY];

    perfect_trace(t);
    for (size_t i = 0; i < TRANSFERS; i++)
        slots[i % capacity] = trace[i];
    start_scratch(t);
    EXPECT(t, SETUP, judges_buffer(program, slots, capacity),
           "a perfect circular buffer was refused");
    for (size_t i = 0; i < capacity; i++) {
        struct bts_record kept = slots[i];

        slots[i] = trace[i]; /* the lap before */
        EXPECT(t, SETUP, !judges_buffer(program, slots, capacity),
               "an old record in slot %zu was not seen", i);
        slots[i] = kept;
    }
}
