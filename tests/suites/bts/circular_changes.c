/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A buffer that was filled with BTINT set and turns circular when BTINT is cleared: do the records
 * that come then begin at the base, each of them, and replace the oldest ones alone (F5.5, F5.6)?
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/observe.h"

#define RECORDS  6
#define CIRCULAR (DEBUGCTL_TR | DEBUGCTL_BTS)
#define DROPPED  3 /* records that find the buffer full */

static const struct run filling_run = {
    .debugctl = CIRCULAR | DEBUGCTL_BTINT,
    .layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD},
    .policy = PMI_COUNT,
    .hold_off_interrupts = true,
};

/* So many records with BTINT set; off; so many with BTINT clear. */
static void check_turned(struct test_context *t, size_t filled, size_t transfers)
{
    const struct run again = {.debugctl = CIRCULAR, .hold_off_interrupts = true};

    test_note(t, "%zu transfers with BTINT set, then %zu with BTINT clear", filled, transfers);
    if (observe_run(t, program_of_length(filled), &filling_run))
        observe_run(t, program_of_length(transfers), &again);
}

static void check_between_runs(struct test_context *t, size_t capacity)
{
    for (size_t filled = capacity; filled <= capacity + DROPPED; filled += DROPPED)
        for (size_t transfers = PROGRAM_SLED_EXTRA;
             transfers <= 2 * capacity + 1 && !test_has_failed(t); transfers++)
            check_turned(t, filled, transfers);
}

/* One program clears BTINT half way; TR and BTS stay set. */
static void check_within_a_run(struct test_context *t, size_t capacity)
{
    static struct program program;

    program = *program_of_workload(&workload_switched);
    program.argument = CIRCULAR;
    if (program_write(&program).before < capacity)
        test_fail(t, "the first half does not fill the buffer");
    else
        observe_run(t, &program, &filling_run);
}

TEST(circular, full_buffer_turns_circular, CLAIMS("BTS-3", "BTS-6", "BTS-8", "T17-6.3"),
     NEEDS(BTS, SYSCALL))
{
    size_t capacity = limit_capacity(t, RECORDS, false);

    if (!capacity)
        return;
    test_plan(t, 2);
    test_begin(t, "BTS-3", "off_between");
    check_between_runs(t, capacity);
    test_end(t);
    test_begin(t, "T17-6.3", "on_all_the_time");
    check_within_a_run(t, capacity);
    test_end(t);
}
