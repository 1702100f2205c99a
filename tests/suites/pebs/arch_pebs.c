/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectural PEBS (F22.30 to F22.38): do its registers hold what they should, and does each
 * counter store right records where IA32_PEBS_BASE and IA32_PEBS_INDEX say, and start again?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/pebs.h"
#include "arch/trace/pebs_arch.h"
#include "arch/trace/pmu.h"
#include "kernel/report/ktap.h"
#include "kernel/machine/cpu_label.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_when.h"

static void expect_held(struct test_context *t, const char *name, uint32_t number, uint64_t value)
{
    uint64_t read = ~value;

    if (!EXPECT(t, MSR_REFUSES, !exception_happened(wrmsr_safe(number, value)),
                "%s raises an exception on %#lx", name, value))
        return;
    rdmsr_safe(number, &read);
    EXPECT_EQUAL(t, MSR_VALUE, name, read, value);
}

/* No counter is on meanwhile. Thresholds in units stand in bits 58:36, WR in 26:4, EN is bit 32. */
TEST(arch_pebs, registers_hold_what_is_written, CLAIMS("APEBS-1", "APEBS-2"), NEEDS(PEBS_ARCH))
{
    static const uint64_t values[] = {
        0, 1ull << 32, 1ull << 36, 1ull << 47, 3ull << 4, 1ull << 15 | 1ull << 32 | 0xabcull << 36};

    for (uint64_t code = 0; code < PEBS_ARCH_SIZE_CODES; code++)
        expect_held(t, "IA32_PEBS_BASE", IA32_PEBS_BASE, pebs_arch_base() | code);
    for (size_t i = 0; i < COUNT_OF(values); i++)
        expect_held(t, "IA32_PEBS_INDEX", IA32_PEBS_INDEX, values[i]);
    pebs_arch_stop();
}

static void check_config_register(struct test_context *t, struct counter counter)
{
    static struct reserved_bits seen[PMU_COUNTERS_MAX];
    uint32_t number = pmu_block_register(counter, PMU_BLOCK_CFG_C);
    unsigned place = counter.number + (counter.fixed ? PMU_GENERAL_MAX : 0);
    uint64_t bits = pebs_arch_config_bits();
    const struct reserved_register config = {"CFG_C", number, ~(bits | UINT32_MAX), bits};

    for (; bits; bits &= bits - 1)
        expect_held(t, "CFG_C", number, bits & -bits);
    expect_held(t, "CFG_C", number, 0x80000001);
    expect_held(t, "CFG_C", number, 0x7fffffff);
    wrmsr_safe(number, 0);
    reserved_bits_check(t, &seen[place], &config);
    pebs_arch_stop();
}

/* Each bit that CPUID.23H.4 says may be set (F21.10), and the reset value. */
TEST(arch_pebs, each_counter_takes_the_enumerated_bits, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH))
{
    sample_each_counter(t, "APEBS-3", "APEBS-3", check_config_register);
}

/* WR is where the last record ends, and no record is longer than its groups but for padding. */
static void check_index(struct test_context *t, const struct sampling *sampling)
{
    EXPECT_EQUAL(t, PEBS_INDEX, "WR in bytes, and the end of the last record",
                 sampling->arch_end.write, pebs_arch_end_of(sampling->index));
    for (size_t slot = 0; slot < sampling->index; slot++) {
        struct pebs_arch_record record;

        pebs_arch_decode(slot, &record);
        EXPECT(t, PEBS_FORMAT, record.whole,
               "record %zu: a group does not fit its fragment, or "
               "the basic group is missing",
               slot);
        EXPECT(t, PEBS_FORMAT, record.is_64_bits, "record %zu: the header says no 64-bit mode",
               slot);
        choice_learn(t, CHOICE_ARCH_PEBS_PADDING, record.padding);
    }
    sampling_expect_no_stray_write(t, sampling->index);
}

