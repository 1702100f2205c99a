/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An interrupt whose cause is there comes by itself: software need not write a register, halt, or
 * branch into the kernel for it, and it ends a halt. How many instructions or records late it may
 * be is open (F3.23); that it comes is not.
 */
#include "arch/cpu/ground/insn.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"
#include "tests/run/counting.h"
#include "tests/run/pmi_watch.h"
#include "tests/run/run.h"
#include "tests/spec/choices/freeze_flavour.h"

#define TRACE             (DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT)
#define SPIN_MICROSECONDS 100000
#define NAP_MICROSECONDS  1000 /* the first; each next is twice as long */
#define NAPS              8    /* time may be stolen in one, or an emulator slow */
#define SOON              200  /* instructions */

static volatile bool has_come;
static volatile uint64_t came_at; /* TSC */

static void note_it(const struct pmi_event *event)
{
    (void)event;
    came_at = time_now();
    has_come = true;
}

/* Instructions and branches alone. */
static bool spin(void)
{
    struct wait wait = time_wait(SPIN_MICROSECONDS);

    while (!has_come && wait_goes_on(&wait))
        insn_pause();
    return has_come;
}

static const struct {
    const char *name;
    uint64_t debugctl;
} settings[] = {
    {"no_freeze", 0},
    {"lbr_freeze", DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_LBR},
    {"counter_freeze", DEBUGCTL_FREEZE_PERFMON_ON_PMI},
    {"both", DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_LBR},
};

static bool can_be_set(uint64_t bits)
{
    return !(bits & ~debugctl_enumerated());
}

/* --- a counter's --- */

static void start_counter(struct counter counter, enum pmu_event event, uint64_t period)
{
    pmu_reset();
    pmu_program(counter, event, COUNTER_OS | COUNTER_PMI);
    pmu_write_period(counter, period);
    has_come = false;
    pmi_watch_observe(note_it);
}

static void end_counter(void)
{
    pmu_set_global_control(0);
    pmi_watch_stop();
    debugctl_clear();
    counting_end();
}

static void check_overflow(struct test_context *t, uint64_t debugctl, enum pmu_event event)
{
    const struct counter counter = {.number = 0};

    start_counter(counter, event, SOON);
    debugctl_write_safe(debugctl);
    pmu_set_global_control(pmu_global_bit(counter));
    EXPECT(t, PMI_MISSING, spin(), "no interrupt in 0.1 s after the overflow of IA32_PMC0");
    end_counter();
}

TEST(counters, interrupt_comes_by_itself, CLAIMS("ISR-3", "FRZ-9"), NEEDS(PERFMON2, PMI))
{
    enum pmu_event event = counting_event(t, (struct counter){.number = 0});

    if (event == PMU_EVENT_COUNT)
        return;
    TEST_EACH_WHERE(t, one, settings, settings + COUNT_OF(settings), can_be_set(one->debugctl),
                    "ISR-3", "%s", one->name)
        check_overflow(t, one->debugctl, event);
}

/* The overflow comes a few instructions before the HLT, and the interrupt before the nap ends. */
static bool ends_a_halt(enum pmu_event event, uint64_t period, uint64_t microseconds)
{
    const struct counter counter = {.number = 0};
    uint64_t middle = time_deadline_microseconds(microseconds / 2);

    start_counter(counter, event, period);
    pmu_set_global_control(pmu_global_bit(counter));
    watchdog_nap(microseconds);
    end_counter();
    return has_come && came_at < middle;
}

TEST(counters, interrupt_ends_a_halt, CLAIMS("ISR-3"), NEEDS(PERFMON2, PMI))
{
    enum pmu_event event = counting_event(t, (struct counter){.number = 0});

    if (event == PMU_EVENT_COUNT)
        return;
    for (uint64_t period = 1; period <= 16 && !test_has_failed(t); period *= 4) {
        unsigned naps = 0;

        while (naps < NAPS && !ends_a_halt(event, period, NAP_MICROSECONDS << naps))
            naps++;
        EXPECT(t, PMI_MISSING, naps < NAPS,
               "an overflow %lu events before a HLT did not end it before half the time was over",
               period);
    }
}

/* --- the threshold's --- */

static void check_threshold(struct test_context *t, uint64_t debugctl)
{
    static struct pmi_event events[1];
    static struct pmi_log log;
    const struct bts_layout layout = {.records = BTS_RECORDS_MAX, .threshold = 1};

    log = (struct pmi_log){.policy = PMI_COUNT,
                           .delivery = APIC_DELIVERY_FIXED,
                           .armed = PMI_CAUSE_BTS,
                           .events = events,
                           .event_capacity = 1,
                           .observe = note_it};
    if (!expect_programmed(t, bts_prepare(&layout)))
        return;
    has_come = false;
    pmi_start(&log);
    debugctl_write_safe(debugctl | TRACE);
    EXPECT(t, PMI_MISSING, spin(), "no interrupt in 0.1 s after the threshold was reached");
    debugctl_clear();
    pmi_stop();
    pmu_status_clear(pmu_status());
}

/* FREEZE_LBRS_ON_PMI may take TR away as it is written (F7.13). */
static bool can_be_set_with_trace(uint64_t bits)
{
    return can_be_set(bits) && freeze_written(bits | TRACE) == (bits | TRACE);
}

TEST(threshold, interrupt_comes_by_itself, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    freeze_learn_beside_tr(t);
    TEST_EACH_WHERE(t, one, settings, settings + COUNT_OF(settings),
                    can_be_set_with_trace(one->debugctl), "BTS-5", "%s", one->name)
        check_threshold(t, one->debugctl);
}
