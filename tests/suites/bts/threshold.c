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
#include "tests/oracle/choices.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/limit.h"
#include "tests/oracle/trace_check.h"
#include "tests/run/pmi_watch.h"
#include "tests/run/run.h"
#include "tests/workloads/counted.h"

SUITE(threshold, .order = -2);

#define RECORDS 32

static const struct run interrupt_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
    .layout = {.records = RECORDS, .threshold = RECORDS / 2},
    .policy = PMI_COUNT,
    .interrupts_wanted = 1,
};

static void expect_events_in_order(struct test_context *t, const struct observation *got,
                                   size_t threshold)
{
    for (size_t i = 0; i < got->interrupts && !test_has_failed(t); i++) {
        const struct pmi_event *event = &got->log->events[i];

        EXPECT(t, PMI_CAUSE, event->causes == PMI_CAUSE_BTS,
               "interrupt %zu found the index below the threshold", i);
        EXPECT(t, PMI_EARLY, event->index >= threshold,
               "interrupt %zu came with %zu records, threshold %zu", i, event->index, threshold);
        EXPECT(t, PMI_LVT, event->lvt_masked, "interrupt %zu left the LVT entry unmasked (F5.12)",
               i);
    }
}

/* Does an interrupt come with exactly this many records? */
static void check_exactly(struct test_context *t, const struct run *run, size_t transfers,
                          size_t interrupts)
{
    const struct program *program = program_of_length(transfers);
    struct run exact = *run;
    struct observation got;

    exact.hold_off_interrupts = true; /* so that the interrupt adds no record of its own */
    exact.interrupts_wanted = interrupts;
    if (!run_program(t, program, &exact, &got))
        return;
    EXPECT_BETWEEN(t, PMI_MISSING, PMI_EXTRA, got.interrupts, interrupts, interrupts,
                   "%zu records, threshold %zu: %zu interrupts, expected %zu", transfers,
                   run->layout.threshold, got.interrupts, interrupts);
    EXPECT_EQUAL(t, INDEX, "records stored", got.index, transfers);
    expect_events_in_order(t, &got, run->layout.threshold);
    trace_check(t, &exact, &got);
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
        check_exactly(t, &run, cases[i].threshold, 1);
        test_end(t);
        test_begin(t, "BTS-5", "%s_not_reached", cases[i].name);
        if (cases[i].threshold == PROGRAM_SLED_EXTRA)
            run.layout.threshold++; /* no program is shorter than this */
        check_exactly(t, &run, run.layout.threshold - 1, 0);
        test_end(t);
    }
}

TEST(threshold, first_record_of_the_buffer, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;

    run.layout.threshold = 1;
    check_exactly(t, &run, PROGRAM_SLED_EXTRA, 1);
}

/*
 * An index that software set beyond the threshold exceeds it without ever matching it. The first
 * run, whose threshold nothing reaches, is for a processor that remembers an earlier match (F5.3).
 */
TEST(threshold, fires_when_exceeded_unmatched, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    const struct program *program = program_of_length(RECORDS / 4);
    struct run run = interrupt_run;
    const struct expected *expected;
    struct observation got;

    run.hold_off_interrupts = true;
    check_exactly(t, &run, RECORDS / 4, 0);
    run.layout.threshold = RECORDS / 4;
    run.first = RECORDS / 2;
    if (!run_program(t, program, &run, &got))
        return;
    EXPECT_COUNT(t, PMI, "interrupts", got.interrupts, 1);
    EXPECT_EQUAL(t, INDEX, "BTS index, in records", got.index, run.first + RECORDS / 4);
    for (size_t i = 0; i < run.first; i++)
        EXPECT(t, STRAY_WRITE, bts_record_is_poison(i), "record %zu, before the index, was written",
               i);
    expected = expected_of(t, program, run.debugctl, NULL);
    if (expected)
        compare_records(t, expected, run.debugctl, got.records + run.first, RECORDS / 4);
    expect_no_stray_write(t, got.count);
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

    if (!run_program(t, program, run, &got))
        return;
    EXPECT_COUNT(t, PMI, "interrupts", got.interrupts, 1);
    EXPECT(t, PMI_LVT, got.lvt_masked_end,
           "the LVT entry is not masked after the interrupt (F5.12)");
    expect_events_in_order(t, &got, run->layout.threshold);
    trace_check(t, run, &got);
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
        check_exactly(t, &interrupt_run, transfers, 1);
}

#define DELIVERIES  40
#define SLOW_TURNS  20  /* branches of one handler; the buffer holds all */
#define LATE_ENOUGH 200 /* records; no interrupt request is as late */

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
    struct bracket bracket = {.on = interrupt_run.debugctl,
                              .entry = workload_counted_interrupt.entry,
                              .argument = DELIVERIES};
    const char *refusal = bts_prepare(&layout);

    if (!expect_programmed(t, refusal))
        return;
    unmasked = false;
    interrupt_set_handler(VECTOR_TEST, unmask_late);
    pmi_watch_start(APIC_DELIVERY_FIXED);
    apic_pmi_mask();
    bracket_run(&bracket);
    if (unmasked && bts_index() <= BTS_RECORDS_MAX)
        choice_learn(t, CHOICE_THRESHOLD_AGAIN, pmi_watch_wait(0) ? VALUE_YES : VALUE_NO);
    pmi_watch_stop();
    interrupt_set_handler(VECTOR_TEST, NULL);
    pmu_status_clear(pmu_status());
}

