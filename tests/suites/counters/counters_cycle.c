/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CMASK, INV and E of an event select: a counter compares the events of each cycle with a
 * threshold, or counts how often the comparison comes true (F6.21). How many cycles a workload
 * takes is every processor's own, so that only what holds on all of them is tested.
 */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/run/retry.h"

#define PERFEVTSEL_EDGE      (1u << 18)
#define PERFEVTSEL_INV       (1u << 23)
#define PERFEVTSEL_CMASK(n)  ((uint64_t)(n) << 24)
#define MORE_THAN_ANY_RETIRE 32u /* instructions in a cycle; 8 to 12 are the most that is known */

#define ITERATIONS 10

/* Each iteration is a string instruction of many cycles and one branch. */
static const struct counting counting = {.workload = &workload_counted_string,
                                         .iterations = ITERATIONS};

static void run_now(void)
{
    pmu_set_global_control(pmu_all_counters());
    counting_run_workload(&counting);
    pmu_set_global_control(0);
}

static void run_once(uint64_t select, uint64_t more, uint64_t mask)
{
    pmu_reset();
    PMU_EACH_GENERAL(i)
        wrmsr_safe(pmu_select_register(i), select | (mask >> i & 1 ? more : 0));
    run_now();
}

/* All general-purpose counters at once, from zero; those of the mask with more in their select.
 * Again where the firmware's SMI came meanwhile: it is counted, too (F10.3). */
static void run_some(enum pmu_event event, uint64_t more, uint64_t mask)
{
    struct retry retry = retry_begin();

    do
        run_once(pmu_event_select(event, COUNTER_OS | COUNTER_USR), more, mask);
    while (retry_if_disturbed(&retry));
}

static void run_all(enum pmu_event event, uint64_t more)
{
    run_some(event, more, ~0ull);
}

static void expect_all(struct test_context *t, uint64_t least, uint64_t most, const char *what)
{
    PMU_EACH_GENERAL(i) {
        struct counter counter = {.number = i};
        uint64_t value = pmu_read(counter);

        EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, value, least, most, "IA32_PMC%u, %s", i, what);
    }
}

static bool lacks(struct test_context *t, enum pmu_event event)
{
    bool missing = !pmu_event_available(event);

    if (missing)
        test_skip(t, "CPUID.0AH:EBX: no %s", pmu_event_name(event));
    return missing;
}

/* Each bit of CMASK is seen; one that no cycle reaches leaves nothing, inverted every cycle. */
TEST(counters, no_cycle_reaches_a_high_threshold, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    uint64_t all;

    if (lacks(t, PMU_INSTRUCTIONS))
        return;
    run_all(PMU_INSTRUCTIONS, PERFEVTSEL_INV);
    expect_all(t, ITERATIONS, UINT64_MAX, "instructions, INV without a threshold");
    run_all(PMU_INSTRUCTIONS, 0);
    all = pmu_read((struct counter){.number = 0}) + COUNT_SLACK;
    for (unsigned n = 2; n < MORE_THAN_ANY_RETIRE; n *= 2) {
        run_all(PMU_INSTRUCTIONS, PERFEVTSEL_CMASK(n));
        expect_all(t, 0, all / n, "cycles in which as many instructions retire as the threshold");
    }
    for (unsigned n = MORE_THAN_ANY_RETIRE; n < 256; n *= 2) {
        run_all(PMU_INSTRUCTIONS, PERFEVTSEL_CMASK(n));
        expect_all(t, 0, 0, "instructions of cycles that reach a threshold of 32 or more");
        run_all(PMU_INSTRUCTIONS, PERFEVTSEL_CMASK(n) | PERFEVTSEL_EDGE);
        expect_all(t, 0, 0, "how often a cycle begins to reach it");
        run_all(PMU_INSTRUCTIONS, PERFEVTSEL_CMASK(n) | PERFEVTSEL_INV);
        expect_all(t, 1, UINT64_MAX, "cycles that do not reach it");
    }
    counting_end();
}

/* One of them alone, beside counters that count every instruction; and every one but it. */
static void check_own_threshold(struct test_context *t, uint64_t mask)
{
    run_some(PMU_INSTRUCTIONS, PERFEVTSEL_CMASK(MORE_THAN_ANY_RETIRE), mask);
    PMU_EACH_GENERAL(i) {
        uint64_t value = pmu_read((struct counter){.number = i});
        bool limited = mask >> i & 1;

        EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, value, limited ? 0 : ITERATIONS,
                       limited ? 0 : UINT64_MAX, "IA32_PMC%u, %s threshold, beside others", i,
                       limited ? "with a" : "without");
    }
}

TEST(counters, threshold_is_each_counters_own, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    if (lacks(t, PMU_INSTRUCTIONS))
        return;
    PMU_EACH_GENERAL(i) {
        check_own_threshold(t, 1ull << i);
        check_own_threshold(t, ~(1ull << i));
    }
    counting_end();
}

/* Counted at the same time by counters with a threshold of one and without: a cycle is one event,
 * of its own cycle. A few may go by between the first counter's start and the last one's. */
