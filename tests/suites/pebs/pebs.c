/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does PEBS store the right records at the right events, with the register state of that
 * instruction, and start the counter again from its reset value?
 */
#include "arch/cpu/traps/trap_frame.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_short.h"
#include "tests/spec/samples/sample_when.h"
#include "tests/workloads/kinds/registers.h"

static const struct counter pmc0 = {.number = 0};

#define EACH 3 /* this many instructions apart */

/* One run whose every record is known; then the memory around and what the run left behind. */
static uint64_t check_run(struct test_context *t, struct sampling *sampling)
{
    uint64_t last;

    if (!sampling_run(t, sampling))
        return 0;
    last = sample_check_all(t, sampling);
    if (!last)
        return 0;
    sampling_expect_no_stray_write(t, sampling->index);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PEBS_ENABLE at the end", sampling->pebs_enable_end,
                 sampling_bit(sampling->counters[0].counter));
    return last;
}

/* Without one, nothing else can be tested: the other tests skip. */
TEST(pebs, some_event_stores_records, CLAIMS("PEBS-1"), NEEDS(PEBS_RECORDS, PMI))
{
    EXPECT(t, PEBS_MISSING, sample_best_event(t) != PMU_EVENT_COUNT,
           "IA32_MISC_ENABLE says that PEBS is available, and PMC0 stores a record for none of the "
           "events %s: look up which events this model can sample (F3.61)",
           sample_candidates());
}

/* At every instruction, a third of them in a repetition: the record must have that instruction's
 * state. */
TEST(pebs, record_holds_the_state_at_an_instruction, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, PMI))
{
    struct sampling sampling;
    uint64_t first;

    if (!sample_event_works(t, PMU_INSTRUCTIONS)) {
        test_skip(t, SAMPLE_NO_INSTRUCTIONS);
        return;
    }
    sampling = sample_default(PMU_INSTRUCTIONS);
    first = sampling.counters[0].first;
    for (uint64_t more = test_repetition(t) % EACH; more <= REGISTERS_STEP_LENGTH; more += EACH) {
        if (test_has_failed(t))
            return;
        sampling.counters[0].first = first + more;
        check_run(t, &sampling);
    }
}

/* At a branch the instruction is known without doubt: after it, or at it, as enumerated. */
TEST(pebs, record_holds_the_state_at_a_branch, CLAIMS("PEBS-1", "PEBS-4"), NEEDS(PEBS_RECORDS, PMI))
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    if (!sample_has_branches(t))
        return;
    for (uint64_t first = 45; first < 52 && !test_has_failed(t); first++) {
        sampling.counters[0].first = first;
        check_run(t, &sampling);
    }
}

/* The other value of IF; no interrupt is there to come. */
TEST(pebs, record_holds_the_interrupt_flag, CLAIMS("PEBS-1", "PEBS-4"), NEEDS(PEBS_RECORDS, PMI))
{
    struct sampling sampling = sample_default(sample_best_event(t));

    sampling.argument = RFLAGS_IF;
    check_run(t, &sampling);
}

/* The event before the one that stores the record stores nothing. */
TEST(pebs, next_event_stores_the_record, CLAIMS("PEBS-1"), NEEDS(PEBS_RECORDS, PMI))
{
    enum pmu_event event = sample_best_event(t);
    struct sampling sampling = sample_default(event);
    struct sampling_counter *item = &sampling.counters[0];
    uint64_t slack = pmu_event_is_branches(event) ? 0 : COUNT_SLACK,
             all = sample_events_in_all(event), at_end;
    uint64_t skid = pmu_event_is_branches(event) ? 0 : SAMPLE_SKID_LIMIT;

    item->reset = 10000;
    item->first = all;
    sample_learn_when(t, &sampling);
    at_end = all - sample_delay(item, 0);
    item->first = at_end + 1 + slack;
    test_under(t, UNDER(DISABLED));
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_COUNT(t, PEBS, "records when the last event makes the counter overflow", sampling.index,
                 0);
    sampling_expect_no_stray_write(t, 0);
    item->first = at_end - slack - skid;
    test_under(t, UNDER(LAST_EVENT));
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_COUNT(t, PEBS, "records when one event follows the overflow", sampling.index, 1);
    sampling_expect_no_stray_write(t, sampling.index);
}

