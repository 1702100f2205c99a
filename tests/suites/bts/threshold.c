/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With BTINT set, does the interrupt come when the index reaches the threshold: there, once, and
 * never before?
 *
 * How late an interrupt may come is open (F3.23). But it must come when exactly as many records
 * were stored as the threshold asks for, even if none follows, and it must not come with one fewer.
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/selection.h"
#include "kernel/report/test.h"
#include "tests/run/pmi_watch.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/observe.h"
#include "tests/workloads/counted.h"

SUITE(threshold, .order = -2);

#define RECORDS 32

static const struct run interrupt_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
    .layout = {.records = RECORDS, .threshold = RECORDS / 2},
    .policy = PMI_COUNT,
};

/* Interrupts are held off, so that none adds a record of its own. */
static void check_length(struct test_context *t, const struct run *run, size_t transfers)
{
    struct run exact = *run;

    exact.hold_off_interrupts = true;
    observe_run(t, program_of_length(transfers), &exact);
}

TEST(threshold, fires_exactly_there, CLAIMS("BTS-5", "T17-6.7", "DS-8"), NEEDS(BTS, PMI))
{
    const struct {
        const char *name;
        size_t threshold;
    } cases[] = {
        {"first_usable_record", PROGRAM_SLED_EXTRA},
        {"second_usable_record", PROGRAM_SLED_EXTRA + 1},
        {"middle_record", RECORDS / 2},
        {"last_usable_record", RECORDS - 1},
    };
    struct run run = interrupt_run;

    test_plan(t, 2 * COUNT_OF(cases));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        run.layout.threshold = cases[i].threshold;
        test_begin(t, "BTS-5", "%s_reached", cases[i].name);
        check_length(t, &run, cases[i].threshold);
        test_end(t);
        test_begin(t, "BTS-5", "%s_not_reached", cases[i].name);
        if (cases[i].threshold == PROGRAM_SLED_EXTRA)
            run.layout.threshold++; /* no program is shorter than this */
        check_length(t, &run, run.layout.threshold - 1);
        test_end(t);
    }
}

TEST(threshold, first_record_of_the_buffer, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.threshold = 1;
    check_length(t, &run, PROGRAM_SLED_EXTRA);
}

/*
 * An index that software set beyond the threshold exceeds it without ever matching it. The first
 * run, whose threshold nothing reaches, is for a processor that remembers an earlier match (F5.3).
 */
TEST(threshold, fires_when_exceeded_unmatched, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    check_length(t, &run, RECORDS / 4);
    run.layout.threshold = RECORDS / 4;
    run.first = RECORDS / 2;
    check_length(t, &run, RECORDS / 4);
}

/* The record of the interrupt's own delivery is not one that was late. */
static void learn_interrupt(struct test_context *t, const struct pmi_event *event, size_t threshold)
{
    choice_learn(t, CHOICE_PMI_LATE, event->index > threshold ? event->index - threshold - 1 : 0);
    if (pmu_version() >= 2)
        choice_learn(t, CHOICE_BTS_OVFBUF,
                     event->global_status & PERF_GLOBAL_STATUS_OVF_BUF ? VALUE_YES : VALUE_NO);
}

/* Interrupts open: it comes while the program runs. Later records go on, and bring no second
 * interrupt. */
static void check_once(struct test_context *t, const struct run *run, const struct program *program)
{
    struct observation got;

    observe(t, program, run, &got);
    EXPECT(t, PMI_LVT, got.lvt_masked_end,
           "the LVT entry is not masked after the interrupt (F5.12)");
    if (got.interrupts)
        learn_interrupt(t, &got.log->events[0], run->layout.threshold);
}

TEST(threshold, comes_once_and_masks_its_lvt, CLAIMS("BTS-5", "T17-6.7", "ISR-5", "ISR-6"),
     NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.records = 256;
    check_once(t, &run, program_of_length(200));
}

