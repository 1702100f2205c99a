/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a counter whose PMI is enabled interrupt: once for each overflow, never before it, and not
 * at all when it is not enabled?
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"
#include "tests/run/retry.h"
#include "tests/spec/choices/choices.h"

#define ITERATIONS      200
#define LONG_ITERATIONS 500
#define ROUNDS          10

/* An interrupt too many comes some thousand instructions after the first (AAJ125). */
#define SERVED_ITERATIONS 4000
#define FAR_PERIOD        (1u << 30)

static uint64_t expected_status(struct counter counter)
{
    return pmu_version() >= 2 ? pmu_global_bit(counter) : 0;
}

/* Returns how many interrupts one run brings. */
static size_t interrupts_of(struct test_context *t, struct counting *counting,
                            enum apic_delivery delivery)
{
    size_t interrupts;

    pmi_watch_start(delivery);
    counting_run(t, counting);
    interrupts = pmi_watch_wait(1);
    pmi_watch_stop();
    return interrupts;
}

static void check_interrupts(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    const struct pmi_event *event = pmi_watch_event(0);
    size_t interrupts;

    test_breaks_too(t, "PM-1");
    if (!counting_prepare(t, &counting, counter, COUNTER_OS | COUNTER_PMI))
        return;
    interrupts = interrupts_of(t, &counting, APIC_DELIVERY_FIXED);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, expected_status(counter));
    EXPECT_COUNT(t, PMI, "interrupts", interrupts, 1);
    if (!interrupts)
        return;
    if (pmu_version() >= 2)
        choice_learn(t, CHOICE_OVERFLOW_SETS_COND,
                     event->global_status & PERF_GLOBAL_STATUS_COND ? VALUE_YES : VALUE_NO);
    EXPECT(t, PMI_LVT, event->lvt_masked, "the LVT entry was not masked by delivery (F5.12)");
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS as the interrupt found it",
                event->global_status & pmu_status_mask(), expected_status(counter));
}

TEST(counters, interrupt_when_told, CLAIMS("FRZ-9", "FRZ-10", "ISR-3", "PM-1"), NEEDS(PERFMON, PMI))
{
    counting_each(t, "FRZ-9", "FRZ-10", check_interrupts);
}

/*
 * The flag clear, both freezes asked for: the overflow is noted, and that is all. The counter and
 * IA32_DEBUGCTL go on as if nothing had been.
 */
static void check_no_interrupt(struct test_context *t, struct counter counter)
{
    const uint64_t wanted = debugctl_enumerated() & (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI |
                                                     DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    uint64_t debugctl, debugctl_after;
    size_t interrupts;

    if (!counting_prepare(t, &counting, counter, COUNTER_OS | COUNTER_USR))
        return;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    debugctl_write_safe(wanted);
    debugctl = debugctl_read();
    counting_run(t, &counting);
    debugctl_after = debugctl_read();
    debugctl_clear();
    interrupts = pmi_watch_wait(0);
    pmi_watch_stop();
    EXPECT_COUNT(t, PMI, "interrupts", interrupts, 0);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, expected_status(counter));
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL after the overflow", debugctl_after, debugctl);
    if (pmu_version() >= 2)
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL after the overflow",
                     counting.global_control, pmu_global_bit(counter));
    if (counting_is_exact(counting.items[0].event))
        counting_expect(t, &counting, counting.items[0].event, COUNTER_OS | COUNTER_USR,
                        counting_counted(&counting.items[0]));
}

TEST(counters, neither_interrupt_nor_freeze_untold, CLAIMS("FRZ-9", "FRZ-10"), NEEDS(PERFMON, PMI))
{
    counting_each(t, "FRZ-9", "FRZ-10", check_no_interrupt);
}

static struct counter served;

static void reload_far(uint64_t overflowed)
{
    (void)overflowed;
    pmu_write_period(served, FAR_PERIOD);
}

/* A counter that will be served. False: the test has said why it cannot be. */
static bool prepare_served(struct test_context *t, struct counting *counting,
                           struct counter counter)
{
    *counting =
        (struct counting){.workload = &workload_counted_loop, .iterations = SERVED_ITERATIONS};
    if (!counting_prepare(t, counting, counter, COUNTER_OS | COUNTER_PMI))
        return false;
    counting->interrupts_open = true;
    counting->once = true; /* each run brings an interrupt of its own */
    served = counter;
    return true;
}

/* The interrupt came once, and its routine left the LVT entry unmasked. */
static void run_served(struct test_context *t, struct counting *counting)
{
    counting_run(t, counting);
    EXPECT_COUNT(t, PMI, "interrupts", pmi_watch_wait(1), 1);
    EXPECT(t, PMI_LVT, !apic_pmi_is_masked(), "the LVT entry is masked after the routine");
    pmi_watch_stop();
}

