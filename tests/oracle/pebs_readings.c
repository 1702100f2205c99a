/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/pebs_readings.h"

static enum pebs_spacing spacing_reading;
static enum pebs_sharing sharing_reading;
static enum pebs_newest newest_reading;

enum pebs_spacing pebs_reading_of_spacing(void)
{
    return spacing_reading;
}

void pebs_reading_learn_spacing(struct test_context *t, enum pebs_spacing spacing)
{
    spacing_reading = spacing;
    test_observe(t, "the event that stores a PEBS record %s in the next period",
                 spacing == PEBS_SPACING_PERIOD ? "counts" : "does not count");
}

enum pebs_sharing pebs_reading_of_sharing(void)
{
    return sharing_reading;
}

void pebs_reading_learn_sharing(struct test_context *t, enum pebs_sharing sharing)
{
    sharing_reading = sharing;
    test_observe(t, "PEBS counters that overflow together store %s",
                 sharing == PEBS_SHARING_ONE_RECORD ? "one record" : "a record each");
}

enum pebs_newest pebs_reading_of_newest(void)
{
    return newest_reading;
}

void pebs_reading_learn_newest(struct test_context *t, enum pebs_newest newest)
{
    newest_reading = newest;
    test_observe(t, "the newest LBR entry of a PEBS record is the branch %s",
                 newest == PEBS_NEWEST_ITSELF ? "that caused the record" : "before it");
}
