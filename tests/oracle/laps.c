/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/laps.h"

#include "tests/oracle/choices.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/limit.h"

static void expect_index(struct test_context *t, size_t index, size_t stored, size_t capacity)
{
    size_t left_over = stored % capacity;

    if (left_over || !stored) {
        EXPECT_EQUAL(t, INDEX, "BTS index, in records", index, left_over);
        return;
    }
    /* F3.25a: both are allowed, but always the same one. */
    if (choice_of(CHOICE_WRAP) == VALUE_UNKNOWN && (index == 0 || index == capacity))
        choice_learn(t, CHOICE_WRAP, index == 0 ? VALUE_EAGER : VALUE_LAZY);
    EXPECT_EQUAL(t, INDEX, "BTS index after whole laps, in records", index,
                 choice_of(CHOICE_WRAP) == VALUE_LAZY ? capacity : 0);
}

void laps_check(struct test_context *t, const struct run *run, size_t transfers)
{
    const struct program *program = program_of_length(transfers);
    size_t capacity = 0;
    const struct expected *expected;
    struct observation got;

    if (!run_program(t, program, run, &got))
        return;
    capacity = limit_known_capacity(run->layout.records, run->layout.maximum_plus_one);
    expected = expected_of(t, program, run->debugctl, NULL);
    if (expected)
        compare_circular(t, expected, got.records, capacity);
    expect_index(t, got.index, transfers, capacity);
    EXPECT_COUNT(t, PMI, "interrupts", got.interrupts, 0);
    expect_no_stray_write(t, transfers < capacity ? transfers : capacity);
}