TEST(threshold, comes_in_ring_3, CLAIMS("BTS-5", "T17-6.7"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.records = 256;
    check_once(t, &run, program_of_user_jumps(200));
}

TEST(threshold, comes_as_nmi, CLAIMS("BTS-5", "ISR-5"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.records = 256;
    run.delivery = APIC_DELIVERY_NMI;
    check_once(t, &run, program_of_length(200));
}

/* Held off by IF = 0: the index goes on past the threshold (F5.4, F5.7), one interrupt comes
 * afterwards. */
TEST(threshold, held_off_while_the_buffer_fills, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    for (size_t transfers = RECORDS / 2 + 1; transfers < RECORDS; transfers += 5)
        check_length(t, &interrupt_run, transfers);
}

static const struct counter pmc0 = {.number = 0};
static uint64_t period, status_behind;

static void start_branches(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    pmu_reset();
    pmu_write_period(pmc0, period);
    pmu_program(pmc0, PMU_BRANCHES, COUNTER_OS);
}

static void look_behind(const struct run *run, struct observation *seen)
{
    status_behind = pmu_status();
    run_stop_counting(run, seen);
}

/* The kernel takes some branches between the two WRMSR that count and record: one of the periods
 * ends at the branch whose record reaches the threshold. */
TEST_UNLESS(threshold, leaves_the_overflow_of_its_branch, CLAIMS("PM-1", "BTS-5"),
            NEEDS(BTS, PMI, PERFMON2),
            !pmu_counter_exists(pmc0) || !pmu_event_available(PMU_BRANCHES),
            "no PMC0, or it does not count branches")
{
    struct run run = interrupt_run;

    run.hold_off_interrupts = true;
    run.control = pmu_global_bit(pmc0);
    run.ahead = start_branches;
    run.behind = look_behind;
    for (period = RECORDS / 2; period < RECORDS - 4 && !test_has_failed(t); period++) {
        observe_run(t, program_of_length(RECORDS - 4), &run);
        EXPECT_BITS(t, OVERFLOW, "the counter's overflow bit", status_behind & run.control,
                    run.control);
    }
    pmu_reset();
}

#define DELIVERIES  40
#define SLOW_TURNS  20  /* branches of one handler; the buffer holds all */
#define LATE_ENOUGH 200 /* records; no interrupt request is as late */

/* INT n again and again, the handler runs traced. False after a test_fail(). */
static bool deliver(struct test_context *t, const struct bts_layout *layout,
                    bool (*handler)(struct trap_frame *frame))
{
    struct bracket bracket = {.on = interrupt_run.debugctl,
                              .entry = workload_counted_interrupt.entry,
                              .argument = DELIVERIES};

    if (!expect_programmed(t, bts_prepare(layout)))
        return false;
    interrupt_set_handler(VECTOR_TEST, handler);
    bracket_run(&bracket);
    interrupt_set_handler(VECTOR_TEST, NULL);
    return true;
}

static bool unmasked;

/* Runs traced, between two records of the loop that executes INT n. */
static bool unmask_late(struct trap_frame *frame)
{
    (void)frame;
    for (volatile unsigned turn = 0; turn < SLOW_TURNS; turn++)
        ;
    if (unmasked || bts_index() < LATE_ENOUGH)
        return true;
    unmasked = true;
    apic_pmi_unmask();
    return true;
}

/*
 * The interrupt of the record that reached the threshold is lost in a masked LVT entry. Unmasked
 * much later, while branches go on, is there one for them? Nothing is written to IA32_DEBUGCTL or
 * to the index in between, which might make the threshold a new one.
 */
static void learn_again(struct test_context *t)
{
    const struct bts_layout layout = {.records = BTS_RECORDS_MAX, .threshold = 1};

    unmasked = false;
    pmi_watch_start(APIC_DELIVERY_FIXED);
    apic_pmi_mask();
    if (deliver(t, &layout, unmask_late) && unmasked && bts_index() <= BTS_RECORDS_MAX)
        choice_learn(t, CHOICE_THRESHOLD_AGAIN, pmi_watch_wait(0) ? VALUE_YES : VALUE_NO);
    pmi_watch_stop();
    pmu_status_clear(pmu_status());
}

TEST(threshold, masked_lvt_brings_no_interrupt, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.lvt_masked = true;
    if (observe_run(t, program_of_length(RECORDS - 4), &run))
        learn_again(t);
}

/* More than any capacity of the buffer (F3.22), and a multiple of none: an index at the end then
 * means that records were dropped. */
#define TOO_MANY (3 * RECORDS + 8)

/* A full buffer that is not drained: recording stays on (BTS-6), memory past the end is safe
 * (BTS-8). */
TEST(threshold, full_buffer_keeps_the_ds_area, CLAIMS("BTS-6", "BTS-8"), NEEDS(BTS, PMI))
{
    check_length(t, &interrupt_run, TOO_MANY);
}

static unsigned deliveries;

/* Half way, when the buffer is full. */
static bool rewind_once(struct trap_frame *frame)
{
    (void)frame;
    if (++deliveries == DELIVERIES / 2)
        bts_rewind();
    return true;
}

/* A plain store, and no write of IA32_DEBUGCTL: recording was never off. */
static void rewind_with_recording_on(struct test_context *t)
{
    const struct bts_layout layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD};

    deliveries = 0;
    if (deliver(t, &layout, rewind_once) && choice_of(CHOICE_FULL) == VALUE_DROPS)
        EXPECT(t, RECORD_MISSING, bts_index() > 0,
               "the index was rewound while recording was on: no record has come since");
}

/* After full: the routine that rewinds the index finds recording alive (BTS-6). */
TEST(threshold, records_again_after_full, CLAIMS("BTS-6", "ISR-6"), NEEDS(BTS, PMI))
{
    const struct run again = {.debugctl = interrupt_run.debugctl, .hold_off_interrupts = true};

    check_length(t, &interrupt_run, 3 * RECORDS);
    bts_rewind();
    observe_run(t, program_of_length(RECORDS / 4), &again);
    rewind_with_recording_on(t);
}

#define REFILLS 100

/* Drain and go on: no record lost, none doubled. A processor whose interrupts come late refills
 * less often in one run, so it runs more often. */
static void check_refills(struct test_context *t, const struct run *run,
                          const struct program *program)
{
    struct observation got;
    size_t refills = 0;

    while (refills < REFILLS && observe(t, program, run, &got))
        refills += got.interrupts;
}

static const struct run refill_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
    .layout = {.records = 512, .threshold = 8},
    .policy = PMI_SERVE,
};