/*
 * Acknowledged, and the LVT entry unmasked: as the counters go on, and no second overflow is near,
 * no second interrupt comes.
 */
static void check_served_once(struct test_context *t, struct counter counter)
{
    struct counting counting;

    if (!prepare_served(t, &counting, counter))
        return;
    pmi_watch_serve(reload_far);
    run_served(t, &counting);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, 0);
}

TEST(counters, interrupt_once_when_served, CLAIMS("ISR-2", "ISR-3"), NEEDS(PERFMON2, PMI))
{
    counting_each(t, NULL, NULL, check_served_once);
}

static enum pmu_event served_event;

/* The counter is off while it is written (F6.24). */
static void serve_by_hand(const struct pmi_event *event)
{
    (void)event;
    pmu_program_off(served);
    pmu_write_period(served, FAR_PERIOD);
    pmu_status_clear(pmu_status());
    apic_pmi_unmask();
    pmu_program(served, served_event, COUNTER_OS | COUNTER_PMI);
}

/* The same without a status bit for the overflow and without a global control. */
static void check_served_by_hand(struct test_context *t, struct counter counter)
{
    struct counting counting;

    if (!prepare_served(t, &counting, counter))
        return;
    served_event = counting.items[0].event;
    pmi_watch_observe(serve_by_hand);
    run_served(t, &counting);
}

TEST_UNLESS(counters, interrupt_once_when_reloaded, CLAIMS("ISR-2"), NEEDS(PERFMON, PMI),
            pmu_version() >= 2, "perfmon version %u: counters.interrupt_once_when_served",
            pmu_version())
{
    counting_each(t, NULL, NULL, check_served_by_hand);
}

/* The LVT entry is unmasked last: no second interrupt for the same overflow. */
static void check_once_each(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    if (!counting_prepare(t, &counting, counter, COUNTER_OS | COUNTER_PMI))
        return;
    counting.interrupts_open = true;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    for (size_t round = 1; round <= ROUNDS && !test_has_failed(t); round++) {
        counting_run(t, &counting);
        EXPECT_COUNT(t, PMI, "interrupts so far", pmi_watch_wait(round), round);
        pmu_status_clear(pmu_status());
        apic_pmi_unmask();
        EXPECT_COUNT(t, PMI, "interrupts after the LVT entry was unmasked", pmi_watch_wait(0),
                     round);
    }
    pmi_watch_stop();
}

TEST(counters, interrupt_once_for_each_overflow, CLAIMS("FRZ-9", "FRZ-10"), NEEDS(PERFMON, PMI))
{
    counting_each(t, "FRZ-9", "FRZ-10", check_once_each);
}

TEST(counters, interrupt_once_for_overflows_at_once, CLAIMS("ISR-2"), NEEDS(PERFMON2, PMI))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters);
    uint64_t expected = 0;
    size_t interrupts;

    if (!count) {
        test_skip(t, "no counter counts %s", pmu_event_name(PMU_INSTRUCTIONS));
        return;
    }
    test_under(t, UNDER(COUNTER) | UNDER(SEVERAL));
    for (unsigned i = 0; i < count; i++) {
        struct counting_item *item = counting_add(&counting, counters[i], PMU_INSTRUCTIONS);

        item->flags |= COUNTER_PMI;
        item->start = -1000ull & pmu_counter_mask(counters[i]);
        expected |= pmu_global_bit(counters[i]);
    }
    interrupts = interrupts_of(t, &counting, APIC_DELIVERY_FIXED);
    EXPECT_COUNT(t, PMI, "interrupts through an LVT entry that the first one masks", interrupts, 1);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS as the interrupt found it",
                pmi_watch_event(0)->global_status & pmu_status_mask(), expected);
    counting_end();
}

#define LATER_THAN_CAN_BE_TOLD (~0ull)

/* NOPs of one byte after the CALL: how many of them had retired, by the address interrupted. */
static uint64_t nops_retired(uint64_t rip)
{
    if (rip >= (uint64_t)bracket_run && rip < (uint64_t)bracket_return)
        return 0;
    if (rip - (uint64_t)counted_nops > COUNTED_NOPS_LENGTH)
        return LATER_THAN_CAN_BE_TOLD;
    return rip - (uint64_t)counted_nops;
}

/* The instructions before the one interrupt, in a run that no SMI disturbed: they count, too. */
static uint64_t retired_before_interrupt(struct test_context *t, struct counting *counting,
                                         enum apic_delivery delivery)
{
    struct retry retry = retry_begin();
    size_t interrupts;