/* The first and the later periods differ, so that no other value than the slot's can be right. */
static void check_reset_value(struct test_context *t, enum pmu_event event, uint64_t reset)
{
    struct sampling sampling = sample_default(event);
    struct sampling_counter *item = &sampling.counters[0];

    item->reset = reset;
    if (!sampling_run(t, &sampling))
        return;
    if (pmu_event_is_branches(event)) /* the end of an instruction count is not exact */
        EXPECT_COUNT(t, PEBS, "records", sampling.index,
                     sample_records_by(item, sample_events_in_all(event)));
    if (EXPECT(t, PEBS_MISSING, sampling.index, "no record"))
        sample_check_reload(t, &sampling, sample_last_event(&sampling));
}

TEST(pebs, counter_restarts_from_its_reset_value, CLAIMS("PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    /* Minus the last two is more than 32 bits and their sign: a slot has 40 at least (F3.2). */
    uint64_t resets[] = {20, 31, 40, 77, 100000, 0x7fffffff, 0x80000001, 0x123456789a};
    enum pmu_event event = sample_best_event(t);
    /* There is no room for as many records as the short ones make of instructions. */
    uint64_t scale =
        pmu_event_is_branches(event) ? 1 : sample_events_in_all(event) / REGISTERS_STEPS;

    for (size_t i = 0; i < COUNT_OF(resets); i++)
        resets[i] *= resets[i] < REGISTERS_STEPS ? scale : 1;
    TEST_EACH(t, reset, resets, "PEBS-2", "reset_value_minus_%lu", *reset)
        check_reset_value(t, event, *reset);
}

/* None of these gets to its overflow again; a slot holds as many bits as the counter (F3.2). */
TEST(pebs, counter_restarts_from_the_ends_of_its_range, CLAIMS("PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    const uint64_t half = pmu_counter_mask(pmc0) / 2 + 1;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"zero", 0},
        {"one", 1},
        {"top_bit_clear", half - 1},
        {"top_bit_alone", half},
        {"top_bit_and_one", half + 1},
    };
    enum pmu_event event = sample_best_event(t);

    TEST_EACH(t, row, rows, "PEBS-2", "%s", row->name)
        check_reset_value(t, event, pmu_counter_mask(pmc0) + 1 - row->value);
}

/* A counter that is not enabled for PEBS stores nothing and is not reloaded (F3.63). */
TEST(pebs, disabled_stores_nothing, CLAIMS("PEBS-1", "PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    enum pmu_event event = sample_best_event(t);
    struct sampling sampling = sample_default(event);
    uint64_t expected;

    sampling.counters[0].plain = true;
    test_under(t, UNDER(DISABLED));
    if (!sampling_run(t, &sampling))
        return;
    expected = sample_events_in_all(event) - sampling.counters[0].first;
    EXPECT_COUNT(t, PEBS, "records", sampling.index, 0);
    sampling_expect_no_stray_write(t, sampling.index);
    EXPECT(t, OVERFLOW_MISSING, sampling.status & pmu_global_bit(pmc0),
           "the overflow bit of PMC0 is not set");
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, sampling.counters[0].value, expected - COUNT_SLACK,
                   expected + COUNT_SLACK,
                   "PMC0 was touched: %#llx, expected %#llx after its overflow",
                   (unsigned long long)sampling.counters[0].value, (unsigned long long)expected);
}

/* It was not reloaded since: its record has not been stored. */
static bool is_behind_its_overflow(const struct sampling_counter *item)
{
    return item->value <= pmu_counter_mask(item->counter) >> 1;
}

/* Storing the record clears the counter's overflow bit (F3.63): none is left at the end. */
TEST(pebs, record_clears_the_overflow_bit, CLAIMS("PEBS-1"), NEEDS(PEBS_RECORDS, PMI))
{
    struct sampling sampling = sample_default(sample_best_event(t));

    if (!sampling_run(t, &sampling))
        return;
    if (is_behind_its_overflow(&sampling.counters[0])) {
        test_under(t, UNDER(LAST_EVENT));
        EXPECT_COUNT(t, PEBS, "records", sampling.index, sampling.index + 1);
        return;
    }
    EXPECT_BITS(t, OVERFLOW, "overflow bit of PMC0 in IA32_PERF_GLOBAL_STATUS",
                sampling.status & pmu_global_bit(pmc0), 0);
}

/* What a format says beside the state, sample_check_record() looks at in every record. Here the
 * size. */
TEST(pebs, index_moves_by_the_size_of_the_enumerated_format, CLAIMS("PEBS-4"),
     NEEDS(PEBS_RECORDS, PMI))
{
    /* By format (F3.40); from 4 on without groups. */
    static const uint64_t sizes[PEBS_FORMATS] = {0x90, 0xb0, 0xc0, 0xc8, 0x20, 0x20, 0x20};
    struct sampling sampling = sample_default(sample_best_event(t));
    const struct ds_management_area *area = &trace_state()->memory->area;
    size_t written = 0;

    sampling.data_config = 0;
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_COUNT(t, PEBS, "records", sampling.index, SAMPLE_DEFAULT_RECORDS);
    while (written < SAMPLE_DEFAULT_RECORDS && !pebs_record_is_poison(written))
        written++;
    EXPECT_EQUAL(t, PEBS_INDEX, "bytes from the base to the index",
                 area->pebs_index - area->pebs_buffer_base, written * sizes[pebs_format()]);
    sampling_expect_no_stray_write(t, SAMPLE_DEFAULT_RECORDS);
    EXPECT_COUNT(t, PEBS, "records written", written, SAMPLE_DEFAULT_RECORDS);
}

/* Records are in order of time, and no time comes twice. */
TEST(pebs, time_stamps_increase, CLAIMS("PEBS-4"), NEEDS(PEBS_TSC, PMI))
{
    struct sampling sampling = sample_default(sample_best_event(t));
    struct pebs_record record;
    uint64_t before;

    if (!check_run(t, &sampling))
        return;
    before = sampling.tsc_before;
    for (size_t slot = 0; slot < sampling.index; slot++) {
        pebs_decode(slot, &record);
        EXPECT(t, PEBS_TSC, record.tsc > before, "TSC of record %zu: %#llx, not after %#llx", slot,
               (unsigned long long)record.tsc, (unsigned long long)before);
        before = record.tsc;
    }
}

/* --- does a counter begin again at each bit of its reset value, whatever else is set? --- */

/* Each bit is set in the one and clear in the other; both are far from an overflow. */
static const uint64_t values[] = {0x5555555555555555, 0xaaaaaaaaaaaaaaaa};

struct setting {
    uint64_t debugctl, frozen;
};

static void check_value(struct test_context *t, enum pmu_event event, uint64_t value,
                        const struct setting *setting)
{
    struct sampling sampling = sample_short(event);
    char names[128];

    sampling.counters[0].reset = -value & pmu_counter_mask(sampling.counters[0].counter);
    sampling.debugctl = setting->debugctl;
    sampling.frozen = setting->frozen;
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_COUNT(t, PEBS, "records", sampling.index, 1))
        sample_short_expect_reload(t, &sampling, &sampling.counters[0]);
    if (test_has_failed(t))
        test_note(t, "IA32_DEBUGCTL was %s, and of IA32_PERF_GLOBAL_STATUS was set %#lx",
                  debugctl_format(setting->debugctl, names, sizeof names), setting->frozen);
}

static void check_setting(struct test_context *t, struct setting setting)
{
    for (size_t i = 0; i < COUNT_OF(values) && !test_has_failed(t); i++)
        check_value(t, sample_best_event(t), values[i], &setting);
}

/* Beside each bit of IA32_DEBUGCTL, the trace, and a stack that software froze; CTR_Frz would stop
 * the counter. */
TEST(pebs, each_bit_of_a_reset_value, CLAIMS("PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    const uint64_t frozen[] = {PERF_GLOBAL_STATUS_LBR_FRZ, PERF_GLOBAL_STATUS_OVF_BUF,
                               PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_OVF_BUF};

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    check_setting(t, (struct setting){0});
    for (uint64_t left = debugctl_enumerated(); left && !test_has_failed(t); left &= left - 1)
        check_setting(t, (struct setting){.debugctl = left & -left});
    if (feature_present(FEATURE_BTS))
        check_setting(t, (struct setting){.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS});
    for (size_t i = 0; feature_present(FEATURE_PERFMON4) && i < COUNT_OF(frozen); i++)
        check_setting(t, (struct setting){.frozen = frozen[i]});
}