/* Without one, nothing else can be tested: most of the other tests skip. */
TEST(arch_pebs, some_event_stores_records, CLAIMS("APEBS-1"), NEEDS(PEBS_ARCH, PMI))
{
    EXPECT(t, PEBS_MISSING, sample_best_event(t) != PMU_EVENT_COUNT,
           "IA32_PERF_CAPABILITIES and CPUID.23H tell of architectural PEBS, and PMC0 stores a "
           "record for none of the events %s",
           sample_candidates());
}

TEST(arch_pebs, records_lie_where_the_index_says, CLAIMS("APEBS-1"), NEEDS(PEBS_ARCH, PMI))
{
    struct sampling sampling = sample_default(sample_best_event(t));

    if (sampling_run(t, &sampling) && sample_check_all(t, &sampling))
        check_index(t, &sampling);
}

/* In a buffer of each size. */
TEST(arch_pebs, records_begin_where_wr_stands, CLAIMS("APEBS-1"), NEEDS(PEBS_ARCH, PMI))
{
    static const size_t firsts[] = {PEBS_ARCH_UNIT, 0x100, 0x7f0, 0x800};
    enum pmu_event event = sample_best_event(t);

    TEST_NUMBERS(t, code, 0, PEBS_ARCH_SIZE_CODES, "APEBS-1", "%u_kib", 4u << code)
        for (size_t i = 0; i < COUNT_OF(firsts) && !test_has_failed(t); i++) {
            struct sampling sampling = sample_default(event);

            sampling.arch.size_code = code;
            sampling.arch.first = firsts[i];
            if (sampling_run(t, &sampling) && sample_check_all(t, &sampling))
                check_index(t, &sampling);
        }
}

/* --- counters --- */

/* How many events there are is not known: a record, and of this counter. */
static void check_some_record(struct test_context *t, struct counter counter)
{
    struct sampling sampling = sample_default(pmu_fixed_event(counter.number));
    struct pebs_record record;

    sampling.counters[0].counter = counter;
    sampling.counters[0].reset = SAMPLING_NEVER;
    if (!sampling_run(t, &sampling))
        return;
    if (!sampling.index) {
        sample_judge_none(t, &sampling, "no record of this counter in so short a workload");
        return;
    }
    sampling_decode(0, &record);
    EXPECT_EQUAL(t, PEBS_COUNTER, "applicable counters", record.applicable, sampling_bit(counter));
}

static bool is_inexact(struct test_context *t, struct counter counter)
{
    return counter.fixed && sample_exact_event(t, counter) == PMU_EVENT_COUNT &&
           pmu_fixed_event(counter.number) != PMU_EVENT_COUNT;
}

static void check_counter(struct test_context *t, struct counter counter)
{
    struct sampling sampling;
    uint64_t last, bit = pmu_global_bit(counter);

    if (is_inexact(t, counter)) {
        check_some_record(t, counter);
        return;
    }
    if (!sample_run_counter(t, counter, &sampling))
        return;
    choice_learn(t, CHOICE_ARCH_PEBS_OVERFLOW, sampling.status & bit ? VALUE_KEPT : VALUE_CLEARED);
    last = sample_check_all(t, &sampling);
    if (last)
        sample_check_reload(t, &sampling, last);
    sampling_expect_no_stray_write(t, sampling.index);
}

TEST(arch_pebs, each_counter_samples, CLAIMS("APEBS-4"), NEEDS(PEBS_ARCH, PMI))
{
    sample_each_counter(t, "APEBS-4", "APEBS-4", check_counter);
}

/* Another value for each counter, and as many bits as there are: the counter holds it with its sign
 * (F22.33). */
static void check_restart(struct test_context *t, struct counter counter)
{
    struct sampling sampling;

    if (!sample_of_exact_counter(t, counter, &sampling))
        return;
    sampling.counters[0].reset = 0x71234567 + 0x100000 * counter.number + counter.fixed;
    if (sampling_run(t, &sampling) && EXPECT(t, PEBS_MISSING, sampling.index, "no record"))
        sample_check_reload(t, &sampling, sample_last_event(&sampling));
}

