/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two architectural events that belong to the last cache: where they are enumerated (F1.9) they
 * count. How much is the processor's own affair.
 */
#include "kernel/report/test.h"
#include "tests/run/counting.h"

#define ITERATIONS 200 /* a read from memory each */

static void check_event(struct test_context *t, enum pmu_event event)
{
    struct counting counting = {.workload = &workload_counted_misses, .iterations = ITERATIONS};

    counting_add(&counting, (struct counter){.number = 0}, event);
    test_under(t, UNDER(LLC));
    counting_run(t, &counting);
    EXPECT(t, COUNT_LOW, counting_counted(&counting.items[0]),
           "counts nothing while %u lines that no cache holds are read", ITERATIONS);
    counting_end();
}

TEST(counters, cache_events_count_where_enumerated, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    static const enum pmu_event events[] = {PMU_LLC_REFERENCES, PMU_LLC_MISSES};

    TEST_EACH(t, event, events, NULL, "%s",
              *event == PMU_LLC_MISSES ? "LLC_misses" : "LLC_references") {
        if (pmu_event_available(*event))
            check_event(t, *event);
        else
            test_skip(t, "CPUID.0AH:EBX[%u] = 1 or beyond EAX[31:24]", *event);
    }
}
