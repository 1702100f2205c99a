/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers that say more about a few events that PEBS samples or that count elsewhere: load
 * latency, front end, responses from beyond the core. Each is its own (F3.71), and what is in them
 * matters to no other event. And which bits of IA32_PEBS_ENABLE beside those of the counters can be
 * set?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/choices/write_outcome.h"
#include "tests/spec/samples/sample_counters.h"

#define LATENCY_BITS  16u
#define LEAST_LATENCY 4ull /* three cycles are the least that it takes (F3.71) */
#define OTHER_BITS    38u  /* of any model, in the registers below */

enum { OFFCORE_0, OFFCORE_1, LATENCY, FRONTEND, COUNT_OF_REGISTERS };

static const uint32_t registers[COUNT_OF_REGISTERS] = {
    [OFFCORE_0] = MSR_OFFCORE_RSP_0,
    [OFFCORE_1] = MSR_OFFCORE_RSP_1,
    [LATENCY] = MSR_PEBS_LD_LAT_THRESHOLD,
    [FRONTEND] = MSR_PEBS_FRONTEND,
};

#define UNLESS_BEFORE_THEM                                                                         \
    !pebs_format(), "IA32_PERF_CAPABILITIES[11:8] (PEBS record format) = 0: before them"

static uint64_t before[COUNT_OF_REGISTERS];
static bool is_there[COUNT_OF_REGISTERS];

/* Registers of Nehalem and later; reading shows which of them a model has. */
static void find_registers(void)
{
    for (size_t i = 0; i < COUNT_OF_REGISTERS; i++)
        is_there[i] = !exception_happened(rdmsr_safe(registers[i], &before[i]));
}

static void put_back(void)
{
    for (size_t i = 0; i < COUNT_OF_REGISTERS; i++)
        if (is_there[i])
            wrmsr_safe(registers[i], before[i]);
}

TEST_UNLESS(pebs, load_latency_threshold_holds_each_bit, CLAIMS("PEBS-1", "DS-3"),
            NEEDS(PEBS_RECORDS), UNLESS_BEFORE_THEM)
{
    find_registers();
    if (!pebs_latency_bits() && !is_there[LATENCY]) {
        test_skip(t, "no load latency: MSR_PEBS_LD_LAT_THRESHOLD cannot be read");
        return;
    }
    for (unsigned bit = 0; bit < LATENCY_BITS; bit++) {
        enum write_outcome outcome =
            write_and_look(t, "MSR_PEBS_LD_LAT_THRESHOLD", MSR_PEBS_LD_LAT_THRESHOLD,
                           1ull << bit | (1ull << bit < LEAST_LATENCY ? LEAST_LATENCY : 0));

        EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK, "bit %u of MSR_PEBS_LD_LAT_THRESHOLD: %s",
               bit, write_outcome_text(outcome));
    }
    put_back();
}

/* Sets those bits of the mask that the register takes. Returns them. */
static uint64_t fill(uint32_t number, uint64_t mask)
{
    uint64_t value = 0, found = 0;

    wrmsr_safe(number, 0);
    for (unsigned bit = 0; bit < OTHER_BITS; bit++)
        if (mask >> bit & 1 && !exception_happened(wrmsr_safe(number, value | 1ull << bit)) &&
            !exception_happened(rdmsr_safe(number, &found)))
            value |= found & 1ull << bit;
    wrmsr_safe(number, value);
    return value;
}

static uint64_t written[COUNT_OF_REGISTERS];

static void fill_all(const uint64_t masks[COUNT_OF_REGISTERS])
{
    for (size_t i = 0; i < COUNT_OF_REGISTERS; i++)
        written[i] = is_there[i] ? fill(registers[i], masks[i]) : 0;
}

static void expect_as_written(struct test_context *t)
{
    for (size_t i = 0; i < COUNT_OF_REGISTERS; i++) {
        uint64_t value = ~written[i];

        if (!is_there[i])
            continue;
        rdmsr_safe(registers[i], &value);
        EXPECT(t, MSR_VALUE, value == written[i], "register %#x: wrote %#lx, read %#lx",
               registers[i], written[i], value);
    }
}

/* Neither are they others' registers. */
static void expect_same_stack(struct test_context *t, const struct lbr_snapshot *held)
{
    static struct lbr_snapshot found;

    lbr_capture(&found);
    EXPECT(t, MSR_VALUE, !__builtin_memcmp(&found, held, sizeof found),
           "the LBR stack's registers have changed, top of stack %lu, it was %lu",
           found.top_of_stack, held->top_of_stack);
}

/* Another value in each. */
TEST_UNLESS(pebs, registers_of_single_events_are_their_own, CLAIMS("PEBS-1"), NEEDS(PEBS_RECORDS),
            UNLESS_BEFORE_THEM)
{
    static const uint64_t masks[COUNT_OF_REGISTERS] = {
        [OFFCORE_0] = ~0ull << 8,
        [OFFCORE_1] = 0xf0f0f0f0f0,
        [LATENCY] = 0x5555,
        [FRONTEND] = 0x1233,
    };
    static struct lbr_snapshot held;

    find_registers();
    if (feature_present(FEATURE_LBR))
        lbr_capture(&held);
    fill_all(masks);
    expect_as_written(t);
    if (feature_present(FEATURE_LBR))
        expect_same_stack(t, &held);
    put_back();
}