TEST(counters, a_cycle_is_one_event_of_its_own_cycle, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    if (lacks(t, PMU_CORE_CYCLES))
        return;
    if (pmu_general_from(1) == PMU_GENERAL_MAX) {
        test_skip(t, "CPUID.0AH:EAX[15:8] = %u: no second counter", pmu_general_count());
        return;
    }
    run_some(PMU_CORE_CYCLES, PERFEVTSEL_CMASK(1), ~1ull);
    for (unsigned i = pmu_general_from(1); i < PMU_GENERAL_MAX; i = pmu_general_from(i + 1)) {
        uint64_t plain = pmu_read((struct counter){.number = 0});
        uint64_t value = pmu_read((struct counter){.number = i});

        EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, value, plain - plain / 8, plain + plain / 8 + 1,
                       "cycles of IA32_PMC%u, with a threshold of one; IA32_PMC0 has %lu", i,
                       plain);
    }
    counting_end();
}

/* A branch behind each long instruction is a transition of its own. */
TEST(counters, edges_are_counted_by_several_at_once, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    if (lacks(t, PMU_BRANCHES))
        return;
    run_all(PMU_BRANCHES, PERFEVTSEL_EDGE | PERFEVTSEL_CMASK(1));
    expect_all(t, ITERATIONS, UINT64_MAX, "how often a cycle with branches follows one without");
    counting_end();
}

/* Each of them alone; the others meanwhile see an event in every cycle. */
TEST(counters, edges_are_each_counters_own, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    const uint64_t edge = PERFEVTSEL_EDGE | PERFEVTSEL_CMASK(1);
    const uint64_t cycles = pmu_event_select(PMU_CORE_CYCLES, COUNTER_OS) | edge;

    if (lacks(t, PMU_BRANCHES) || lacks(t, PMU_CORE_CYCLES))
        return;
    PMU_EACH_GENERAL(i) {
        const struct counter counter = {.number = i};

        PMU_EACH_GENERAL(n)
            wrmsr_safe(pmu_select_register(n), cycles);
        pmu_program_off(counter);
        wrmsr_safe(pmu_select_register(i), pmu_event_select(PMU_BRANCHES, COUNTER_OS) | edge);
        pmu_write(counter, 0);
        run_now();
        EXPECT(t, COUNT_LOW, pmu_read(counter) >= ITERATIONS,
               "IA32_PMC%u counts %lu cycles with branches that follow one without, at least %u "
               "were there",
               i, pmu_read(counter), ITERATIONS);
    }
    counting_end();
}

/* A threshold of 1: cycles with branches, and inverted the others, which string instructions make
 * the most of. */
TEST(counters, threshold_of_one_tells_cycles_apart, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    uint64_t branches;

    if (lacks(t, PMU_BRANCHES))
        return;
    run_all(PMU_BRANCHES, 0);
    branches = pmu_read((struct counter){.number = 0});
    run_all(PMU_BRANCHES, PERFEVTSEL_CMASK(1));
    expect_all(t, ITERATIONS, branches + COUNT_SLACK, "cycles with branches");
    run_all(PMU_BRANCHES, PERFEVTSEL_CMASK(1) | PERFEVTSEL_INV);
    expect_all(t, branches + COUNT_SLACK + 1, UINT64_MAX, "cycles without one");
    run_all(PMU_BRANCHES, PERFEVTSEL_CMASK(1) | PERFEVTSEL_INV | PERFEVTSEL_EDGE);
    expect_all(t, ITERATIONS - 1, branches + COUNT_SLACK, "how often a cycle without follows");
    counting_end();
}

/* --- EQ (F21.8): as many events as CMASK says, and no more --- */

#define MOST_SLOTS 32u /* in a cycle; 8 are the most that is known */

/* One that comes several times in a cycle, best of all always as often. */
static enum pmu_event event_of_slots(void)
{
    if (pmu_event_available(PMU_SLOTS))
        return PMU_SLOTS;
    return pmu_event_available(PMU_FRONTEND_BOUND) ? PMU_FRONTEND_BOUND : PMU_INSTRUCTIONS;
}

/* Each cycle with events has some number of them: those of one number, over all numbers, are those
 * with one event or more. Run by run, so that half and twice as much are legal. */
TEST_UNLESS(counters, each_cycle_is_equal_to_one_threshold, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !(trace_features()->perfmon.own.select_bits & PERFMON_SELECT_EQUAL),
            "CPUID.23H, sub-leaf 0: EBX[1].EQ = 0")
{
    uint64_t sum[PMU_GENERAL_MAX] = {0};

    for (unsigned n = 1; n <= MOST_SLOTS; n++) {
        run_all(event_of_slots(), PERFEVTSEL_CMASK(n) | PERFEVTSEL_EQUAL);
        PMU_EACH_GENERAL(i)
            sum[i] += pmu_read((struct counter){.number = i});
    }
    run_all(event_of_slots(), PERFEVTSEL_CMASK(1));
    PMU_EACH_GENERAL(i) {
        uint64_t cycles = pmu_read((struct counter){.number = i});

        EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, sum[i], cycles / 2, 2 * cycles,
                       "IA32_PMC%u, cycles with 1, 2, … %u events; %lu with one or more", i,
                       MOST_SLOTS, cycles);
    }
    counting_end();
}

/* One string instruction is thousands of cycles in which the processor does not halt. */
TEST(counters, cycles_in_a_row_are_one_edge, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    uint64_t cycles;

    if (lacks(t, PMU_CORE_CYCLES))
        return;
    run_all(PMU_CORE_CYCLES, 0);
    cycles = pmu_read((struct counter){.number = 0});
    run_all(PMU_CORE_CYCLES, PERFEVTSEL_EDGE | PERFEVTSEL_CMASK(1));
    expect_all(t, 0, cycles / 2, "how often the processor began not to be halted");
    counting_end();
}
