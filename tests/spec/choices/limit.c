/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/choices/limit.h"

#include "arch/trace/debugctl.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/store.h"

/* More than any reading has room for, and a multiple of no capacity that the buffer can have. */
#define TRANSFERS (LIMIT_RECORDS + 3)

/* Returns how many records the buffer holds behind a run. */
static size_t measure(struct test_context *t, bool maximum_plus_one)
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = LIMIT_RECORDS,
                   .threshold = BTS_NO_THRESHOLD,
                   .maximum_plus_one = maximum_plus_one},
        .policy = PMI_COUNT,
    };
    struct observation got;
    size_t written = 0;

    if (!run_program(t, program_of_length(TRANSFERS), &run, &got))
        return 0;
    while (written < TRANSFERS && !bts_record_is_poison(written))
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
        if (written == capacity_by(limits[i], LIMIT_RECORDS, false) &&
            written_plus_one == capacity_by(limits[i], LIMIT_RECORDS, true))
            choice_learn(t, CHOICE_LIMIT, limits[i]);
    if (choice_of(CHOICE_LIMIT) == VALUE_UNKNOWN)
        FIND(t, INDEX,
             "a buffer of %u records holds %zu, and %zu with one byte more: no reading of "
             "the absolute maximum allows that",
             LIMIT_RECORDS, written, written_plus_one);
}

size_t limit_capacity(struct test_context *t, size_t records, bool maximum_plus_one)
{
    limit_learn(t);
    return capacity_by(choice_of(CHOICE_LIMIT), records, maximum_plus_one);
}

bool limit_run(struct test_context *t, size_t transfers, uint64_t debugctl, size_t threshold,
               struct observation *got)
{
    const struct run run = {
        .debugctl = debugctl,
        .hold_off_interrupts = true,
        .layout = {.records = LIMIT_RECORDS, .threshold = threshold},
        .policy = PMI_COUNT,
    };

    return run_program(t, program_of_length(transfers), &run, got);
}

void limit_learn_full(struct test_context *t)
{
    const uint64_t debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;
    size_t capacity = limit_capacity(t, LIMIT_RECORDS, false);
    struct observation got;

    if (choice_of(CHOICE_FULL) == VALUE_UNKNOWN &&
        limit_run(t, TRANSFERS, debugctl, BTS_NO_THRESHOLD, &got))
        choice_learn(t, CHOICE_FULL, got.index == capacity ? VALUE_DROPS : VALUE_WRAPS);
}