TEST(arch_pebs, each_counter_restarts_from_its_own_value, CLAIMS("APEBS-4"), NEEDS(PEBS_ARCH, PMI))
{
    sample_each_counter(t, "APEBS-4", "APEBS-4", check_restart);
}

/* Whatever groups it asks for: without bit 63 it is a counter like any other. One whose events are
 * not known to come to an overflow must store nothing all the same. */
static void check_without_bit(struct test_context *t, struct counter counter)
{
    struct sampling sampling;
    struct sampling_counter *item = &sampling.counters[0];

    if (!sample_of_counter(t, counter, &sampling))
        return;
    item->plain = true;
    item->allow = PEBS_ARCH_GROUPS & ~PEBS_ARCH_ENABLE & pebs_arch_config_bits();
    if (!sampling_run(t, &sampling))
        return;
    EXPECT_EQUAL(t, PEBS_EXTRA, "WR", sampling.arch_end.write, 0);
    sampling_expect_no_stray_write(t, 0);
    EXPECT(t, OVERFLOW_MISSING,
           sample_exact_event(t, counter) == PMU_EVENT_COUNT ||
               sampling.status & pmu_global_bit(counter),
           "the counter overflowed, and its overflow bit is clear");
}

TEST(arch_pebs, counters_without_their_bit_store_nothing, CLAIMS("APEBS-4"), NEEDS(PEBS_ARCH, PMI))
{
    sample_each_counter(t, "APEBS-4", "APEBS-4", check_without_bit);
}

TEST(arch_pebs, several_counters_sample_at_once, CLAIMS("APEBS-4", "APEBS-1"),
     NEEDS(PEBS_ARCH, PMI))
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    if (!sample_has_branches(t))
        return;
    sampling_add_all(&sampling, event, 15);
    if (sampling_run(t, &sampling) &&
        EXPECT_COUNT(t, PEBS, "records", sampling.index, sampling.count)) {
        sample_check_apart(t, &sampling);
        sampling_expect_no_stray_write(t, sampling.count);
    }
}

/* Reloaded from its own CFG_C: exactly if its record came when due, otherwise within the run's
 * events. */
static void check_started_again(struct test_context *t, const struct sampling *sampling,
                                unsigned number, uint64_t event)
{
    const struct sampling_counter *item = &sampling->counters[number];
    uint64_t since = (item->value + item->reset) & pmu_counter_mask(item->counter);

    if (event == sample_storing_event(item, 0))
        sample_check_reload_of(t, sampling, number, event);
    else
        EXPECT(t, COUNT_LOW, since <= sample_events_in_all(item->event) - item->first,
               "PMC%u is %#lx after the run, which is not soon after minus %#lx",
               item->counter.number, item->value, item->reset);
}

/* The record names those counters and blames the event that was due, a second one perhaps the next.
 * Returns the event; 0 after a test_fail(). */
static uint64_t check_record_of(struct test_context *t, const struct sampling *sampling,
                                size_t slot, uint64_t due, uint64_t bits)
{
    enum pmu_event event = sampling->counters[0].event;
    uint64_t blamed = sample_event_of_slot(event, slot);
    struct sample_expected expected = {.cause = sample_cause_of_event(event, blamed), .bits = bits};
    struct pebs_record record;

    if (!EXPECT(t, PEBS_WHEN, blamed == due || (slot && blamed == due + 1),
                "record %zu blames event %lu, expected %lu", slot, blamed, due))
        return 0;
    sampling_decode(slot, &record);
    return sample_check_record(t, sampling, &record, &expected) ? blamed : 0;
}

/* Two that overflow at one event: one record that names both, or one of each, whose order is
 * open. */
