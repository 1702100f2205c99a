/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does the interrupt of a counter that overflows a few instructions before HLT wake the processor?
 * However late it is, no instruction follows that it could wait for.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/percpu.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"

#define PERIOD_MOST 4      /* fewer instructions than there are from the last WRMSR to HLT */
#define TICKS       500000 /* of the APIC timer: longer than any interrupt takes */
#define WAKES_MOST  3      /* by the timer, where none comes */

static const struct counter pmc0 = {.number = 0};
static volatile unsigned came, ticks, ticks_before;
static const struct cpu *tested;
static interrupt_handler watchdog; /* of every processor's timer */

static bool on_overflow(struct trap_frame *frame)
{
    (void)frame;
    apic_eoi();
    if (!came++)
        ticks_before = ticks;
    return true;
}

static bool on_tick(struct trap_frame *frame)
{
    if (this_cpu() != tested)
        return watchdog && watchdog(frame);
    apic_eoi();
    if (++ticks < WAKES_MOST)
        apic_timer_start(TICKS);
    return true;
}

/* With both pending the overflow's vector, which is the higher one, comes first. */
static void halt_with(enum pmu_event event, uint64_t period)
{
    apic_timer_start(0); /* a tick of it that is on its way comes now */
    insn_cli();
    came = ticks = ticks_before = 0;
    pmu_program_off(pmc0);
    pmu_status_clear(pmu_status());
    pmu_write_period(pmc0, period);
    apic_pmi_unmask();
    apic_timer_start(TICKS);
    pmu_set_global_control(pmu_global_bit(pmc0));
    pmu_program(pmc0, event, COUNTER_OS | COUNTER_PMI);
    insn_sti_hlt();
    while (!came && ticks < WAKES_MOST)
        insn_pause();
    pmu_program_off(pmc0);
    pmu_set_global_control(0);
    pmu_status_clear(pmu_status());
}

static void check_each(struct test_context *t, enum pmu_event event)
{
    for (uint64_t period = 1; period <= PERIOD_MOST && !test_has_failed(t); period++) {
        halt_with(event, period);
        EXPECT_COUNT(t, PMI, "interrupts of an overflow right ahead of HLT", came, 1);
        EXPECT(
            t, PMI_MISSING, ticks_before == 0,
            "the interrupt of an overflow ahead of HLT waited until the timer woke the processor");
    }
}

TEST(counters, an_overflow_wakes_from_hlt, CLAIMS("FRZ-9", "ISR-2"), NEEDS(PERFMON, PMI))
{
    uint32_t left = apic_timer_remaining();
    enum pmu_event event = counting_event(t, pmc0);

    if (event == PMU_EVENT_COUNT)
        return;
    test_under(t, UNDER(COUNTER) | UNDER(SHORT_PERIOD));
    tested = this_cpu();
    watchdog = interrupt_handler_of(VECTOR_TIMER);
    interrupt_set_handler(VECTOR_TIMER, on_tick);
    interrupt_set_handler(VECTOR_TEST, on_overflow);
    pmi_watch_start(APIC_DELIVERY_FIXED);
    apic_pmi_program(APIC_DELIVERY_FIXED, VECTOR_TEST);
    check_each(t, event);
    pmi_watch_stop();
    interrupt_set_handler(VECTOR_TEST, NULL);
    apic_timer_start(0);
    interrupt_set_handler(VECTOR_TIMER, watchdog);
    if (left)
        apic_timer_start(left);
    counting_end();
}
