/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_when.h"

#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_events.h"

static unsigned periods_of(uint64_t first, uint64_t reset)
{
    return (first >= SAMPLE_LONG_PERIOD ? CHOICE_FIRST_LONG : 0) |
           (reset >= SAMPLE_LONG_PERIOD ? CHOICE_LATER_LONG : 0);
}

static enum choice_value known_when(const struct sampling_counter *item)
{
    return choice_of(CHOICE_PEBS_WHEN, item->counter.number, periods_of(item->first, item->reset));
}

static uint64_t apart_at(const struct sampling *trial, size_t slot)
{
    enum pmu_event event = trial->counters[0].event;

    return sample_event_of_slot(event, slot) - sample_event_of_slot(event, slot - 1);
}

/* What later records tell, where there are any and they agree: one may be late (HSD110). */
static void learn_spacing(struct test_context *t, const struct sampling *trial)
{
    const struct sampling_counter *item = &trial->counters[0];
    uint64_t apart = trial->index < 2 ? 0 : apart_at(trial, 1);

    if (!apart || (trial->index > 2 && apart_at(trial, 2) != apart))
        return;
    choice_learn(t, CHOICE_PEBS_SPACING,
                 apart == item->reset ? VALUE_PERIOD : VALUE_PERIOD_PLUS_ONE, item->counter.number);
}

static void learn(struct test_context *t, const struct sampling_counter *like, unsigned periods)
{
    struct sampling trial = sample_default(like->event);
    struct sampling_counter *item = &trial.counters[0];

    item->counter = like->counter;
    if (periods & CHOICE_FIRST_LONG)
        item->first = SAMPLE_LONG_PERIOD + 2;
    if (periods & CHOICE_LATER_LONG)
        item->reset = SAMPLING_NEVER;
    if (!sampling_try(t, &trial) || trial.index == 0)
        return;
    choice_learn(t, CHOICE_PEBS_WHEN,
                 sample_event_of_slot(item->event, 0) == item->first ? VALUE_OVERFLOWING
                                                                     : VALUE_NEXT,
                 item->counter.number, periods);
    learn_spacing(t, &trial);
}

static bool can_learn(const struct sampling_counter *item)
{
    return !item->plain && !item->counter.fixed && pmu_event_is_branches(item->event) &&
           item->counter.number < AXIS_GENERAL_POINTS;
}

void sample_learn_when(struct test_context *t, const struct sampling *sampling)
{
    for (unsigned i = 0; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];

        if (!can_learn(item))
            continue;
        if (choice_of(CHOICE_PEBS_SPACING, item->counter.number) == VALUE_UNKNOWN)
            learn(t, item, 0);
        if (known_when(item) == VALUE_UNKNOWN)
            learn(t, item, periods_of(item->first, item->reset));
    }
}

static bool is_overflowing(const struct sampling_counter *item, unsigned periods)
{
    return !item->counter.fixed && item->counter.number < AXIS_GENERAL_POINTS &&
           choice_of(CHOICE_PEBS_WHEN, item->counter.number, periods) == VALUE_OVERFLOWING &&
           pebs_may_store_at_overflow(item->counter.number);
}

uint64_t sample_delay(const struct sampling_counter *item, size_t number)
{
    unsigned periods = periods_of(number ? item->reset : item->first, item->reset);

    return is_overflowing(item, periods) ? 0 : 1;
}

static bool counts_the_storing_event(const struct sampling_counter *item)
{
    unsigned number = item->counter.fixed ? 0 : item->counter.number;

    return choice_of(CHOICE_PEBS_SPACING, number) != VALUE_PERIOD_PLUS_ONE;
}

uint64_t sample_spacing(const struct sampling_counter *item, size_t number)
{
    uint64_t before = counts_the_storing_event(item) ? sample_delay(item, number - 1) : 0;

    return item->reset + sample_delay(item, number) - before;
}

uint64_t sample_storing_event(const struct sampling_counter *item, size_t number)
{
    uint64_t event = item->first + sample_delay(item, 0);

    if (number > 0)
        event += sample_spacing(item, 1);
    if (number > 1)
        event += (number - 1) * sample_spacing(item, 2);
    return event;
}

size_t sample_records_by(const struct sampling_counter *item, uint64_t last)
{
    size_t count = 0;

    while (sample_storing_event(item, count) <= last)
        count++;
    return count;
}

uint64_t sample_counted_since(const struct sampling_counter *item, uint64_t event, uint64_t last)
{
    size_t number = event == sample_storing_event(item, 0) ? 0 : 1;

    return last - event + (counts_the_storing_event(item) ? sample_delay(item, number) : 0);
}

uint64_t sample_at_overflow(struct test_context *t, enum pmu_event event, uint64_t counters,
                            uint64_t first, const struct pebs_layout *layout)
{
    uint64_t found = 0;

    for (uint64_t left = counters; left; left &= left - 1) {
        struct sampling trial = sample_default(event);
        struct sampling_counter *item = &trial.counters[0];

        item->counter.number = (unsigned)__builtin_ctzll(left);
        item->first = first;
        item->reset = -layout->reset[item->counter.number] & pmu_counter_mask(item->counter);
        sample_learn_when(t, &trial);
        found |= sample_delay(item, 0) ? 0 : left & -left;
    }
    return found;
}
