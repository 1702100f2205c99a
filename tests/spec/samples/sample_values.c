/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/samples/sample_values.h"

#include "tests/spec/choices/choices.h"
#include "tests/spec/samples/sample_when.h"

/* Events to a counter's overflow: far, and farther apart than any counter gets in a run. Where a
 * value is written as 32 bits that are extended it has its upper bits, too (F21.13). */
#define AHEAD(place) (0x1000000 * ((place) + 1ull))

#define SLOTS_COUNTER 3u /* fixed; starts from 0 where the metrics are asked for (F21.16) */

static bool is_slots(struct counter counter)
{
    return counter.fixed && counter.number == SLOTS_COUNTER;
}

bool sample_value_is_asked(const struct sample_values *asked, struct counter counter)
{
    return (counter.fixed ? asked->fixed : asked->general) >> counter.number & 1;
}

unsigned sample_values_counters(struct counter *list)
{
    unsigned count = 0, all = pmu_counters(list);

    for (unsigned i = 0; i < all; i++)
        if (list[i].number < (list[i].fixed ? PEBS_FIXED_VALUES : PEBS_GENERAL_VALUES))
            list[count++] = list[i];
    return count;
}

void sample_values_add(struct sampling *sampling, const struct sample_values *asked, uint64_t allow)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = sample_values_counters(list);
    const struct sampling_counter *own = &sampling->counters[0];

    for (unsigned i = 0; i < count; i++) {
        bool from_0 = asked->metrics && is_slots(list[i]);
        struct sampling_counter *item;

        if (sampling_bit(list[i]) == sampling_bit(own->counter))
            continue;
        item = sampling_add(sampling, list[i], own->event, from_0 ? 0 : AHEAD(sampling->count),
                            SAMPLING_SHORT_PERIOD);
        item->plain = true;
        item->allow = sample_value_is_asked(asked, list[i]) ? allow : 0;
    }
}

/* The bit of the sampling counter, where it stands in its own record unasked. */
static uint64_t own_bit(struct test_context *t, const struct sampling *sampling,
                        const struct pebs_record *record, const struct sample_values *asked)
{
    uint64_t own = sampling_bit(sampling->counters[0].counter);

    if (!asked->own_is_open || !asked->general)
        return 0;
    if (choice_of(CHOICE_ARCH_PEBS_OWN) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_ARCH_PEBS_OWN,
                     record->general_mask & own ? VALUE_ALWAYS : VALUE_ALLOWED);
    return choice_of(CHOICE_ARCH_PEBS_OWN) == VALUE_ALWAYS ? own : 0;
}

/* Just the counters and metrics that were asked for. */
static bool check_header(struct test_context *t, const struct pebs_record *record,
                         const struct sampling *sampling, const struct sample_values *asked)
{
    bool any = asked->general || asked->fixed || asked->metrics;
    uint64_t general = asked->general | own_bit(t, sampling, record, asked);

    if (!EXPECT_EQUAL(t, PEBS_FORMAT, "whether the record has a group of counters",
                      record->has_counters, any))
        return false;
    return EXPECT_EQUAL(t, PEBS_FORMAT, "general-purpose counters in the record",
                        record->general_mask, general) &&
           EXPECT_EQUAL(t, PEBS_FORMAT, "fixed counters in the record", record->fixed_mask,
                        asked->fixed) &&
           EXPECT_EQUAL(t, PEBS_FORMAT, "whether metrics are in the record",
                        record->metrics_word == PEBS_METRICS_THERE, asked->metrics);
}

/* The one that stored the record counts or does not, as it was with the first. */
static bool check_branches(struct test_context *t, struct counter counter, uint64_t counted,
                           uint64_t event)
{
    bool counts = counted == event;

    if (choice_of(CHOICE_PEBS_SNAPSHOT_COUNTS) == VALUE_UNKNOWN && event - counted <= 1)
        choice_learn(t, CHOICE_PEBS_SNAPSHOT_COUNTS, counts ? VALUE_YES : VALUE_NO);
    counts = choice_of(CHOICE_PEBS_SNAPSHOT_COUNTS) == VALUE_YES;
    return EXPECT(t, PEBS_COUNTER, counted == event - !counts,
                  "PMC%u in the record that branch %lu stored has counted %lu", counter.number,
                  event, counted);
}

