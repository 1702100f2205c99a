/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/limit.h"

#include "arch/trace/debugctl.h"
#include "tests/run/run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/store.h"

#define MEASURED_RECORDS 8

/* Stores more records than any reading has room for. Returns how many the buffer then holds. */
static size_t measure(struct test_context *t, bool maximum_plus_one)
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = MEASURED_RECORDS,
                   .threshold = BTS_NO_THRESHOLD,
                   .maximum_plus_one = maximum_plus_one},
        .policy = PMI_COUNT,
    };
    struct observation got;
    size_t written = 0;

    if (!run_program(t, program_of_length(MEASURED_RECORDS + 3), &run, &got))
        return 0;
    while (written < MEASURED_RECORDS + 3 && !bts_record_is_poison(written))
        written++;
    return written;
}

static size_t capacity_by(enum choice_value limit, size_t records, bool maximum_plus_one)
{
    const struct store store = {.maximum = records * BTS_RECORD_SIZE + maximum_plus_one};

    return store_capacity_by(&store, limit);
}

void limit_learn(struct test_context *t)
{
    static const enum choice_value limits[] = {VALUE_INDEX_BELOW, VALUE_FITS, VALUE_FITS_STRICTLY};
    size_t written, written_plus_one;

    if (choice_of(CHOICE_LIMIT) != VALUE_UNKNOWN)
        return;
    written = measure(t, false);
    written_plus_one = measure(t, true);

    for (size_t i = 0; i < COUNT_OF(limits); i++)
        if (written == capacity_by(limits[i], MEASURED_RECORDS, false) &&
            written_plus_one == capacity_by(limits[i], MEASURED_RECORDS, true))
            choice_learn(t, CHOICE_LIMIT, limits[i]);
    if (choice_of(CHOICE_LIMIT) == VALUE_UNKNOWN)
        FIND(t, INDEX,
             "a buffer of %u records holds %zu, and %zu with one byte more: no reading of "
             "the absolute maximum allows that",
             MEASURED_RECORDS, written, written_plus_one);
}

size_t limit_capacity(struct test_context *t, size_t records, bool maximum_plus_one)
{
    limit_learn(t);
    return capacity_by(choice_of(CHOICE_LIMIT), records, maximum_plus_one);
}

#define TRANSFERS (MEASURED_RECORDS + 3) /* a multiple of no capacity that the buffer can have */

void limit_learn_full(struct test_context *t)
{
    size_t capacity = limit_capacity(t, MEASURED_RECORDS, false);
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
        .layout = {.records = MEASURED_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .hold_off_interrupts = true,
    };
    struct observation got;

    if (choice_of(CHOICE_FULL) == VALUE_UNKNOWN &&
        run_program(t, program_of_length(TRANSFERS), &run, &got))
        choice_learn(t, CHOICE_FULL, got.index == capacity ? VALUE_DROPS : VALUE_WRAPS);
}
