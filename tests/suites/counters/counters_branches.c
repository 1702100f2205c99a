/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches that are easily taken for none: one that leads to itself, and far ones. How many more
 * are counted for a far one differs (F21.32), so that of these only the least is tested. And what
 * no workload has a known number of: mispredicted branches, slots, and the
 * last cache's two events, which count where they are enumerated (F1.9).
 */
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"

#define ITERATIONS 200

static uint64_t measure(struct test_context *t, struct counting *counting, struct counter counter,
                        enum pmu_event event)
{
    counting->iterations = ITERATIONS;
    counting_add(counting, counter, event);
    return counting_measure(t, counting);
}

static void check_each_time(struct test_context *t, const struct counted_workload *workload,
                            enum pmu_event event)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(event, counters);

    for (unsigned n = 0; n < count; n++) {
        struct counting counting = {.workload = workload};
        uint64_t counted = measure(t, &counting, counters[n], event);

        counting_expect(t, &counting, event, COUNTER_OS, counted);
    }
    counting_end();
}

TEST(counters, a_branch_to_itself_counts_each_time, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    check_each_time(t, &workload_counted_self, PMU_INSTRUCTIONS);
    check_each_time(t, &workload_counted_self, PMU_BRANCHES);
}

/* Whatever microcode or a hypervisor does for them. */
static const struct {
    const char *name;
    const struct counted_workload *workload;
    unsigned circumstances; /* of counting branches */
} counted_microcode[] = {
    {"cpuid", &workload_counted_cpuid, UNDER(CPUID)},
    {"rdmsr", &workload_counted_rdmsr, 0},
    {"rdtsc", &workload_counted_rdtsc, 0},
    {"in_out", &workload_counted_in_out, 0},
    {"mov_cr", &workload_counted_mov_cr, 0},
    {"invlpg", &workload_counted_invlpg, 0},
    {"pause", &workload_counted_pause, 0},
};

TEST(counters, microcoded_instructions_count_once, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    TEST_EACH(t, row, counted_microcode, "PM-1", "%s", row->name) {
        check_each_time(t, row->workload, PMU_INSTRUCTIONS);
        test_under(t, row->circumstances);
        check_each_time(t, row->workload, PMU_BRANCHES);
    }
}

TEST(counters, far_branches_are_branches, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_BRANCHES, counters);

    if (!count)
        test_skip(t, "CPUID.0AH:EBX says that there is no event %s", pmu_event_name(PMU_BRANCHES));
    for (unsigned n = 0; n < count; n++) {
        struct counting counting = {.workload = &workload_counted_far};
        uint64_t counted = measure(t, &counting, counters[n], PMU_BRANCHES);
        uint64_t truth = counting_truth(&counting, PMU_BRANCHES, COUNTER_OS);

        EXPECT(t, COUNT_LOW, counted + counting_slack(&counting) >= truth,
               "%lu counted of %lu branches, half of them far", counted, truth);
        choice_learn(t, CHOICE_FAR_OVERCOUNT,
                     counted > truth + counting_slack(&counting) ? VALUE_YES : VALUE_NO);
    }
    counting_end();
}

/*
 * No predictor is right more than half the time about a random branch: of 400, half are
 * mispredicted with a deviation of 10, and 140 are six deviations fewer. An iteration's two other
 * branches always go the same way. The processor decides how often they are mispredicted (F6.25),
 * but it must not be most times.
 */
#define RANDOM_BRANCHES 400
#define RANDOM_LEAST    140

static void check_mispredicts(struct test_context *t, struct counter counter)
{
    struct counting counting = {.workload = &workload_counted_random,
                                .iterations = RANDOM_BRANCHES};
    uint64_t counted, truth;

    counting_add(&counting, counter, PMU_BRANCH_MISPREDICTS);
    counted = counting_measure(t, &counting);
    truth = counting_truth(&counting, PMU_BRANCHES, COUNTER_OS);
    EXPECT_BETWEEN(t, COUNT_LOW, COUNT_HIGH, counted, RANDOM_LEAST, truth / 4 * 3,
                   "%lu counted as mispredicted of %lu branches, %u of them at random", counted,
                   truth, RANDOM_BRANCHES);
}

TEST(counters, random_branches_are_mispredicted, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_BRANCH_MISPREDICTS, counters);

    if (!count)
        test_skip(t, "CPUID.0AH:EBX says that there is no event %s",
                  pmu_event_name(PMU_BRANCH_MISPREDICTS));
    test_under(t, UNDER(MISPREDICTS));
    for (unsigned n = 0; n < count; n++)
        check_mispredicts(t, counters[n]);
    counting_end();
}

/* Fixed counter 3 (F6.4); how many slots a cycle has is the processor's own, but each iteration has
 * many instructions, and no slot more than one or two. */
static const struct counter slots = {.fixed = true, .number = 3};

TEST_UNLESS(counters, slots_are_counted, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !pmu_counter_exists(slots),
            pmu_counter_enumerated(slots) ? "others use fixed counter 3"
                                          : "CPUID.0AH: no fixed counter 3")
{
    struct counting counting = {.workload = &workload_counted_loop};
    uint64_t counted;

    counted = measure(t, &counting, slots, PMU_SLOTS);
    EXPECT(t, COUNT_LOW, counted > 2 * ITERATIONS, "counts %lu slots in %u iterations", counted,
           ITERATIONS);
    counting_end();
}

/* --- the last cache --- */

/* A read from memory in each iteration. How much is counted is the processor's own affair. */
static void check_cache_event(struct test_context *t, enum pmu_event event)
{
    struct counting counting = {.workload = &workload_counted_misses, .iterations = ITERATIONS};

    counting_add(&counting, (struct counter){.number = 0}, event);
    test_under(t, UNDER(LLC));
    counting_run(t, &counting);
    EXPECT(t, COUNT_LOW, counting_counted(&counting.items[0]),
           "counts nothing while %u lines that no cache holds are read", ITERATIONS);
    counting_end();
}

TEST(counters, cache_events_count_where_enumerated, CLAIMS("PM-1"), NEEDS(PERFMON))
{
    static const enum pmu_event events[] = {PMU_LLC_REFERENCES, PMU_LLC_MISSES};

    TEST_EACH(t, event, events, NULL, "%s",
              *event == PMU_LLC_MISSES ? "LLC_misses" : "LLC_references") {
        if (pmu_event_available(*event))
            check_cache_event(t, *event);
        else
            test_skip(t, "CPUID.0AH:EBX[%u] = 1 or beyond EAX[31:24]", *event);
    }
}
