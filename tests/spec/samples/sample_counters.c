/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_counters.h"

#include "tests/run/counting.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_when.h"

#define FIRST          50 /* events to the first overflow of the first counter */
#define FIRST_EXTENDED 4  /* general-purpose counters below sample without extended PEBS (F3.60) */

bool sample_counter_samples(struct counter counter)
{
    uint64_t sampling = sampling_is_architectural() ? pebs_arch_counters() : pebs_counters();

    return sampling & sampling_bit(counter) && pmu_counter_exists(counter);
}

unsigned sample_counters(struct counter *list)
{
    unsigned count = 0, all = pmu_counters(list);

    for (unsigned i = 0; i < all; i++)
        if (sample_counter_samples(list[i]))
            list[count++] = list[i];
    return count;
}

static enum pmu_event event_of(struct test_context *t, struct counter counter)
{
    return counter.fixed ? pmu_fixed_event(counter.number) : sample_best_event(t);
}

enum pmu_event sample_exact_event(struct test_context *t, struct counter counter)
{
    enum pmu_event event = event_of(t, counter);

    return event < PMU_EVENT_COUNT && counting_is_exact(event) ? event : PMU_EVENT_COUNT;
}

void sample_skip_counter(struct test_context *t, struct counter counter)
{
    if (counter.fixed || sample_is_possible(t, sample_best_event(t)))
        test_skip(t, "this counter counts no event whose truth is known");
}

static bool sampling_of(struct test_context *t, struct counter counter, enum pmu_event event,
                        struct sampling *sampling)
{
    if (event == PMU_EVENT_COUNT) {
        sample_skip_counter(t, counter);
        return false;
    }
    *sampling = sample_default(event);
    sampling->counters[0].counter = counter;
    return true;
}

bool sample_of_counter(struct test_context *t, struct counter counter, struct sampling *sampling)
{
    return sampling_of(t, counter, event_of(t, counter), sampling);
}

bool sample_of_exact_counter(struct test_context *t, struct counter counter,
                             struct sampling *sampling)
{
    return sampling_of(t, counter, sample_exact_event(t, counter), sampling);
}

bool sample_run_counter(struct test_context *t, struct counter counter, struct sampling *sampling)
{
    return sample_of_exact_counter(t, counter, sampling) && sampling_run(t, sampling);
}

/* Events: whatever comes of an overflow has come by then, eight slots in a cycle or not. */
#define LONG_BEFORE 4000

/* Reloaded since or not. */
static bool overflowed_long_ago(const struct sampling_counter *item)
{
    uint64_t mask = pmu_counter_mask(item->counter), counted = (item->value + item->first) & mask;
    bool reloaded = item->value & ~(mask >> 1);
    uint64_t since = (reloaded ? item->value + item->reset : item->value) & mask;

    return counted >= item->first && since >= LONG_BEFORE;
}

/* Tried each time: it is asked for only where something is amiss already. */
static bool is_sampled_by_another(struct test_context *t, enum pmu_event event)
{
    struct sampling trial = sample_default(event);

    trial.counters[0].counter = (struct counter){.number = pmu_general_from(0)};
    trial.counters[0].reset = SAMPLING_NEVER;
    return event < PMU_EVENT_COUNT && pmu_event_available(event) &&
           sample_counter_samples(trial.counters[0].counter) && sampling_try(t, &trial) &&
           trial.index > 0;
}

void sample_judge_none(struct test_context *t, const struct sampling *sampling, const char *reason)
{
    const struct sampling_counter *item = &sampling->counters[0];
    enum pmu_event event = pmu_fixed_event(item->counter.number);

    if (!overflowed_long_ago(item) || !is_sampled_by_another(t, event)) {
        test_skip(t, "%s", reason);
        return;
    }
    FIND(t, PEBS_MISSING,
         "no record, and the counter overflowed: it is at %#lx, and PMC%u stores one for %s",
         item->value, pmu_general_from(0), pmu_event_name(event));
    test_breaks(t, sampling_is_architectural() ? "APEBS-4" : "PEBS-6");
}

bool sample_counter_is_extended(struct counter counter)
{
    return counter.fixed || counter.number >= FIRST_EXTENDED;
}

void sample_each_counter(struct test_context *t, const char *claim, const char *extended,
                         void (*check)(struct test_context *t, struct counter counter))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);
    char name[16];

    sample_best_event(t); /* what it tries out, it tries before the first subtest */
    TEST_NUMBERS(t, i, 0, count, sample_counter_is_extended(counters[i]) ? extended : claim, "%s",
                 (pmu_counter_name(counters[i], name, sizeof name), name)) {
        test_breaks_too(t, claim);
        check(t, counters[i]);
    }
}

void sampling_add_all(struct sampling *sampling, enum pmu_event event, uint64_t apart)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);

    sampling->count = 0;
    for (unsigned i = 0; i < count && !counters[i].fixed; i++)
        sampling_add(sampling, counters[i], event, FIRST + apart * i, SAMPLING_NEVER - i);
}

bool sample_check_reload_of(struct test_context *t, const struct sampling *sampling,
                            unsigned number, uint64_t last_event)
{
    struct sampling alone = *sampling;

    alone.counters[0] = sampling->counters[number];
    return sample_check_reload(t, &alone, last_event);
}

void sample_check_apart(struct test_context *t, const struct sampling *sampling)
{
    uint64_t all = sampling_enabled(sampling);

    for (unsigned i = 0; i < sampling->count && !test_has_failed(t); i++) {
        const struct sampling_counter *item = &sampling->counters[i];
        uint64_t bit = sampling_bit(item->counter);
        const struct sample_expected expected = {
            .cause = sample_cause_of_event(item->event, sample_storing_event(item, 0)),
            .bits = bit,
            .others = all & ~bit,
        };
        struct pebs_record record;

        sampling_decode(i, &record);
        sample_check_record(t, sampling, &record, &expected);
        sample_check_reload_of(t, sampling, i, sample_storing_event(item, 0));
    }
}