    do {
        pmu_status_clear(pmu_status()); /* before the LVT entry is unmasked (F5.18) */
        interrupts = interrupts_of(t, counting, delivery);
    } while (retry_if_disturbed(&retry));
    EXPECT_COUNT(t, PMI, "interrupts", interrupts, 1);
    return nops_retired(pmi_watch_event(0)->rip);
}

/* Never fewer than the period, less what the bracket adds; how many more is left open (F6.44). */
static void check_not_early(struct test_context *t, struct counter counter,
                            enum apic_delivery delivery)
{
    struct counting counting = {
        .workload = &workload_counted_nops, .iterations = 1, .interrupts_open = true, .once = true};
    struct counting_item *item = counting_add(&counting, counter, PMU_INSTRUCTIONS);
    uint64_t latest = 0;
    bool came = false;

    item->flags = COUNTER_OS | COUNTER_PMI;
    test_under(t, UNDER(INSTRUCTIONS));
    for (uint64_t period = 100; period < COUNTED_NOPS_LENGTH && !test_has_failed(t);
         period += 333) {
        uint64_t retired;

        item->start = -period & pmu_counter_mask(counter);
        retired = retired_before_interrupt(t, &counting, delivery);
        if (retired == LATER_THAN_CAN_BE_TOLD)
            continue;
        EXPECT(t, PMI_EARLY, retired + 1 + COUNT_SLACK >= period,
               "came after %lu instructions, expected %lu", retired + 1, period);
        came = true;
        if (retired + 1 > period + latest)
            latest = retired + 1 - period;
    }
    if (came)
        choice_learn(t, CHOICE_PMI_SKID, latest);
    else if (!test_has_failed(t))
        test_skip(t, "every interrupt comes later than %u instructions can tell (F6.44)",
                  COUNTED_NOPS_LENGTH);
}

static void check_not_early_fixed_delivery(struct test_context *t, struct counter counter)
{
    enum pmu_event event = counting_event(t, counter);

    if (event == PMU_INSTRUCTIONS)
        check_not_early(t, counter, APIC_DELIVERY_FIXED);
    else if (event != PMU_EVENT_COUNT)
        test_skip(t, "it counts %s", pmu_event_name(event));
}

TEST(counters, interrupt_never_early, CLAIMS("FRZ-9", "FRZ-10"), NEEDS(PERFMON, PMI))
{
    counting_each(t, "FRZ-9", "FRZ-10", check_not_early_fixed_delivery);
}

TEST(counters, interrupt_as_nmi, CLAIMS("FRZ-9", "ISR-2"), NEEDS(PERFMON2, PMI))
{
    const struct counter counter = {.number = 0};

    test_under(t, counting_circumstances(counter));
    if (pmu_event_available(PMU_INSTRUCTIONS))
        check_not_early(t, counter, APIC_DELIVERY_NMI);
    else
        test_skip(t, "no event %s", pmu_event_name(PMU_INSTRUCTIONS));
    counting_end();
}

/* Far more than any interrupt is late, which is left open (F6.44). */
#define LONGER 16

/* Told to count in ring 3: it is there that the interrupt comes, and there the count goes on. */
static void check_interrupts_ring_3(struct test_context *t, struct counter counter)
{
    struct counting counting = {
        .workload = &workload_counted_user, .iterations = LONG_ITERATIONS, .interrupts_open = true};
    size_t interrupts;

    test_under(t, UNDER(FILTERED));
    if (!counting_prepare(t, &counting, counter, COUNTER_USR | COUNTER_PMI))
        return;
    pmu_status_clear(pmu_status()); /* before the LVT entry is unmasked (F5.18) */
    interrupts = interrupts_of(t, &counting, APIC_DELIVERY_FIXED);
    if (interrupts == 1 && !(pmi_watch_event(0)->cs & 3u)) {
        counting.iterations *= LONGER;
        pmu_status_clear(pmu_status());
        interrupts = interrupts_of(t, &counting, APIC_DELIVERY_FIXED);
    }
    EXPECT_COUNT(t, PMI, "interrupts", interrupts, 1);
    if (interrupts)
        EXPECT_EQUAL(t, PMI_PLACE, "ring that was interrupted", pmi_watch_event(0)->cs & 3u, 3);
    if (counting_is_exact(counting.items[0].event))
        counting_expect(t, &counting, counting.items[0].event, COUNTER_USR,
                        counting_counted(&counting.items[0]));
}

TEST(counters, interrupt_in_ring_3, CLAIMS("FRZ-9", "FRZ-10", "ISR-1"),
     NEEDS(PERFMON, PMI, SYSCALL))
{
    counting_each(t, "FRZ-9", "FRZ-10", check_interrupts_ring_3);
}
