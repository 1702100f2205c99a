/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From version 6 on each counter has a block of registers (F21.13). Are the counter and the control
 * in it those that the older registers name, in both directions, and do they make it count? What
 * the older numbers of further counters do is open (F21.14).
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/write_outcome.h"

#define OLD_GENERAL 8u /* counters whose registers have old numbers for sure */
#define OLD_FIXED   4u

static uint32_t old_register(struct counter counter)
{
    return (counter.fixed ? IA32_FIXED_CTR0 : IA32_PMC0) + counter.number;
}

static bool has_old_numbers(struct counter counter)
{
    return counter.number < (counter.fixed ? OLD_FIXED : OLD_GENERAL);
}

static uint64_t by_rdpmc(struct counter counter)
{
    uint64_t value = 0;

    rdpmc_safe((counter.fixed ? RDPMC_FIXED : 0) | counter.number, &value);
    return value;
}

/* --- counters --- */

static void expect_seen(struct test_context *t, struct counter counter, uint32_t number,
                        uint64_t value, const char *by)
{
    uint64_t seen = ~value;
    struct exception exception = rdmsr_safe(number, &seen);

    EXPECT(t, MSR_REFUSES, !exception_happened(exception), "reading MSR %XH raises %s", number,
           exception_name(exception));
    EXPECT(t, MSR_VALUE, seen == value, "%#lx was written by %s: MSR %XH is %#lx", value, by,
           number, seen);
    EXPECT(t, MSR_VALUE, by_rdpmc(counter) == value, "%#lx was written by %s: RDPMC gives %#lx",
           value, by, by_rdpmc(counter));
}

static void write_and_see(struct test_context *t, struct counter counter, uint32_t written,
                          uint32_t read, uint64_t value)
{
    const char *by = written == old_register(counter) ? "the old number" : "the block";
    struct exception exception = wrmsr_safe(written, value);

    EXPECT(t, MSR_REFUSES, !exception_happened(exception), "writing %#lx to MSR %XH raises %s",
           value, written, exception_name(exception));
    expect_seen(t, counter, read, value, by);
}

/* The manual does not say whether this writes the whole counter, or 32 bits that are extended, as
 * its old number does (F6.22). */
static void learn_width(struct test_context *t, struct counter counter, uint32_t number)
{
    uint64_t value = 1ull << (pmu_width(counter) - 2), seen;

    wrmsr_safe(number, value);
    seen = pmu_read(counter);
    EXPECT(t, MSR_VALUE, seen == value || seen == 0, "wrote %#lx to MSR %XH: it is %#lx", value,
           number, seen);
    choice_learn(t, CHOICE_BLOCK_WRITE, seen == value ? VALUE_64_BITS : VALUE_32_BITS);
}

static void check_counter(struct test_context *t, struct counter counter)
{
    const uint64_t values[] = {0x12345678, 1, -1ull, -1ull << 31, -0x12345678ull, 0x7fffffff, 0};
    uint32_t old = old_register(counter), block = pmu_block_register(counter, PMU_BLOCK_CTR);

    for (size_t i = 0; i < COUNT_OF(values); i++) {
        uint64_t value = values[i] & pmu_counter_mask(counter);

        write_and_see(t, counter, block, block, value);
        if (!has_old_numbers(counter))
            continue;
        write_and_see(t, counter, block, old, ~value & pmu_counter_mask(counter) & INT32_MAX);
        write_and_see(t, counter, old, block, value);
    }
    if (!counter.fixed)
        learn_width(t, counter, block);
    wrmsr_safe(block, 0);
}

TEST(counters, blocks_name_the_same_counters, CLAIMS("PM-2"), NEEDS(PERFMON6))
{
    counting_each(t, NULL, NULL, check_counter);
}

/* Nothing of one counter's block is another's. */
TEST(counters, blocks_are_each_counters_own, CLAIMS("PM-2"), NEEDS(PERFMON6))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    pmu_reset();
    for (unsigned i = 0; i < count; i++)
        wrmsr_safe(pmu_block_register(counters[i], PMU_BLOCK_CTR), 0x1000 + i);
    for (unsigned i = 0; i < count; i++)
        expect_seen(t, counters[i], pmu_counter_register(counters[i]), 0x1000 + i, "its block");
    for (unsigned i = 0; i < count; i++)
        if (!counters[i].fixed)
            wrmsr_safe(pmu_block_register(counters[i], PMU_BLOCK_CFG_A), 0x100 + i);
    for (unsigned i = 0; i < count; i++)
        if (!counters[i].fixed)
            EXPECT_EQUAL(t, MSR_VALUE, "a control written by its block",
                         read_ours(pmu_select_register(counters[i].number)), 0x100 + i);
    pmu_reset();
}

