/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of counters in a record (format 6): just those that were asked for, in order, each what
 * its counter held when the record was stored (F22.6 to F22.8)? Every counter counts from a value
 * of its own, so that none is taken for another.
 */
#include "arch/cpu/msr.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/covering.h"
#include "tests/oracle/sample_check.h"
#include "tests/oracle/sample_counters.h"
#include "tests/oracle/sample_when.h"
#include "tests/run/counting.h"

/* Far from a counter's overflow, and farther apart than any counter gets in a run. */
#define START(place) (0x100000000 * ((place) + 1ull))

#define SLOTS_COUNTER 3u /* fixed; starts from 0 where the metrics are asked for (F21.16) */

static struct counter listed[PMU_COUNTERS_MAX];
static unsigned count_of_listed;

/* The counter's bit of MSR_PEBS_DATA_CFG; 0 where there is none for it. */
static uint64_t config_bit(struct counter counter)
{
    if (counter.number >= (counter.fixed ? PEBS_FIXED_VALUES : PEBS_GENERAL_VALUES))
        return 0;
    return counter.fixed ? PEBS_DATA_FIXED(1u << counter.number)
                         : PEBS_DATA_GENERAL(1u << counter.number);
}

/* All counters that can be in a record. */
static void list_counters(void)
{
    unsigned all = pmu_counters(listed);

    count_of_listed = 0;
    for (unsigned i = 0; i < all; i++)
        if (config_bit(listed[i]))
            listed[count_of_listed++] = listed[i];
}

static uint64_t start_of(const struct sampling *sampling, const struct sampling_counter *item)
{
    if (item->counter.fixed && item->counter.number == SLOTS_COUNTER &&
        sampling->data_config & PEBS_DATA_METRICS)
        return 0;
    return START(item - sampling->counters);
}

/* PMC0 samples branches; all others count beside it, general-purpose ones the same. */
static struct sampling sampling_of(enum pmu_event event, uint64_t config)
{
    struct sampling sampling = sample_default(event);

    sampling.data_config = config;
    sampling.debugctl = config & PEBS_DATA_LBRS ? DEBUGCTL_LBR : 0;
    if (sampling.records > pebs_records_max(config))
        sampling.records = pebs_records_max(config);
    for (unsigned i = 0; i < count_of_listed; i++) {
        struct sampling_counter *item;

        if (!listed[i].fixed && !listed[i].number)
            continue;
        item = sampling_add(&sampling, listed[i], event, 0, SAMPLING_SHORT_PERIOD);
        item->first = -start_of(&sampling, item);
        item->plain = true;
    }
    return sampling;
}

/* Just the counters and metrics that were asked for. */
static bool check_header(struct test_context *t, const struct pebs_record *record, uint64_t config)
{
    uint64_t asked = config & PEBS_DATA_COUNTERS ? config >> 32 : 0;
    bool metrics = config & PEBS_DATA_METRICS;

    if (!EXPECT_EQUAL(t, PEBS_FORMAT, "whether the record has a group of counters",
                      record->has_counters, asked || metrics))
        return false;
    return EXPECT_EQUAL(t, PEBS_FORMAT, "general-purpose counters in the record",
                        record->general_mask, asked & 0xffff) &&
           EXPECT_EQUAL(t, PEBS_FORMAT, "fixed counters in the record", record->fixed_mask,
                        asked >> 16 & 0xff) &&
           EXPECT_EQUAL(t, PEBS_FORMAT, "whether metrics are in the record",
                        record->metrics_word == PEBS_METRICS_THERE, metrics);
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
    uint64_t mask = pmu_counter_mask(counter), start = start_of(sampling, item);
    uint64_t value =
        counter.fixed ? record->fixed[counter.number] : record->general[counter.number];
    uint64_t counted = (value - start) & mask, before = values[number];
    char name[16];

    if (!(sampling->data_config & config_bit(counter)))
        return true;
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

        if (item->counter.fixed && item->counter.number == SLOTS_COUNTER)
            return check_others(t, "the slots counter", record->slots, last, item->value);
    }
    return true;
}

