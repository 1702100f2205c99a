/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/limit.h"

#include "arch/trace/debugctl.h"
#include "tests/oracle/choices.h"
#include "tests/run/run.h"

#define MEASURED_RECORDS 8

size_t limit_measure(struct test_context *t, size_t records, bool maximum_plus_one)
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = records,
                   .threshold = BTS_NO_THRESHOLD,
                   .maximum_plus_one = maximum_plus_one},
        .policy = PMI_COUNT,
    };
    struct observation got;
    size_t written = 0;

    if (!run_program(t, program_of_length(records + 3), &run, &got))
        return 0;
    while (written < records + 3 && !bts_record_is_poison(written))
        written++;
    return written;
}

/* Whole records, for absolute maximum = base + records, or one byte more. */
static size_t capacity_by(enum choice_value limit, size_t records, bool maximum_plus_one)
{
    switch (limit) {
    case VALUE_INDEX_BELOW:
        return records + maximum_plus_one;
    case VALUE_FITS_STRICTLY:
        return records - 1 + maximum_plus_one;
    default:
        return records;
    }
}

size_t limit_known_capacity(size_t records, bool maximum_plus_one)
{
    return capacity_by(choice_of(CHOICE_LIMIT), records, maximum_plus_one);
}

static void learn(struct test_context *t)
{
    static const enum choice_value limits[] = {VALUE_INDEX_BELOW, VALUE_FITS, VALUE_FITS_STRICTLY};
    size_t written = limit_measure(t, MEASURED_RECORDS, false);
    size_t written_plus_one = limit_measure(t, MEASURED_RECORDS, true);

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
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
    if (choice_of(CHOICE_LIMIT) == VALUE_UNKNOWN)
        learn(t);
    return limit_known_capacity(records, maximum_plus_one);
}