/* --- and of other counters --- */

static const uint64_t all_bits[COUNT_OF_REGISTERS] = {~0ull, ~0ull, ~0ull, ~0ull};

static void check_records(struct test_context *t, struct counter counter)
{
    struct sampling sampling;

    if (!sample_run_counter(t, counter, &sampling))
        return;
    EXPECT(t, PEBS_MISSING, sampling.index, "no records");
    expect_as_written(t);
}

TEST_UNLESS(pebs, records_leave_the_registers_of_other_events, CLAIMS("PEBS-1", "PEBS-6"),
            NEEDS(PEBS_RECORDS, PMI), UNLESS_BEFORE_THEM)
{
    find_registers();
    fill_all(all_bits);
    sample_each_counter(t, "PEBS-1", "PEBS-6", check_records);
    put_back();
}

static void check_count(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 100};
    enum pmu_event event = counting_event(t, counter);

    if (event == PMU_EVENT_COUNT)
        return;
    counting_add(&counting, counter, event);
    if (counting_is_exact(event))
        counting_expect(t, &counting, event, COUNTER_OS | COUNTER_USR,
                        counting_measure(t, &counting));
    else
        EXPECT(t, COUNT_LOW, counting_measure(t, &counting) > counting.iterations,
               "counts no more than there were iterations");
}

TEST_UNLESS(counters, count_beside_the_registers_of_other_events, CLAIMS("PM-1"),
            NEEDS(PEBS_RECORDS, PERFMON2), UNLESS_BEFORE_THEM)
{
    find_registers();
    fill_all(all_bits);
    counting_each(t, NULL, NULL, check_count);
    put_back();
}

/* The codes of events that PEBS samples, where they mean something else. */
static void put_codes(uint64_t code)
{
    for (size_t i = 0; i < COUNT_OF_REGISTERS; i++)
        if (is_there[i])
            wrmsr_safe(registers[i], code);
}

/* A load latency is asked for, of no counter that samples: none of these overflows is a record. */
static void check_overflow(struct test_context *t, unsigned number)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 100};
    const struct counter counter = {.fixed = true, .number = number};

    counting_add(&counting, counter, PMU_INSTRUCTIONS)->start =
        (0 - counting.iterations / 2) & pmu_counter_mask(counter);
    pebs_enable(pebs_latency_bits());
    counting_run(t, &counting);
    pebs_disable();
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", counting.status, pmu_global_bit(counter));
}

TEST_UNLESS(pebs, load_latency_bits_are_no_fixed_counters, CLAIMS("PEBS-1", "ISR-3"),
            NEEDS(PEBS_RECORDS, PERFMON2), !pebs_latency_bits(),
            "IA32_PEBS_ENABLE[35:32] are no load latencies, or not known to be")
{
    static const uint16_t codes[] = {0x00c0, 0x01c0, 0x00c4, 0x04c4};

    test_under(t, UNDER(PEBS));
    find_registers();
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        put_codes(codes[i]);
        for (unsigned number = 0; number < pmu_fixed_count(); number++)
            if (pmu_counter_exists((struct counter){.fixed = true, .number = number}))
                check_overflow(t, number);
    }
    put_back();
    counting_end();
}

/* --- IA32_PEBS_ENABLE --- */

/* Each alone; no counter runs. */
TEST_UNLESS(pebs, load_latency_bits_can_be_set, CLAIMS("PEBS-1", "DS-3"), NEEDS(PEBS_RECORDS),
            !pebs_latency_bits(),
            "IA32_PEBS_ENABLE[35:32] are no load latencies, or not known to be")
{
    uint64_t bits = pebs_latency_bits();

    test_under(t, UNDER(PEBS) | UNDER(DISABLED));
    for (; bits; bits &= bits - 1) {
        enum write_outcome outcome =
            write_and_look(t, "IA32_PEBS_ENABLE", IA32_PEBS_ENABLE, bits & -bits);

        EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK, "writing %#lx to IA32_PEBS_ENABLE: %s",
               bits & -bits, write_outcome_text(outcome));
    }
    pebs_disable();
}

TEST_UNLESS(pebs, enable_keeps_no_reserved_bit, CLAIMS("PEBS-1", "DS-3"), NEEDS(PEBS_RECORDS),
            !pebs_reserved_bits(),
            "it is not known which bits of IA32_PEBS_ENABLE this model reserves")
{
    static struct reserved_bits seen;
    const struct reserved_register enable = {"IA32_PEBS_ENABLE", IA32_PEBS_ENABLE,
                                             pebs_reserved_bits(), pebs_counters()};

    test_under(t, UNDER(PEBS) | UNDER(DISABLED));
    reserved_bits_check(t, &seen, &enable);
    reserved_bits_observe(t, &seen, "IA32_PEBS_ENABLE");
}
