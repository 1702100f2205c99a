/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of counters in a record (format 6): just those that MSR_PEBS_DATA_CFG asks for, and right
 * (F22.6 to F22.8)? */
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/run/covering.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_values.h"

static struct counter listed[PMU_COUNTERS_MAX];
static unsigned count_of_listed;

/* The counter's bit of MSR_PEBS_DATA_CFG. */
static uint64_t config_bit(struct counter counter)
{
    return counter.fixed ? PEBS_DATA_FIXED(1u << counter.number)
                         : PEBS_DATA_GENERAL(1u << counter.number);
}

static struct sample_values asked_by(uint64_t config)
{
    uint64_t masks = config & PEBS_DATA_COUNTERS ? config >> 32 : 0;

    return (struct sample_values){.general = masks & 0xffff,
                                  .fixed = masks >> 16 & 0xff,
                                  .metrics = config & PEBS_DATA_METRICS};
}

/* PMC0 samples branches; all others count at the same time. */
static void check_config(struct test_context *t, uint64_t config)
{
    const struct sample_values asked = asked_by(config);
    struct sampling sampling = sample_default(sample_branches(t));

    sampling.data_config = config;
    sampling.debugctl = config & PEBS_DATA_LBRS ? DEBUGCTL_LBR : 0;
    if (sampling.records > pebs_records_max(config))
        sampling.records = pebs_records_max(config);
    sample_values_add(&sampling, &asked, 0);
    if (sampling_run(t, &sampling) && sample_check_all(t, &sampling)) {
        sample_values_check(t, &sampling, &asked);
        sampling_expect_no_stray_write(t, sampling.index);
    }
}

/* False after a test_skip(). */
static bool is_possible(struct test_context *t)
{
    count_of_listed = sample_values_counters(listed);
    return sample_has_branches(t);
}

TEST(pebs, snapshot_holds_each_counter, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, PMI))
{
    char name[16];

    if (!is_possible(t))
        return;
    TEST_NUMBERS(t, i, 0, count_of_listed, "PEBS-7", "%s",
                 (pmu_counter_name(listed[i], name, sizeof name), name))
        check_config(t, PEBS_DATA_COUNTERS | config_bit(listed[i]));
}

TEST(pebs, snapshot_of_the_sampling_counter, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, PMI))
{
    if (is_possible(t))
        check_config(t, PEBS_DATA_COUNTERS | PEBS_DATA_GENERAL(1));
}

static bool has_metrics(void)
{
    return trace_features()->perf_capabilities & PERF_CAPABILITIES_PERF_METRICS;
}

TEST(pebs, snapshot_holds_the_metrics, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, PMI))
{
    if (!has_metrics())
        test_skip(t, "IA32_PERF_CAPABILITIES[15].PERF_METRICS = 0");
    else if (is_possible(t))
        check_config(t, PEBS_DATA_COUNTERS | PEBS_DATA_METRICS | PEBS_DATA_GENERAL(1));
}

/* --- groups and counters in all company --- */

#define GROUP_ITEMS 5u /* before the counters: four groups, and the metrics */

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

TEST(pebs, snapshot_beside_other_groups, CLAIMS("PEBS-7"), NEEDS(PEBS_SNAPSHOT, PMI))
{
    if (!is_possible(t))
        return;
    for (unsigned row = 0; row < COVERING_ROWS && !test_has_failed(t); row++) {
        check_config(t, config_of_row(row));
        if (test_has_failed(t))
            test_note(t, "MSR_PEBS_DATA_CFG = %#lx", config_of_row(row));
    }
}