/* What others count is not known so well: no less than before, and no more than in the end. */
static bool check_others(struct test_context *t, const char *what, uint64_t counted,
                         uint64_t before, uint64_t end)
{
    return EXPECT_BETWEEN(t, PEBS_COUNTER, PEBS_COUNTER, counted, before, end,
                          "%s in the record has counted %#lx, %#lx in the record before, and %#lx "
                          "in the end",
                          what, counted, before, end);
}

/* Before its reload, when it has counted an event or none since its overflow, or after it. */
static bool check_own(struct test_context *t, const struct sampling_counter *item, uint64_t value)
{
    uint64_t since = (value + item->reset) & pmu_counter_mask(item->counter);

    if (!EXPECT(t, PEBS_COUNTER, value <= 1 || since <= 1,
                "PMC%u, which stored the record, is in it as %#lx, neither just after its overflow "
                "nor just after its reload",
                item->counter.number, value))
        return false;
    return choice_learn(t, CHOICE_PEBS_SNAPSHOT_OWN, value <= 1 ? VALUE_BEFORE : VALUE_RELOADED);
}

/* One counter in one record; those before it are in values. */
static bool check_value(struct test_context *t, const struct sampling *sampling, unsigned number,
                        const struct pebs_record *record, size_t slot, uint64_t *values)
{
    const struct sampling_counter *item = &sampling->counters[number];
    const struct counter counter = item->counter;
    uint64_t mask = pmu_counter_mask(counter), start = -item->first & mask;
    uint64_t value =
        counter.fixed ? record->fixed[counter.number] : record->general[counter.number];
    uint64_t counted = (value - start) & mask, before = values[number];
    char name[16];

    values[number] = counted;
    if (!EXPECT_EQUAL(t, PEBS_COUNTER, "bits above the counter's width", value & ~mask, 0))
        return false;
    if (!number)
        return check_own(t, item, value);
    if (!counter.fixed)
        return check_branches(t, counter, counted,
                              sample_storing_event(&sampling->counters[0], slot));
    pmu_counter_name(counter, name, sizeof name);
    return check_others(t, name, counted, before, (item->value - start) & mask);
}

/* The slots that the metrics are fractions of: their counter's value (F22.8). */
static bool check_slots(struct test_context *t, const struct sampling *sampling,
                        const struct pebs_record *record, uint64_t *before)
{
    const struct counter slots = {.fixed = true, .number = SLOTS_COUNTER};
    uint64_t last = *before;

    if (record->metrics_word != PEBS_METRICS_THERE || !pmu_counter_exists(slots))
        return true;
    *before = record->slots;
    for (unsigned i = 1; i < sampling->count; i++) {
        const struct sampling_counter *item = &sampling->counters[i];

        if (is_slots(item->counter))
            return check_others(t, "the slots counter", record->slots, last, item->value);
    }
    return true;
}

static bool check_record(struct test_context *t, const struct sampling *sampling, size_t slot,
                         const struct sample_values *asked, uint64_t *values, uint64_t *slots)
{
    struct pebs_record record;

    sampling_decode(slot, &record);
    if (!check_header(t, &record, sampling, asked))
        return false;
    for (unsigned i = 0; i < sampling->count; i++)
        if (sample_value_is_asked(asked, sampling->counters[i].counter) &&
            !check_value(t, sampling, i, &record, slot, values))
            return false;
    return check_slots(t, sampling, &record, slots);
}

void sample_values_check(struct test_context *t, const struct sampling *sampling,
                         const struct sample_values *asked)
{
    uint64_t values[PMU_COUNTERS_MAX] = {0}, slots = 0;

    for (size_t slot = 0; slot < sampling->index; slot++)
        if (!check_record(t, sampling, slot, asked, values, &slots))
            return;
}
