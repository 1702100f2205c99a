/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer that was filled with BTINT set and turns circular when BTINT is cleared: do the records
 * that come then begin at the base, each of them, and replace the oldest ones alone (F5.5, F5.6)?
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/geometry_check.h"
#include "tests/oracle/limit.h"
#include "tests/run/run.h"

#define RECORDS  6
#define CIRCULAR (DEBUGCTL_TR | DEBUGCTL_BTS)
#define DROPPED  3 /* records that find the buffer full */

static const struct run filling_run = {
    .debugctl = CIRCULAR | DEBUGCTL_BTINT,
    .layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD},
    .policy = PMI_COUNT,
    .hold_off_interrupts = true,
};

/* Where the next record goes after so many with BTINT set, more or as many as fit. */
static size_t start_after(size_t stored, size_t capacity)
{
    return choice_of(CHOICE_FULL) == VALUE_WRAPS ? stored % capacity : 0;
}

/* The index is where the next record goes; at the end, or back at the base already (F3.25a). */
static void expect_index(struct test_context *t, size_t end, size_t capacity)
{
    size_t index = bts_index();

    EXPECT_EQUAL(t, INDEX, "BTS index, in records around the buffer", index == capacity ? 0 : index,
                 end % capacity);
}

/* The slots in the order in which records go into them. */
static void turn(struct bts_record *turned, const struct bts_record *slots, size_t start,
                 size_t capacity)
{
    for (size_t i = 0; i < capacity; i++)
        turned[i] = slots[start + i < capacity ? start + i : start + i - capacity];
}

/* The program's records, from this slot on; the others are as they were. */
static void expect_records(struct test_context *t, const struct program *program, size_t start,
                           size_t capacity, const struct bts_record *before)
{
    struct bts_record now[RECORDS + 1], former[RECORDS + 1];
    const struct expected *expected = expected_of(t, program, CIRCULAR, NULL);

    turn(now, bts_records(), start, capacity);
    turn(former, before, start, capacity);
    if (expected)
        compare_circular(t, expected, now, capacity);
    for (size_t i = program->count; i < capacity; i++)
        EXPECT(t, RECORD_TO, __builtin_memcmp(&now[i], &former[i], sizeof now[i]) == 0,
               "record %zu after the new ones is not what the full buffer held", i);
}

/* So many records with BTINT set; off; so many with BTINT clear. */
static void check_turned(struct test_context *t, size_t filled, size_t transfers, size_t capacity)
{
    const struct run again = {.debugctl = CIRCULAR, .hold_off_interrupts = true};
    const struct program *program = program_of_length(filled);
    struct bts_record before[RECORDS + 1];
    size_t start = start_after(filled, capacity);
    struct observation got;

    test_note(t, "%zu transfers with BTINT set, then %zu with BTINT clear", filled, transfers);
    if (!run_program(t, program, &filling_run, &got))
        return;
    __builtin_memcpy(before, bts_records(), sizeof before);
    program = program_of_length(transfers);
    if (!run_program(t, program, &again, &got))
        return;
    expect_index(t, start + transfers, capacity);
    expect_records(t, program, start, capacity, before);
    expect_no_stray_write(t, capacity);
}

static void check_between_runs(struct test_context *t, size_t capacity)
{
    for (size_t filled = capacity; filled <= capacity + DROPPED; filled += DROPPED)
        for (size_t transfers = PROGRAM_SLED_EXTRA;
             transfers <= 2 * capacity + 1 && !test_has_failed(t); transfers++)
            check_turned(t, filled, transfers, capacity);
}

static const struct program *program_of_rows(const struct program *whole, size_t first, size_t end)
{
    static struct program part;

    part = *whole;
    part.count = end - first;
    __builtin_memcpy(part.truth, whole->truth + first, part.count * sizeof part.truth[0]);
    return &part;
}

static void check_second_half(struct test_context *t, const struct program *program, size_t first,
                              size_t capacity)
{
    const struct program *half = program_of_rows(program, first, program->count);
    size_t start = start_after(first, capacity);

    expect_index(t, start + half->count, capacity);
    expect_records(t, half, start, capacity, bts_records());
    expect_no_stray_write(t, capacity);
}

/* One program clears BTINT half way; TR and BTS stay set. */
static void check_within_a_run(struct test_context *t, size_t capacity)
{
    static struct program program;
    size_t first_half = 1 + (size_t)(switched_truth - workload_switched.truth); /* and the CALL */
    struct observation got;

    program = *program_of_workload(&workload_switched);
    program.argument = CIRCULAR;
    if (first_half < capacity)
        test_fail(t, "the first half does not fill the buffer");
    else if (run_program(t, &program, &filling_run, &got))
        check_second_half(t, &program, first_half, capacity);
}

TEST(circular, full_buffer_turns_circular, CLAIMS("BTS-3", "BTS-6", "BTS-8", "T17-6.3"),
     NEEDS(BTS, SYSCALL))
{
    size_t capacity = limit_capacity(t, RECORDS, false);

    if (!geometry_learn(t) || !capacity)
        return;
    test_plan(t, 2);
    test_begin(t, "BTS-3", "off_between");
    check_between_runs(t, capacity);
    test_end(t);
    test_begin(t, "T17-6.3", "on_all_the_time");
    check_within_a_run(t, capacity);
    test_end(t);
}
