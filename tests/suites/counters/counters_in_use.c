/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does IA32_PERF_GLOBAL_INUSE (version 4) follow the counters' controls, and nothing else? */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/reserved_bits.h"

#define IN_USE_PMI_FIGURE (1ull << 63)
#define IN_USE_PMI_TEXT   (1ull << 32) /* what the text prints; also fixed counter 0 */

/* What has a meaning there for sure (F6.9): no fixed counter past the third, no general-purpose one
 * past the eighth (F21.23). Nothing of counters of others. */
static uint64_t in_use_mask(void)
{
    const uint64_t nameless = ~0ull << 35 | (UINT32_MAX & ~0xffull);

    return (pmu_all_counters() & ~nameless) | pmu_ours(IN_USE_PMI_FIGURE | IN_USE_PMI_TEXT);
}

static uint64_t in_use(void)
{
    uint64_t value = 0;

    rdmsr_safe(IA32_PERF_GLOBAL_INUSE, &value);
    return value & in_use_mask();
}

#define FIRST_NAMELESS 3u /* fixed counter: the manual names the bits of three */
#define FIRST_NEWER    8u /* general-purpose counter */

static bool is_nameless(struct counter counter)
{
    return counter.number >= (counter.fixed ? FIRST_NAMELESS : FIRST_NEWER);
}

static void learn_nameless(struct test_context *t, struct counter counter)
{
    uint64_t value = 0;

    rdmsr_safe(IA32_PERF_GLOBAL_INUSE, &value);
    if (is_nameless(counter))
        choice_learn(t,
                     counter.fixed && counter.number == FIRST_NAMELESS ? CHOICE_INUSE_FIXED_3
                                                                       : CHOICE_INUSE_NEWER,
                     value & pmu_global_bit(counter) ? VALUE_YES : VALUE_NO);
}

/* F6.9: a selected event, or an enabled fixed counter, whatever its flags for interrupts. */
static void check_in_use(struct test_context *t, struct counter counter)
{
    uint64_t bit = pmu_global_bit(counter) & in_use_mask();

    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_INUSE with nothing in use", in_use(), 0);
    for (unsigned flags = COUNTER_OS; flags <= (COUNTER_OS | COUNTER_USR); flags++) {
        pmu_program(counter, PMU_CORE_CYCLES, flags);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_INUSE with this counter in use", in_use(),
                     bit);
        learn_nameless(t, counter);
    }
    if (!counter.fixed) {
        wrmsr_safe(pmu_select_register(counter.number),
                   pmu_event_select(PMU_CORE_CYCLES, 0) & 0xff);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_INUSE with an event selected, not enabled",
                     in_use(), bit);
    }
    pmu_program_off(counter);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_INUSE with nothing in use again", in_use(), 0);
}

TEST(counters, in_use_follows_the_controls, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    counting_each(t, NULL, NULL, check_in_use);
}

/* Bits of a select: what those above 31, which came later, say there is open (F21.23). */
#define SELECT_KNOWN 32u

/*
 * By bits 7:0 of the select and no other: each bit of the register alone, but for that of the
 * interrupt, where it can be set (F6.9).
 */
static void check_in_use_by_select(struct test_context *t, struct counter counter)
{
    uint32_t number = pmu_select_register(counter.number);

    for (unsigned bit = 0; bit < SELECT_KNOWN; bit++) {
        uint64_t select = 1ull << bit;

        if (select == PERFEVTSEL_INT || exception_happened(wrmsr_safe(number, select)))
            continue;
        EXPECT(t, MSR_VALUE, in_use() == (bit < 8 ? pmu_global_bit(counter) & in_use_mask() : 0),
               "IA32_PERF_GLOBAL_INUSE is %#lx with IA32_PERFEVTSEL%u = %#lx", in_use(),
               counter.number, select);
    }
}

TEST(counters, in_use_follows_the_event_alone, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    counting_each_general(t, check_in_use_by_select);
}