static void check_values(struct test_context *t, const struct sampling *sampling)
{
    uint64_t values[PMU_COUNTERS_MAX] = {0}, slots = 0;

    for (size_t slot = 0; slot < sampling->index && !test_has_failed(t); slot++) {
        struct pebs_record record;

        pebs_decode(slot, &record);
        if (!check_header(t, &record, sampling->data_config))
            return;
        for (unsigned i = 0; i < sampling->count; i++)
            if (!check_value(t, sampling, i, &record, slot, values))
                return;
        check_slots(t, sampling, &record, &slots);
    }
}

static void check_config(struct test_context *t, uint64_t config)
{
    struct sampling sampling = sampling_of(sample_branches(t), config);

    if (sampling_run(t, &sampling) && sample_check_all(t, &sampling)) {
        check_values(t, &sampling);
        sampling_expect_no_stray_write(t, sampling.index);
    }
}

/* False after a test_skip(). */
static bool is_possible(struct test_context *t)
{
    list_counters();
    if (sample_branches(t) == PMU_EVENT_COUNT) {
        test_skip(t, SAMPLE_NO_BRANCHES);
        return false;
    }
    return true;
}

TEST(pebs, snapshot_holds_each_counter, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, APIC))
{
    char name[16];

    if (!is_possible(t))
        return;
    TEST_NUMBERS(t, i, 0, count_of_listed, "PEBS-7", "%s",
                 (pmu_counter_name(listed[i], name, sizeof name), name))
        check_config(t, PEBS_DATA_COUNTERS | config_bit(listed[i]));
}

TEST(pebs, snapshot_of_the_sampling_counter, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, APIC))
{
    if (is_possible(t))
        check_config(t, PEBS_DATA_COUNTERS | PEBS_DATA_GENERAL(1));
}

static bool has_metrics(void)
{
    return trace_features()->perf_capabilities & PERF_CAPABILITIES_PERF_METRICS;
}

TEST(pebs, snapshot_holds_the_metrics, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, APIC))
{
    if (!has_metrics())
        test_skip(t, "IA32_PERF_CAPABILITIES[15].PERF_METRICS = 0");
    else if (is_possible(t))
        check_config(t, PEBS_DATA_COUNTERS | PEBS_DATA_METRICS | PEBS_DATA_GENERAL(1));
}

/* --- groups and counters in all company --- */

#define GROUP_ITEMS 5u /* ahead of the counters: four groups, and the metrics */

/* Bits of the row, and as many of another one for what has no bit in it. */
static bool is_asked(unsigned row, unsigned item)
{
    unsigned again = item / COVERING_BITS;

    return covering_row((row + 5 * again) % COVERING_ROWS) >> item % COVERING_BITS & 1;
}

/* What this processor does not have is not asked for. */
static uint64_t config_of_row(unsigned row)
{
    const uint64_t lbrs = PEBS_DATA_LBRS | PEBS_DATA_LBR_ENTRIES(3);
    const uint64_t groups[GROUP_ITEMS] = {
        PEBS_DATA_MEMORY,
        PEBS_DATA_GPRS,
        PEBS_DATA_XMM,
        feature_present(FEATURE_LBR) ? lbrs : 0,
        has_metrics() ? PEBS_DATA_METRICS | PEBS_DATA_COUNTERS : 0,
    };
    uint64_t config = 0;

    for (unsigned i = 0; i < GROUP_ITEMS; i++)
        config |= is_asked(row, i) ? groups[i] : 0;
    for (unsigned i = 0; i < count_of_listed; i++)
        if (is_asked(row, GROUP_ITEMS + i))
            config |= PEBS_DATA_COUNTERS | config_bit(listed[i]);
    return config;
}

TEST(pebs, snapshot_beside_other_groups, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, APIC))
{
    if (!is_possible(t))
        return;
    for (unsigned row = 0; row < COVERING_ROWS && !test_has_failed(t); row++) {
        check_config(t, config_of_row(row));
        if (test_has_failed(t))
            test_note(t, "MSR_PEBS_DATA_CFG = %#lx", config_of_row(row));
    }
}