static void check_together(struct test_context *t, const struct sampling *sampling)
{
    uint64_t bits[2], due[2], event;
    bool shared = sampling->index == 1, turned;
    struct pebs_record record;

    for (unsigned i = 0; i < 2; i++) {
        bits[i] = sampling_bit(sampling->counters[i].counter);
        due[i] = sample_storing_event(&sampling->counters[i], 0);
    }
    sampling_decode(0, &record);
    turned = !shared && record.applicable == bits[1];
    if (shared && sample_event_of_slot(sampling->counters[0].event, 0) == due[1])
        due[0] = due[1];
    for (unsigned slot = 0; slot < 2; slot++) {
        unsigned i = slot ^ turned;

        event = check_record_of(t, sampling, shared ? 0 : slot, due[shared ? 0 : i],
                                shared ? bits[0] | bits[1] : bits[i]);
        if (!event)
            return;
        check_started_again(t, sampling, i, event);
    }
}

static void check_pair(struct test_context *t, struct counter first, struct counter second)
{
    enum pmu_event event = sample_branches(t);
    struct sampling sampling = sample_default(event);

    sampling.count = 0;
    sampling_add(&sampling, first, event, 50, SAMPLING_NEVER);
    sampling_add(&sampling, second, event, 50, SAMPLING_NEVER - 7);
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_BETWEEN(t, PEBS_MISSING, PEBS_EXTRA, sampling.index, 1, 2,
                       "%zu records of two counters", sampling.index))
        check_together(t, &sampling);
    sampling_expect_no_stray_write(t, sampling.index);
    if (test_has_failed(t))
        test_note(t, "PMC%u and PMC%u overflowed at one event", first.number, second.number);
}

/* Each general-purpose counter with the next one. */
TEST(arch_pebs, counters_that_overflow_together, CLAIMS("APEBS-4", "APEBS-1", "APEBS-3"),
     NEEDS(PEBS_ARCH, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters), pairs = 0;

    if (!sample_has_branches(t))
        return;
    for (unsigned i = 0; i + 1 < count && !counters[i + 1].fixed && !test_has_failed(t); i++) {
        check_pair(t, counters[i], counters[i + 1]);
        pairs++;
    }
    if (!pairs)
        test_skip(t, "CPUID.23H.5: architectural PEBS is on one general-purpose counter alone");
}

/* Fields marked valid in a record must be right, and some must be valid if timed PEBS is enumerated
 * (F22.13, F22.35). tests/suites/pebs/pebs_adaptive_info.c does so for the DS area's records. */
static void check_latency(struct test_context *t, struct counter counter)
{
    struct sampling sampling;
    struct pebs_arch_record record;
    uint64_t cycles = 0;
    size_t valid = 0;

    if (!sample_run_counter(t, counter, &sampling) || !sample_check_all(t, &sampling))
        return;
    for (size_t slot = 0; slot < sampling.index; slot++) {
        pebs_arch_decode(slot, &record);
        valid += record.has_latency;
        cycles += record.has_latency ? record.common.retire_latency : 0;
    }
    if (!valid && !pebs_kind().timed)
        test_skip(t, "IA32_PERF_CAPABILITIES[17] = 0, and no record has a valid retire latency");
    else
        EXPECT(t, PEBS_LATENCY, cycles > 0 || (counter.fixed && !counter.number),
               "%zu records with a retire latency, all 0", valid);
}

TEST(arch_pebs, timed_records_have_a_retire_latency, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH, PMI))
{
    sample_each_counter(t, "APEBS-3", "APEBS-3", check_latency);
}

/* --- what a log says of a processor whose PEBS is of this kind alone --- */

static void report(void)
{
    char reason[160];

    if (pebs_format() != PEBS_FORMAT_ARCH)
        return;
    if (!feature_present(FEATURE_PEBS)) {
        feature_missing_reason(FEATURE_PEBS, reason, sizeof reason);
        ktap_comment(0, "PEBS of the DS save area is not there%s: %s", cpu_label_suffix(), reason);
    }
    if (feature_present(FEATURE_PEBS_ARCH)) {
        ktap_comment(0, "architectural PEBS is tested in its place%s: suite arch_pebs",
                     cpu_label_suffix());
    } else {
        feature_missing_reason(FEATURE_PEBS_ARCH, reason, sizeof reason);
        ktap_comment(0, "architectural PEBS is not tested either%s: %s", cpu_label_suffix(),
                     reason);
    }
}

REPORT(arch_pebs, report);
