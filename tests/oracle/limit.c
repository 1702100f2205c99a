/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/limit.h"

#include "arch/trace/debugctl.h"
#include "tests/oracle/readings.h"
#include "tests/run/traced_run.h"

#define MEASURED_RECORDS 8

size_t limit_measure(struct test_context *t, size_t records, bool maximum_plus_one)
{
    const struct traced_run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = records,
                   .threshold = BTS_NO_THRESHOLD,
                   .maximum_plus_one = maximum_plus_one},
        .policy = PMI_COUNT,
    };
    struct traced_result got;
    size_t written = 0;

    if (!traced_run(t, program_of_length(records + 3), &run, &got))
        return 0;
    while (written < records + 3 && !bts_record_is_poison(written))
        written++;
    return written;
}

size_t limit_capacity(struct test_context *t, size_t records, bool maximum_plus_one)
{
    if (reading_of_limit() == LIMIT_UNSEEN) {
        size_t written = limit_measure(t, MEASURED_RECORDS, false);
        size_t written_plus_one = limit_measure(t, MEASURED_RECORDS, true);

        for (unsigned reading = LIMIT_INDEX_BELOW_MAXIMUM; reading <= LIMIT_RECORD_FITS_STRICTLY;
             reading++)
            if (written == reading_capacity(reading, MEASURED_RECORDS, false) &&
                written_plus_one == reading_capacity(reading, MEASURED_RECORDS, true))
                reading_learn_limit(t, reading);
        if (reading_of_limit() == LIMIT_UNSEEN)
            FIND(t, INDEX,
                 "a buffer of %u records holds %zu, and %zu with one byte more: no reading of "
                 "the absolute maximum allows that",
                 MEASURED_RECORDS, written, written_plus_one);
    }
    return reading_capacity(reading_of_limit(), records, maximum_plus_one);
}