/* By bits 1:0 of the field and no other, but for that of the interrupt (F6.3, F6.9). */
static void check_in_use_by_field(struct test_context *t, unsigned number)
{
    const struct counter counter = {.fixed = true, .number = number};

    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t control = pmu_fixed_control_with(1ull << bit);
        bool rings = bit / 4 == number && bit % 4 < 2;

        if (bit / 4 != number && bit != 32 + 4 * number)
            continue;
        if (bit % 4 == 3 || exception_happened(wrmsr_safe(IA32_FIXED_CTR_CTRL, control)))
            continue;
        EXPECT(t, MSR_VALUE, in_use() == (rings ? pmu_global_bit(counter) & in_use_mask() : 0),
               "IA32_PERF_GLOBAL_INUSE is %#lx with IA32_FIXED_CTR_CTRL = %#lx", in_use(), control);
    }
}

TEST(counters, in_use_follows_the_rings_of_a_fixed_one, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    pmu_reset();
    for (unsigned i = 0; i < pmu_fixed_count() && !test_has_failed(t); i++)
        if (pmu_counter_exists((struct counter){.fixed = true, .number = i}))
            check_in_use_by_field(t, i);
    counting_end();
}

static bool is_in_use_pmi(uint64_t value)
{
    return value == IN_USE_PMI_FIGURE || value == IN_USE_PMI_TEXT;
}

/* Where others use fixed counter 0 its bit is theirs, and cannot tell of interrupts. */
static bool may_hide_in_use_pmi(void)
{
    return !pmu_ours(IN_USE_PMI_TEXT);
}

static void hold_in_use_pmi(struct test_context *t, uint64_t found)
{
    EXPECT(t, MSR_VALUE, is_in_use_pmi(found) || (!found && may_hide_in_use_pmi()),
           "IA32_PERF_GLOBAL_INUSE is %#lx, expected the PMI bit alone", found);
    if (is_in_use_pmi(found))
        choice_learn(t, CHOICE_IN_USE_PMI,
                     found == IN_USE_PMI_FIGURE ? VALUE_BIT_63 : VALUE_BIT_32);
}

/* By a counter that nothing else says is in use. */
static void ask_for_interrupt(struct counter counter)
{
    if (counter.fixed)
        pmu_program(counter, PMU_EVENT_COUNT, COUNTER_PMI);
    else
        wrmsr_safe(pmu_select_register(counter.number), PERFEVTSEL_INT);
}

static void check_in_use_pmi(struct test_context *t, struct counter counter)
{
    ask_for_interrupt(counter);
    if (in_use() || !is_nameless(counter))
        hold_in_use_pmi(t, in_use());
}

TEST(counters, in_use_tells_of_interrupts, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    counting_each(t, NULL, NULL, check_in_use_pmi);
}

/* However many ask, it is one bit. */
TEST(counters, in_use_tells_of_several_interrupts, CLAIMS("PM-1"), NEEDS(PERFMON4))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    pmu_reset();
    for (unsigned i = 0; i < count; i++) {
        ask_for_interrupt(counters[i]);
        hold_in_use_pmi(t, in_use());
    }
    counting_end();
}

/*
 * Each bit of IA32_PEBS_ENABLE that the facts know: 3:0 say that the interrupt is in use, load
 * latencies do not (F6.9). What counters past the fourth say is left open: they came later.
 */
TEST(counters, in_use_tells_of_pebs_of_each_counter, CLAIMS("PM-1"), NEEDS(PERFMON4, PEBS_RECORDS))
{
    uint64_t counters = pebs_counters() & 15, bits = counters | pebs_latency_bits();

    for (; bits; bits &= bits - 1) {
        uint64_t bit = bits & -bits;

        wrmsr_safe(IA32_PEBS_ENABLE, bit);
        if (bit & counters)
            hold_in_use_pmi(t, in_use());
        else
            EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_INUSE with a load latency alone", in_use(),
                         0);
    }
    wrmsr_safe(IA32_PEBS_ENABLE, 0);
}

TEST(counters, in_use_tells_of_pebs, CLAIMS("PM-1"), NEEDS(PERFMON4, PEBS))
{
    if (skipped_as_not_lent(t, FEATURE_PEBS_RECORDS))
        return;
    wrmsr_safe(IA32_PEBS_ENABLE, 1);
    hold_in_use_pmi(t, in_use());
    wrmsr_safe(IA32_PEBS_ENABLE, 0);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_INUSE with nothing in use", in_use(), 0);
}