TEST(threshold, masked_lvt_brings_no_interrupt, CLAIMS("BTS-5"), NEEDS(BTS, PMI))
{
    const struct program *program = program_of_length(RECORDS - 4);
    struct run run = interrupt_run;
    struct observation got;

    run.lvt_masked = true;
    run.interrupts_wanted = 0;
    if (!run_program(t, program, &run, &got))
        return;
    EXPECT_COUNT(t, PMI, "interrupts through a masked LVT entry", got.interrupts, 0);
    trace_check(t, &run, &got);
    learn_again(t);
}

/* More than any capacity of the buffer (F3.22), and a multiple of none: an index at the end then
 * means that records were dropped. */
#define TOO_MANY (3 * RECORDS + 8)

/* A full buffer that is not drained: recording stays on (BTS-6), memory past the end is safe
 * (BTS-8). */
TEST(threshold, full_buffer_keeps_the_ds_area, CLAIMS("BTS-6", "BTS-8"), NEEDS(BTS, PMI))
{
    size_t capacity = limit_capacity(t, RECORDS, false);
    const struct program *program = program_of_length(TOO_MANY);
    struct run run = interrupt_run;
    const struct expected *expected;
    struct observation got;
    bool drops;

    run.hold_off_interrupts = true;
    if (!run_program(t, program, &run, &got))
        return;
    EXPECT_COUNT(t, PMI, "interrupts", got.interrupts, 1);
    expect_no_stray_write(t, capacity);
    drops = got.index == capacity;
    if (choice_of(CHOICE_FULL) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_FULL, drops ? VALUE_DROPS : VALUE_WRAPS);
    expected = expected_of(t, program, run.debugctl, NULL);
    if (!expected)
        return;
    if (choice_of(CHOICE_FULL) == VALUE_WRAPS) {
        compare_circular(t, expected, got.records, capacity);
        return;
    }
    EXPECT_EQUAL(t, INDEX, "BTS index of a full buffer, in records", got.index, capacity);
    compare_prefix(t, expected, got.records, capacity);
}

/* After full: the routine that rewinds the index finds recording alive (BTS-6). */
TEST(threshold, records_again_after_full, CLAIMS("BTS-6", "ISR-6"), NEEDS(BTS, PMI))
{
    struct run run = interrupt_run;
    const struct run again = {.debugctl = run.debugctl, .hold_off_interrupts = true};
    struct observation got;
    const struct program *program = program_of_length(3 * RECORDS);
    const struct expected *expected;

    run.hold_off_interrupts = true;
    if (!run_program(t, program, &run, &got))
        return;
    bts_rewind();
    program = program_of_length(RECORDS / 4);
    if (!run_program(t, program, &again, &got))
        return;
    EXPECT_EQUAL(t, INDEX, "records stored after the rewind", bts_index(), RECORDS / 4);
    expected = expected_of(t, program, run.debugctl, NULL);
    if (expected)
        compare_records(t, expected, run.debugctl, bts_records(), RECORDS / 4);
}

/* Drain and go on: no record lost, none doubled. Returns how often the buffer was drained. */
static size_t check_refills_once(struct test_context *t, const struct run *run,
                                 const struct program *program)
{
    struct observation got;

    if (!run_program(t, program, run, &got))
        return 0;
    EXPECT(t, PMI_MISSING, got.interrupts > 0, "no interrupt, and %zu records", got.count);
    expect_events_in_order(t, &got, run->layout.threshold);
    trace_check(t, run, &got);
    return got.interrupts;
}

#define REFILLS 100

/* A processor whose interrupts come late refills less often in one run, so it runs more often. */
static void check_refills(struct test_context *t, const struct run *run,
                          const struct program *program)
{
    size_t refills = 0;

    while (refills < REFILLS && !test_has_failed(t))
        refills += check_refills_once(t, run, program);
}

static const struct run refill_run = {
    .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
    .layout = {.records = 512, .threshold = 8},
    .policy = PMI_SERVE,
    .interrupts_wanted = 1,
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
    size_t capacity = limit_capacity(t, RECORDS, false);
    struct run run = interrupt_run;
    struct observation got;

    run.layout.threshold = BTS_NO_THRESHOLD;
    run.hold_off_interrupts = true;
    run.interrupts_wanted = 0;
    if (!run_program(t, program_of_length(TOO_MANY), &run, &got))
        return;
    EXPECT(t, RECORD_MISSING, !bts_record_is_poison(capacity - 1), "the buffer was not filled");
    EXPECT_COUNT(t, PMI, "interrupts with the threshold above the absolute maximum", got.interrupts,
                 0);
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
    bool may_wrap = capacity == RECORDS && choice_of(CHOICE_FULL) != VALUE_DROPS;
    const struct program *program = program_of_length(RECORDS);
    const struct expected *expected;
    struct observation got;

    if (!run_program(t, program, run, &got))
        return;
    expect_no_stray_write(t, capacity);
    if (capacity < RECORDS || (may_wrap && got.index == 0)) {
        choice_learn(t, CHOICE_THRESHOLD_AT_END, got.interrupts ? VALUE_YES : VALUE_NO);
        return;
    }
    EXPECT_EQUAL(t, INDEX, "BTS index, in records", got.index, RECORDS);
    EXPECT_COUNT(t, PMI, "interrupts", got.interrupts, 1);
    expected = expected_of(t, program, run->debugctl, NULL);
    if (expected)
        compare_records(t, expected, run->debugctl, got.records, RECORDS);
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
