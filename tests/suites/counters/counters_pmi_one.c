/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters that overflow at once, one of which is to interrupt: it does, whichever it is, and the
 * others neither keep it from that nor interrupt themselves.
 */
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"

#define ITERATIONS 100
#define PERIOD     1000 /* instructions */

/* All of them overflow with the same instruction. */
static void prepare(struct counting *counting, const struct counter *counters, unsigned count,
                    unsigned which)
{
    for (unsigned i = 0; i < count; i++) {
        struct counting_item *item = counting_add(counting, counters[i], PMU_INSTRUCTIONS);

        item->flags |= i == which ? COUNTER_PMI : 0;
        item->start = -(uint64_t)PERIOD & pmu_counter_mask(counters[i]);
    }
}

static void check_one(struct test_context *t, const struct counter *counters, unsigned count,
                      unsigned which)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    char name[16];

    prepare(&counting, counters, count, which);
    pmu_counter_name(counters[which], name, sizeof name);
    pmi_watch_start(APIC_DELIVERY_FIXED);
    counting_run(t, &counting);
    if (!EXPECT_COUNT(t, PMI, "interrupts", pmi_watch_wait(1), 1))
        test_note(t, "of %u counters that overflow at once %s interrupts", count, name);
    pmi_watch_stop();
    counting_end();
}

TEST(counters, one_of_several_at_once_interrupts, CLAIMS("ISR-2", "FRZ-9", "FRZ-10"),
     NEEDS(PERFMON2, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters);

    if (!count) {
        test_skip(t, "no counter counts %s", pmu_event_name(PMU_INSTRUCTIONS));
        return;
    }
    test_under(t, UNDER(COUNTER) | UNDER(SEVERAL));
    for (unsigned i = 0; i < count && !test_has_failed(t); i++)
        check_one(t, counters, count, i);
}
