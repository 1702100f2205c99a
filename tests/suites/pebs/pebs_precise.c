/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do events that are not precise leave no record, whichever counter counts them? */
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_short.h"

/* Architectural events that no processor calls precise, and that every workload causes. */
static const struct {
    enum pmu_event event;
    const char *name;
} not_precise[] = {
    {PMU_CORE_CYCLES, "core_cycles"},
    {PMU_REFERENCE_CYCLES, "reference_cycles"},
};

#define EVENTS COUNT_OF(not_precise)

/* Whether it was loaded again since or not. */
static bool has_wrapped(const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];

    return ((item->value + item->first) & pmu_counter_mask(item->counter)) >= item->first;
}

/* The count shows that it overflowed. The record clears its bit (F3.63); the manual does not say
 * what happens without a record (F3.75). */
static void expect_overflow(struct test_context *t, const struct sampling *sampling)
{
    const struct sampling_counter *item = &sampling->counters[0];
    bool told = sampling->status & pmu_global_bit(item->counter);

    if (has_wrapped(sampling))
        choice_learn(t, CHOICE_PEBS_UNSTORED, told ? VALUE_YES : VALUE_NO, item->event);
    else
        test_skip(t, "the counter, at %#lx, does not count what it cannot sample (F3.75)",
                  item->value);
}

/* One overflow of one counter. Reference cycles may be too long for more. */
static void check_not_precise(struct test_context *t, enum pmu_event event, struct counter counter)
{
    struct sampling sampling = sample_default(event);

    sampling.counters[0].counter = counter;
    sampling.counters[0].reset = SAMPLING_NEVER;
    if (event != PMU_CORE_CYCLES)
        sampling.counters[0].first = 1;
    if (!sampling_run(t, &sampling))
        return;
    sampling_expect_no_stray_write(t, sampling.index);
    if (!sampling.index && !has_wrapped(&sampling) && event != PMU_CORE_CYCLES) {
        test_skip(t, "CPUID.0AH: %s, but none in so short a workload", pmu_event_name(event));
    } else if (pebs_samples_every_event()) {
        choice_learn(t, CHOICE_PEBS_NOT_PRECISE, sampling.index ? VALUE_YES : VALUE_NO, event);
        EXPECT(t, PEBS_EXTRA, sampling.index <= 1, "%zu records of one overflow", sampling.index);
    } else {
        EXPECT(t, PEBS_EXTRA, !sampling.index, "%zu records of %s, which are not precise",
               sampling.index, pmu_event_name(event));
        expect_overflow(t, &sampling);
    }
}

TEST(pebs, events_that_are_not_precise, CLAIMS("PEBS-5"), NEEDS(PEBS_RECORDS, PMI))
{
    if (!pmu_event_available(PMU_CORE_CYCLES))
        test_skip(t, "CPUID.0AH:EBX[0] = 1: no event core cycles");
    else
        check_not_precise(t, PMU_CORE_CYCLES, (struct counter){.number = 0});
}

static unsigned count_events(void)
{
    unsigned count = 0;

    for (size_t i = 0; i < EVENTS; i++)
        count += pmu_event_available(not_precise[i].event);
    return count;
}

static bool is_sampling_counter(unsigned number)
{
    const struct counter counter = {.number = number};

    return pebs_counters() & PEBS_GENERAL(number) && pmu_counter_exists(counter);
}

static void check_events_of(struct test_context *t, unsigned number)
{
    const struct counter counter = {.number = number};

    for (size_t i = 0; i < EVENTS; i++) {
        if (!pmu_event_available(not_precise[i].event))
            continue;
        test_begin(t, "PEBS-5", "pmc%u_%s", number, not_precise[i].name);
        check_not_precise(t, not_precise[i].event, counter);
        test_end(t);
    }
}

TEST(pebs, events_that_are_not_precise_on_each_counter, CLAIMS("PEBS-5"), NEEDS(PEBS_RECORDS, PMI))
{
    unsigned events = count_events(), counters = 0;

    if (!events) {
        test_skip(t, "CPUID.0AH:EBX[0] = EBX[2] = 1: neither core nor reference cycles");
        return;
    }
    for (unsigned number = 0; number < PEBS_GENERAL_RESETS; number++)
        counters += is_sampling_counter(number);
    test_plan(t, counters * events);
    for (unsigned number = 0; number < PEBS_GENERAL_RESETS; number++)
        if (is_sampling_counter(number))
            check_events_of(t, number);
}

/* --- while other counters count, too --- */

/* All that are in the mask of the global registers, but for the first general-purpose one. */
static void check_beside(struct test_context *t, uint64_t others)
{
    struct sampling sampling = sample_short(PMU_CORE_CYCLES);
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count && sampling.count < COUNT_OF(sampling.counters); i++)
        if (others & pmu_global_bit(counters[i]))
            sampling_add(&sampling, counters[i], PMU_INSTRUCTIONS, SAMPLING_NEVER, SAMPLING_NEVER)
                ->plain = true;
    if (!sampling_run(t, &sampling))
        return;
    EXPECT(t, PEBS_EXTRA, !sampling.index, "%zu records of %s, which are not precise",
           sampling.index, pmu_event_name(PMU_CORE_CYCLES));
    expect_overflow(t, &sampling);
    if (test_has_failed(t))
        test_note(t, "the bits of the other counters in IA32_PERF_GLOBAL_CTRL: %#lx", others);
}

TEST(pebs, events_that_are_not_precise_beside_other_counters, CLAIMS("PEBS-5"),
     NEEDS(PEBS_RECORDS, PERFMON2, PMI))
{
    uint64_t others = pmu_all_counters() & ~1ull;

    if (!pmu_event_available(PMU_CORE_CYCLES) || pebs_samples_every_event()) {
        test_skip(t, "this processor samples every event, or has no event core cycles");
        return;
    }
    for (uint64_t left = others; left && !test_has_failed(t); left &= left - 1)
        check_beside(t, left & -left);
    check_beside(t, others);
}
