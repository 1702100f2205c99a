/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/row_check.h"

#include "tests/oracle/compare.h"
#include "tests/oracle/limit.h"
#include "tests/oracle/trace_check.h"

static struct run run_of(const struct row_run *row, size_t threshold)
{
    return (struct run){
        .debugctl = row->before,
        .layout = {.records = row->records, .threshold = threshold},
        .policy = PMI_COUNT,
        .interrupts_wanted = threshold != BTS_NO_THRESHOLD,
    };
}

void row_check_circular(struct test_context *t, const struct row_run *row)
{
    size_t capacity = limit_capacity(t, row->records, false);
    const struct run run = run_of(row, BTS_NO_THRESHOLD);
    const struct expected *expected;
    struct observation got;

    if (!run_program(t, row->program, &run, &got))
        return;
    expected = expected_of(t, row->program, row->after, NULL);
    if (expected)
        compare_circular(t, expected, got.records, capacity);
    EXPECT_COUNT(t, PMI, "interrupts without a threshold to reach", got.interrupts, 0);
    expect_no_stray_write(t, capacity);
}

void row_check_nearly_full(struct test_context *t, const struct row_run *row)
{
    const struct run run = run_of(row, row->threshold);
    struct observation got;

    if (!run_program(t, row->program, &run, &got))
        return;
    if (EXPECT_COUNT(t, PMI, "interrupts when the buffer is nearly full", got.interrupts, 1))
        EXPECT(t, PMI_EARLY, got.log->events[0].index >= row->threshold,
               "the interrupt came with %zu records stored, threshold %zu",
               got.log->events[0].index, row->threshold);
    trace_check(t, &run, &got);
}
