/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PEBS buffer: does the interrupt come at the threshold, there and not before, and is a full
 * buffer left alone?
 */
#include "arch/cpu/apic/apic.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/run.h"
#include "tests/spec/samples/sample_check.h"

#define RECORDS SAMPLE_DEFAULT_RECORDS

/* Room for all records, and an interrupt wanted or not. */
static bool run_with_threshold(struct test_context *t, struct sampling *sampling, size_t threshold)
{
    *sampling = sample_default(sample_best_event(t));
    sampling->threshold = threshold;
    sampling->interrupts_wanted = threshold <= RECORDS;
    return sampling_run(t, sampling) && EXPECT_COUNT(t, PEBS, "records", sampling->index, RECORDS);
}

/* Then format 0 must set its status bit, too (F7.11). */
static void check_status_with_freeze(struct test_context *t, size_t threshold)
{
    struct sampling sampling = sample_default(sample_best_event(t));

    if (!(debugctl_enumerated() & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
        return;
    sampling.threshold = threshold;
    sampling.debugctl = DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    sampling_run(t, &sampling);
}

static void check_threshold(struct test_context *t, size_t threshold)
{
    struct sampling sampling;
    bool reached = threshold <= RECORDS;

    if (!run_with_threshold(t, &sampling, threshold))
        return;
    if (reached && sampling.interrupts)
        EXPECT(t, PMI_CAUSE,
               sampling.events[0].causes == PMI_CAUSE_PEBS && sampling.events[0].lvt_masked,
               "the interrupt found causes %#x, LVT %s", sampling.events[0].causes,
               sampling.events[0].lvt_masked ? "masked" : "not masked (F5.12)");
    sample_check_all(t, &sampling);
    sampling_expect_no_stray_write(t, sampling.index);
    if (reached && pebs_format() == 0)
        check_status_with_freeze(t, threshold);
}

TEST(pebs, interrupt_comes_at_the_threshold, CLAIMS("PEBS-3"), NEEDS(PEBS_RECORDS, PMI))
{
    TEST_NUMBERS(t, threshold, 1, RECORDS + 2, "PEBS-3", "%u_records_threshold_%u", RECORDS,
                 threshold)
        check_threshold(t, threshold);
}

/* Neither the overflow that arms nor the record brings an interrupt of its own. */
TEST(pebs, no_interrupt_without_threshold, CLAIMS("PEBS-3"), NEEDS(PEBS_RECORDS, PMI))
{
    check_threshold(t, PEBS_NO_THRESHOLD);
}

/* The index at the absolute maximum: nothing more is written, nothing is signalled (F3.65). */
static void check_full(struct test_context *t, size_t records, size_t threshold)
{
    struct sampling sampling = sample_default(sample_best_event(t));

    sampling.records = records;
    sampling.threshold = threshold;
    sampling.interrupts_wanted = threshold <= records;
    test_under(t, UNDER(FULL));
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_EQUAL(t, PEBS_INDEX, "index of the full buffer, in records", sampling.index, records);
    sample_check_all(t, &sampling);
    sampling_expect_no_stray_write(t, records);
}

TEST(pebs, full_buffer_is_left_alone, CLAIMS("PEBS-3", "PEBS-1"), NEEDS(PEBS_RECORDS, PMI))
{
    test_plan(t, 2 * (RECORDS - 2));
    for (size_t records = 2; records < RECORDS; records++) {
        test_begin(t, "PEBS-3", "%zu_records_no_threshold", records);
        check_full(t, records, PEBS_NO_THRESHOLD);
        test_end(t);
        test_begin(t, "PEBS-3", "%zu_records_threshold_at_the_last", records);
        check_full(t, records, records);
        test_end(t);
    }
}

/* Sampling leaves the BTS buffer and its index alone. */
TEST(pebs, touches_no_bts_field, CLAIMS("PEBS-1", "DS-8"), NEEDS(PEBS_RECORDS, PMI))
{
    struct sampling sampling;

    if (!run_with_threshold(t, &sampling, PEBS_NO_THRESHOLD))
        return;
    EXPECT_EQUAL(t, INDEX, "BTS index, in records", bts_index(), 0);
    EXPECT(t, STRAY_WRITE, !bts_find_stray_write(0), "written to although out of bounds: %s",
           bts_find_stray_write(0));
}

static void check_refused(struct test_context *t, const char *what, struct pebs_layout layout)
{
    test_checked(t); /* the claim is one about software, here */
    EXPECT(t, SETUP, pebs_refusal(&layout), "a layout with %s was not refused", what);
}

/* The rules of a BTS buffer hold for this one too: software must refuse what breaks them. */
TEST(pebs, bad_layouts_are_refused, CLAIMS("DS-8"), NEEDS(PEBS_RECORDS))
{
    const struct pebs_layout good = {.records = 4, .threshold = 2};
    struct pebs_layout bad = good;

    EXPECT(t, SETUP, !pebs_refusal(&good), "a good layout was refused: %s", pebs_refusal(&good));
    bad.records = 0;
    check_refused(t, "no record", bad);
    bad.records = pebs_records_max(0) + 1;
    check_refused(t, "more records than memory", bad);
    bad = good;
    bad.data_config = PEBS_DATA_GPRS;
    if (pebs_format() < PEBS_FORMAT_ADAPTIVE)
        check_refused(t, "groups that the format does not have", bad);
}

/* Branches come in a period for which no erratum excuses the reload. Returns the records. */
static size_t make_period_long(struct sampling_counter *item)
{
    if (!pmu_event_is_branches(item->event))
        return RECORDS;
    item->first = item->reset = SAMPLING_SHORT_PERIOD;
    return 2;
}

/* The default run; checks only what the one field decides. */
static void check_field(struct test_context *t, unsigned field, unsigned late)
{
    struct sampling sampling = sample_default(sample_best_event(t));
    bool resets = field == SAMPLING_LATE_RESETS;
    size_t records = resets ? make_period_long(&sampling.counters[0]) : RECORDS;

    sampling.late = late;
    sampling.threshold = field == SAMPLING_LATE_THRESHOLD ? 1 : PEBS_NO_THRESHOLD;
    sampling.interrupts_wanted = field == SAMPLING_LATE_THRESHOLD;
    test_under(t, UNDER(LAST_EVENT)); /* may be that of the last record */
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_COUNT(t, PEBS, "records", sampling.index, records) && resets)
        sample_check_reload(t, &sampling, sample_last_event(&sampling));
}

/*
 * The fields are memory, not part of the register that holds their address: software changes them
 * between two runs without writing IA32_DS_AREA again (F3.5, F3.39).
 */
TEST(pebs, fields_count_as_they_are_in_memory, CLAIMS("DS-8", "PEBS-1", "PEBS-2", "PEBS-3"),
     NEEDS(PEBS_RECORDS, PMI))
{
    static const struct {
        unsigned field;
        const char *claim, *name;
    } cases[] = {
        {SAMPLING_LATE_RESETS, "PEBS-2", "reset_value"},
        {SAMPLING_LATE_MAXIMUM, "PEBS-1", "absolute_maximum"},
        {SAMPLING_LATE_THRESHOLD, "PEBS-3", "interrupt_threshold"},
    };

    TEST_EACH(t, row, cases, row->claim, "%s", row->name) {
        check_field(t, row->field, 0);
        if (!test_has_failed(t)) {
            check_field(t, row->field, row->field);
            if (test_has_failed(t))
                test_breaks(t, "DS-8");
        }
    }
}

/* --- beside a BTS buffer at or above its own threshold --- */

#define BTS_THRESHOLD (SAMPLING_BTS_RECORDS / 2)
#define SETTLE        1000

/* IA32_DEBUGCTL after that. */
static uint64_t debugctl_behind;

/* The newest BTS record is above its threshold, without an interrupt: the LVT entry is masked until
 * that is over, however late it would be. */
static void reach_bts_threshold(void)
{
    const struct program *program = program_of_length(BTS_THRESHOLD + 2);
    struct bracket bracket = {.on = DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
                              .off = debugctl_behind,
                              .entry = program->entry,
                              .argument = program->argument,
                              .hold_off_interrupts = true};

    apic_pmi_mask();
    bracket_run(&bracket);
    for (volatile unsigned i = 0; i < SETTLE; i++)
        ;
    apic_pmi_unmask();
}

/* Both have reached theirs before the interrupt is let in: it finds both. Where BTS goes on its
 * buffer may have begun from its base by then: a circular one, or a full one (F5.5). */
static void check_beside_bts(struct test_context *t, struct sampling sampling)
{
    unsigned unsure = sampling.debugctl ? PMI_CAUSE_BTS : 0;

    sampling.bts_threshold = BTS_THRESHOLD;
    sampling.threshold = RECORDS;
    sampling.interrupts_wanted = 1;
    if (!sampling_run(t, &sampling) || !EXPECT_COUNT(t, PEBS, "records", sampling.index, RECORDS))
        return;
    if (EXPECT_COUNT(t, PMI, "interrupts", sampling.interrupts, 1))
        EXPECT_EQUAL(t, PMI_CAUSE, "causes found (1 BTS, 2 PEBS)",
                     sampling.events[0].causes | unsure, PMI_CAUSE_BTS | PMI_CAUSE_PEBS);
}

/* The BTS buffer has come to its threshold, and BTS is off; or it is there meanwhile. */
TEST(pebs, threshold_beside_that_of_bts, CLAIMS("PEBS-3", "ISR-2"), NEEDS(PEBS_RECORDS, PMI, BTS))
{
    const size_t firsts[] = {BTS_THRESHOLD - 1, BTS_THRESHOLD + 1};
    struct sampling sampling = sample_default(sample_best_event(t));

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    sampling.before = reach_bts_threshold;
    check_beside_bts(t, sampling);
    if (feature_present(FEATURE_DS_CPL)) {
        sampling.debugctl = debugctl_behind = DEBUGCTL_TABLE_17_6;
        check_beside_bts(t, sampling);
        debugctl_behind = 0;
    }
    sampling.before = NULL;
    for (size_t i = 0; i < 2 * COUNT_OF(firsts) && !test_has_failed(t); i++) {
        sampling.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS | (i % 2 ? DEBUGCTL_BTINT : 0);
        sampling.bts_first = firsts[i / 2];
        check_beside_bts(t, sampling);
    }
}