TEST(threshold, refills_in_ring_0, CLAIMS("BTS-1", "BTS-5", "BTS-6", "ISR-2", "ISR-3", "ISR-5"),
     NEEDS(BTS, PMI))
{
    check_refills(t, &refill_run, program_of_length(SLED_LENGTH));
}

TEST(threshold, refills_in_ring_3, CLAIMS("BTS-1", "BTS-5", "BTS-6", "ISR-1", "ISR-2", "ISR-5"),
     NEEDS(BTS, PMI))
{
    check_refills(t, &refill_run, program_of_user_jumps(SLED_LENGTH));
}

TEST(threshold, refills_by_nmi, CLAIMS("BTS-1", "BTS-5", "ISR-2", "ISR-5"), NEEDS(BTS, PMI))
{
    struct run run = refill_run;

    run.delivery = APIC_DELIVERY_NMI;
    check_refills(t, &run, program_of_length(SLED_LENGTH));
}

/* Full is no cause of its own: the index has to reach the threshold (F5.1), with BTINT set too. */
TEST(threshold, above_the_maximum_full_brings_none, CLAIMS("BTS-4"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.threshold = BTS_NO_THRESHOLD;
    check_length(t, &run, TOO_MANY);
}

/*
 * The record that brings the index to the end of the buffer is one that interrupts, unless the
 * threshold lies above the absolute maximum (F3.25, F5.1). Two processors never show an index
 * there, which leaves it open: one that wants a byte more than the record to be free (F3.22), one
 * that wraps at once though BTINT is set (F3.25a, F5.5).
 */
static void check_at_the_end(struct test_context *t, const struct run *run)
{
    size_t capacity = limit_capacity(t, RECORDS, run->layout.maximum_plus_one);
    struct observation got;

    observe(t, program_of_length(RECORDS), run, &got);
    if (capacity < RECORDS || got.index == 0)
        choice_learn(t, CHOICE_THRESHOLD_AT_END, got.interrupts ? VALUE_YES : VALUE_NO);
}

TEST(threshold, fires_at_the_end_of_the_buffer, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.threshold = RECORDS;
    run.hold_off_interrupts = true;
    test_plan(t, 2);
    test_begin(t, "BTS-5", "threshold_at_the_absolute_maximum");
    check_at_the_end(t, &run);
    test_end(t);
    run.layout.maximum_plus_one = true;
    test_begin(t, "BTS-5", "threshold_one_byte_below");
    check_at_the_end(t, &run);
    test_end(t);
}
