/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One vector, three causes: does the debug store interrupt service routine find and serve each that
 * is present, and leave the processor as it was (ISR-2, ISR-3, ISR-5, ISR-6)?
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/spec/compare.h"
#include "tests/spec/freeze/isr_run.h"

#define COMBINATIONS 8

static struct isr_observation seen;

static void expect_state_restored(struct test_context *t)
{
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", seen.run.debugctl_end, seen.debugctl);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PEBS_ENABLE after the routine", seen.pebs_enable_end,
                 seen.pebs_enable);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL after the routine", seen.run.control_end,
                 seen.control);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DS_AREA after the routine", seen.ds_area_end, seen.ds_area);
    EXPECT(t, PMI_LVT, !seen.run.lvt_masked_end, "the LVT entry stayed masked after the routine");
    EXPECT_BITS(t, OVERFLOW, "overflow bits after the routine", seen.status_end, 0);
}

/* Every branch is in the trace once, whoever drained it. */
static void expect_trace(struct test_context *t)
{
    const struct expected *expected = expected_of(t, seen.run.program, seen.debugctl, seen.run.log);

    EXPECT(t, INDEX, !seen.run.log->records_lost,
           "an index was off its records, or there were too many");
    if (expected)
        compare_records(t, expected, seen.run.log->records, seen.run.log->record_count);
}

static void expect_served(struct test_context *t, unsigned causes)
{
    size_t record_size = pebs_record_size();

    if (!(causes & PMI_CAUSE_COUNTER)) {
        EXPECT_COUNT(t, OVERFLOW, "overflows served", seen.reloads, 0);
    } else {
        EXPECT_COUNT(t, OVERFLOW, "overflows served", seen.reloads, 1);
        EXPECT_BITS(t, OVERFLOW, "counters served", seen.reloaded, pmu_global_bit(seen.counter));
    }
    if (causes & PMI_CAUSE_BTS)
        EXPECT_EQUAL(t, INDEX, "BTS index after the routine", seen.run.index, 0);
    if (causes & PMI_CAUSE_PEBS)
        EXPECT(t, PEBS_INDEX, seen.pebs_index_end < PEBS_NO_THRESHOLD,
               "the PEBS index is off its records");
    EXPECT(t, PEBS_INDEX,
           seen.run.log->pebs_count >= record_size && seen.run.log->pebs_count % record_size == 0,
           "%zu bytes of PEBS records, a record has %zu", seen.run.log->pebs_count, record_size);
}

/* All of them were pending before interrupts came on: one interrupt, which finds just these. */
static void check_combination(struct test_context *t, unsigned causes)
{
    const struct isr_run run = {.causes = causes, .hold_off_interrupts = true};
    const struct pmi_event *event;

    if (causes & PMI_CAUSE_COUNTER)
        test_under(t, UNDER(COUNTER));
    if (causes & PMI_CAUSE_PEBS)
        test_under(t, UNDER(PEBS));
    if (!isr_run(t, &run, &seen))
        return;
    event = &seen.run.log->events[0];
    EXPECT_COUNT(t, PMI, "interrupts", seen.run.log->event_count, causes ? 1 : 0);
    if (seen.run.log->event_count) {
        EXPECT_EQUAL(t, PMI_CAUSE, "causes found (1 BTS, 2 PEBS, 4 counter)", event->causes,
                     causes);
        EXPECT(t, PMI_LVT, event->lvt_masked, "the LVT entry was not masked by delivery (F5.12)");
        EXPECT(t, PMI_PLACE, event->rflags & RFLAGS_IF, "the interrupt came with IF = 0");
    }
    expect_served(t, causes);
    expect_trace(t);
    expect_state_restored(t);
}

TEST(isr, every_combination_of_causes,
     CLAIMS("ISR-2", "ISR-3", "ISR-5", "ISR-6", "PEBS-3", "BTS-5"),
     NEEDS(BTS, PEBS_RECORDS, PERFMON2, PMI))
{
    TEST_NUMBERS(t, causes, 0, COMBINATIONS, "ISR-2", "bts%u_pebs%u_counter%u",
                 !!(causes & PMI_CAUSE_BTS), !!(causes & PMI_CAUSE_PEBS),
                 !!(causes & PMI_CAUSE_COUNTER))
        check_combination(t, causes);
}

/* Each as it comes, while the program runs: nothing is missed when causes come one after another.
 */
static void check_as_they_come(struct test_context *t, enum apic_delivery delivery)
{
    const struct isr_run run = {.causes = ISR_ALL_CAUSES, .delivery = delivery};
    unsigned found = 0;

    test_under(t, UNDER(COUNTER));
    if (!isr_run(t, &run, &seen))
        return;
    EXPECT(t, PMI_EXTRA, seen.run.log->event_count <= seen.run.log->event_capacity,
           "%zu interrupts", seen.run.log->event_count);
    for (size_t i = 0; i < seen.run.log->event_count && i < seen.run.log->event_capacity; i++) {
        EXPECT(t, PMI_CAUSE, seen.run.log->events[i].causes, "interrupt %zu had no cause", i);
        found |= seen.run.log->events[i].causes;
    }
    EXPECT_EQUAL(t, PMI_CAUSE, "causes found in all (1 BTS, 2 PEBS, 4 counter)", found,
                 ISR_ALL_CAUSES);
    expect_served(t, PMI_CAUSE_COUNTER);
    expect_trace(t);
    expect_state_restored(t);
}

TEST(isr, causes_as_they_come, CLAIMS("ISR-2", "ISR-3", "ISR-5", "ISR-6"),
     NEEDS(BTS, PEBS_RECORDS, PERFMON2, PMI))
{
    check_as_they_come(t, APIC_DELIVERY_FIXED);
}

TEST(isr, causes_as_they_come_by_nmi, CLAIMS("ISR-2", "ISR-3", "ISR-5", "ISR-6"),
     NEEDS(BTS, PEBS_RECORDS, PERFMON2, PMI))
{
    check_as_they_come(t, APIC_DELIVERY_NMI);
}

/* The vector without a cause, sent by software: the routine finds none and changes nothing. */
TEST(isr, interrupt_without_a_cause, CLAIMS("ISR-2", "ISR-3", "ISR-6"), NEEDS(BTS, PMI))
{
    const struct bts_layout layout = {.records = 64, .threshold = 32};
    static struct pmi_event event;
    struct pmi_log log = {
        .policy = PMI_SERVE, .armed = PMI_CAUSE_BTS, .events = &event, .event_capacity = 1};

    if (!expect_programmed(t, bts_prepare(&layout)))
        return;
    pmi_start(&log);
    apic_self_ipi(VECTOR_PMI);
    for (unsigned waited = 0; !*(volatile size_t *)&log.event_count && waited < 1000000; waited++)
        ;
    EXPECT(t, PMI_LVT, !apic_pmi_is_masked(),
           "the LVT entry was masked by an interrupt that was not its own");
    pmi_stop();
    EXPECT_COUNT(t, PMI, "interrupts", log.event_count, 1);
    EXPECT_EQUAL(t, PMI_CAUSE, "causes found", event.causes, 0);
    EXPECT(t, RECORD_EXTRA, log.record_count == 0, "%zu records drained", log.record_count);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL", debugctl_read(), 0);
}
