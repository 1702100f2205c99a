/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A counter's interrupt and the local APIC's entry for it: what a mask keeps out, and what a vector
 * that is written meanwhile does to one that waits.
 */
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"

#define ITERATIONS           200
#define PENDING_MICROSECONDS 1000000

TEST(counters, masked_lvt_brings_no_interrupt, CLAIMS("FRZ-9"), NEEDS(PERFMON, PMI))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    if (!counting_prepare(t, &counting, (struct counter){.number = 0}, COUNTER_OS | COUNTER_PMI))
        return;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    apic_pmi_mask();
    counting_run(t, &counting);
    EXPECT_COUNT(t, PMI, "interrupts through a masked LVT entry", pmi_watch_wait(0), 0);
    pmi_watch_stop();
    counting_end();
}

/* An interrupt raised while the entry is masked is lost; the next one is not (F5.10, F5.16). */
TEST(counters, unmasked_lvt_interrupts_from_then_on, CLAIMS("ISR-2", "FRZ-9"), NEEDS(PERFMON, PMI))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    if (!counting_prepare(t, &counting, (struct counter){.number = 0}, COUNTER_OS | COUNTER_PMI))
        return;
    test_under(t, UNDER(COUNTER));
    pmi_watch_start(APIC_DELIVERY_FIXED);
    for (size_t round = 0; round < 3 && !test_has_failed(t); round++) {
        apic_pmi_mask();
        counting_run(t, &counting);
        pmu_status_clear(pmu_status());
        apic_pmi_unmask();
        EXPECT_COUNT(t, PMI, "interrupts after an overflow while the LVT entry was masked",
                     pmi_watch_wait(0), round);
        counting_run(t, &counting);
        EXPECT_COUNT(t, PMI, "interrupts after the next overflow", pmi_watch_wait(round + 1),
                     round + 1);
        pmu_status_clear(pmu_status());
    }
    pmi_watch_stop();
    counting_end();
}

static bool wait_until_pending(void)
{
    uint64_t deadline = time_deadline_microseconds(PENDING_MICROSECONDS);

    while (!apic_is_pending(VECTOR_PMI) && !time_passed(deadline))
        ;
    return apic_is_pending(VECTOR_PMI);
}

static volatile unsigned strays;

static bool count_stray(struct trap_frame *frame)
{
    (void)frame;
    apic_eoi();
    strays++;
    return true;
}

/* A pending interrupt keeps its vector, whatever the LVT entry says by the time it is let in. */
TEST(counters, pending_interrupt_keeps_its_vector, CLAIMS("ISR-2"), NEEDS(PERFMON, PMI))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    if (!counting_prepare(t, &counting, (struct counter){.number = 0}, COUNTER_OS | COUNTER_PMI))
        return;
    test_under(t, UNDER(COUNTER) | UNDER(PENDING));
    strays = 0;
    interrupt_set_handler(VECTOR_TEST, count_stray);
    pmi_watch_start(APIC_DELIVERY_FIXED);
    insn_cli();
    counting_run(t, &counting);
    EXPECT(t, PMI_MISSING, wait_until_pending(), "the interrupt is not pending in the local APIC");
    apic_pmi_program(APIC_DELIVERY_FIXED, VECTOR_TEST);
    apic_pmi_mask();
    insn_sti();
    EXPECT_EQUAL(t, PMI_VECTOR, "interrupts by the vector that was there first", pmi_watch_wait(1),
                 1);
    EXPECT_EQUAL(t, PMI_VECTOR, "interrupts by the vector that the LVT entry has now", strays, 0);
    pmi_watch_stop();
    interrupt_set_handler(VECTOR_TEST, NULL);
    counting_end();
}

/* Neither the exceptions' vectors nor those that this kernel uses itself: one of each 16. */
#define VECTOR_FIRST 0x2du
#define VECTOR_STEP  0x10u
#define VECTOR_LAST  0xfdu

/* Runs with this vector in the LVT entry. Returns how many interrupts came, of those wanted. */
static unsigned run_by_vector(struct test_context *t, struct counting *counting, uint8_t vector,
                              interrupt_handler handler, unsigned wanted)
{
    uint64_t deadline;

    strays = 0;
    interrupt_set_handler(vector, handler);
    pmi_watch_start(APIC_DELIVERY_FIXED);
    apic_pmi_program(APIC_DELIVERY_FIXED, vector);
    apic_pmi_unmask();
    counting_run(t, counting);
    deadline = time_deadline_microseconds(PENDING_MICROSECONDS);
    while (strays < wanted && !time_passed(deadline))
        ;
    pmi_watch_stop();
    interrupt_set_handler(vector, NULL);
    pmu_status_clear(pmu_status());
    return strays;
}

static void check_vector(struct test_context *t, struct counting *counting, uint8_t vector)
{
    EXPECT_EQUAL(t, PMI_VECTOR, "interrupts by the vector of the LVT entry",
                 run_by_vector(t, counting, vector, count_stray, 1), 1);
    if (test_has_failed(t))
        test_note(t, "the vector was %#x", vector);
}

TEST(counters, interrupt_by_any_vector, CLAIMS("ISR-2"), NEEDS(PERFMON, PMI))
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = ITERATIONS};

    if (!counting_prepare(t, &counting, (struct counter){.number = 0}, COUNTER_OS | COUNTER_PMI))
        return;
    counting.interrupts_open = true;
    counting.once = true;
    test_under(t, UNDER(COUNTER));
    for (unsigned vector = VECTOR_FIRST; vector <= VECTOR_LAST && !test_has_failed(t);
         vector += VECTOR_STEP)
        check_vector(t, &counting, (uint8_t)vector);
    counting_end();
}

#define SERVICE_PERIOD 100
#define SERVICE_NOPS   1000 /* rounds; more instructions than the period and any lateness */

static enum pmu_event service_event;

/* The first of them lets the counter overflow once more before it ends. */
static bool overflow_in_service(struct trap_frame *frame)
{
    const struct counter pmc0 = {.number = 0};

    (void)frame;
    pmu_program_off(pmc0);
    pmu_status_clear(pmu_status());
    if (!strays++) {
        apic_pmi_unmask();
        pmu_write_period(pmc0, SERVICE_PERIOD);
        pmu_program(pmc0, service_event, COUNTER_OS | COUNTER_PMI);
        for (unsigned i = 0; i < SERVICE_NOPS; i++)
            insn_pause();
        pmu_program_off(pmc0);
    }
    apic_eoi();
    return true;
}

/* A request made while an interrupt of the same vector is served comes after it (F5.12, F5.16). */
TEST(counters, interrupt_while_one_is_served_comes_behind_it, CLAIMS("ISR-2"), NEEDS(PERFMON, PMI))
{
    struct counting counting = {
        .workload = &workload_counted_loop, .iterations = ITERATIONS, .changes_registers = true};

    if (!counting_prepare(t, &counting, (struct counter){.number = 0}, COUNTER_OS | COUNTER_PMI))
        return;
    counting.interrupts_open = true;
    counting.once = true;
    service_event = counting.items[0].event;
    test_under(t, UNDER(COUNTER));
    EXPECT_COUNT(t, PMI, "interrupts of two overflows, one inside the routine",
                 run_by_vector(t, &counting, VECTOR_TEST, overflow_in_service, 2), 2);
    counting_end();
}
