/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters that overflow at once, one of which is to interrupt: it does, whichever it is, and the
 * others neither keep it from that nor interrupt themselves. And does one that is to interrupt only
 * after its overflow stay silent?
 */
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"
#include "tests/spec/choices/choices.h"

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

/* A status bit that stays set asks for no second interrupt (F6.42); but some processors interrupt
 * again when they find it set as the LVT entry is unmasked (F5.18). */
static void learn_unmasked_again(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    if (!counting_prepare(t, &counting, counter, COUNTER_OS | COUNTER_PMI))
        return;
    counting.interrupts_open = true;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    counting_run(t, &counting);
    if (pmi_watch_wait(1) == 1) {
        apic_pmi_unmask();
        choice_learn(t, CHOICE_UNMASKED_AGAIN, pmi_watch_wait(0) > 1 ? VALUE_YES : VALUE_NO);
    }
    pmi_watch_stop();
    counting_end();
}

/* The wrap interrupts (F6.40), not the bit that it left (F6.42): enabling the interrupt afterwards
 * is too late, but where that bit interrupts on unmasking, too. */
static void check_told_too_late(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    learn_unmasked_again(t, counter);
    if (!counting_prepare(t, &counting, counter, COUNTER_OS))
        return;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    counting_run(t, &counting);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, pmu_global_bit(counter));
    pmu_program(counter, counting.items[0].event, COUNTER_OS | COUNTER_PMI);
    counting_run_workload(&counting); /* time for one that is late */
    if (choice_of(CHOICE_UNMASKED_AGAIN) == VALUE_NO)
        EXPECT_COUNT(t, PMI, "interrupts", pmi_watch_wait(0), 0);
    pmi_watch_stop();
    if (test_has_failed(t))
        test_breaks(t, "ISR-3");
}

TEST(counters, no_interrupt_for_an_overflow_before, CLAIMS("FRZ-9", "FRZ-10", "ISR-3"),
     NEEDS(PERFMON2, PMI))
{
    counting_each(t, "FRZ-9", "FRZ-10", check_told_too_late);
}