/* --- controls --- */

/* Each bit that every processor has, alone and with the others clear, and those that CPUID.23H
 * enumerates (F6.2, F21.19). Pin control, bit 19, is left out, because nothing says that processors
 * this new still have it. */
static uint64_t select_bits(void)
{
    uint32_t told = trace_features()->perfmon.own.select_bits;
    uint64_t newer = told & PERFMON_SELECT_UNIT_MASK_2 ? PERFEVTSEL_UNIT_MASK_2 : 0;

    return (0xffd7ffffu & ~PERFEVTSEL_EN) | newer |
           (told & PERFMON_SELECT_EQUAL ? PERFEVTSEL_EQUAL : 0);
}

static void check_select_pair(struct test_context *t, uint32_t written, uint32_t read,
                              uint64_t value)
{
    struct exception exception = wrmsr_safe(written, value);
    uint64_t seen = ~value;

    rdmsr_safe(read, &seen);
    EXPECT(t, MSR_VALUE, !exception_happened(exception) && seen == value,
           "%#lx written to MSR %XH (%s): MSR %XH is %#lx", value, written,
           exception_name(exception), read, seen);
}

static void check_select(struct test_context *t, struct counter counter)
{
    uint32_t block = pmu_block_register(counter, PMU_BLOCK_CFG_A);
    uint32_t old = pmu_select_register(counter.number);

    for (uint64_t left = select_bits(); left; left &= left - 1) {
        check_select_pair(t, block, old, left & -left);
        check_select_pair(t, old, block, left);
        check_select_pair(t, block, old, select_bits() & ~(left & -left));
    }
    check_select_pair(t, old, block, 0);
}

TEST(counters, blocks_name_the_same_controls, CLAIMS("PM-2"), NEEDS(PERFMON6))
{
    counting_each_general(t, check_select);
}

/* --- counting --- */

/* Set up by the block alone; enabled by the global control. What the workload retires is counted,
 * with a little of what enables it. */
static void check_counts(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_loop, .iterations = 100};
    uint64_t truth = counting_truth(&counting, PMU_INSTRUCTIONS, COUNTER_OS);
    uint64_t bit = pmu_global_bit(counter), start = -(truth / 2) & pmu_counter_mask(counter), seen;

    pmu_reset();
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_A),
               pmu_event_select(PMU_INSTRUCTIONS, COUNTER_OS));
    wrmsr_safe(pmu_block_register(counter, PMU_BLOCK_CTR), start);
    pmu_set_global_control(bit);
    counting_run_workload(&counting);
    pmu_set_global_control(0);
    seen = rdmsr(pmu_counter_register(counter));
    EXPECT(t, COUNT_LOW, seen >= truth / 4 && seen < 2 * truth,
           "is %lu after %lu instructions, from -%lu on", seen, truth, truth / 2);
    EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", pmu_status() & pmu_status_mask(), bit);
}

TEST(counters, blocks_make_their_counter_count, CLAIMS("PM-2"), NEEDS(PERFMON6))
{
    if (pmu_event_available(PMU_INSTRUCTIONS))
        counting_each_general(t, check_counts);
    else
        test_skip(t, "CPUID.23H: no event %s", pmu_event_name(PMU_INSTRUCTIONS));
}

/* --- what is open --- */

/* Where they are there, and by which a write of one shows in the other. */
static void learn_old_number(struct test_context *t, struct counter counter)
{
    uint64_t value = 0;
    bool works;

    pmu_write(counter, 0x2345);
    works = !exception_happened(rdmsr_safe(old_register(counter), &value)) && value == 0x2345;
    choice_learn(t, CHOICE_OLD_NUMBERS, works ? VALUE_WORKS : VALUE_FAULT);
    pmu_write(counter, 0);
}

/* CFG_B and CFG_C of a counter that nothing reloads: read as 0, or not there. */
static void learn_lacking(struct test_context *t, struct counter counter)
{
    uint64_t value = 0;
    struct exception exception = rdmsr_safe(pmu_block_register(counter, PMU_BLOCK_CFG_B), &value);

    choice_learn(t, CHOICE_BLOCK_LACKING,
                 exception_happened(exception) ? VALUE_FAULT
                 : value                       ? VALUE_OTHERS
                                               : VALUE_NONE);
}

TEST(counters, open_registers_of_blocks, CLAIMS("PM-1"), NEEDS(PERFMON6))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++) {
        if (!has_old_numbers(counters[i]))
            learn_old_number(t, counters[i]);
        if (!(pmu_reloadable() & pmu_global_bit(counters[i])))
            learn_lacking(t, counters[i]);
    }
    pmu_reset();
}
