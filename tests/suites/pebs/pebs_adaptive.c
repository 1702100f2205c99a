/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adaptive records: does each choice of groups give just these, each with its contents? */
#include "arch/cpu/traps/simd.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_groups.h"

#define GROUPS 16 /* choices of four groups */

static void check_in_ring(struct test_context *t, uint64_t config, unsigned ring)
{
    struct sampling sampling = sample_default(sample_best_event(t));

    test_note(t, "the code runs in ring %u", ring);
    if (ring)
        sampling_set_ring(&sampling, ring);
    sampling.data_config = config;
    if (sampling.records > pebs_records_max(config))
        sampling.records = pebs_records_max(config);
    sampling.debugctl = config & PEBS_DATA_LBRS ? DEBUGCTL_LBR : 0;
    sample_load_xmm();
    if (sampling_run(t, &sampling) && sample_check_all(t, &sampling)) {
        sample_check_groups(t, &sampling);
        sampling_expect_no_stray_write(t, sampling.index);
    }
    xmm_end();
}

/* The group of LBRs in ring 0 alone: its truth has the jumps of that ring. */
static void check_config(struct test_context *t, uint64_t config)
{
    check_in_ring(t, config, 0);
    if (!(config & PEBS_DATA_LBRS) && feature_present(FEATURE_SYSCALL))
        check_in_ring(t, config, 3);
}

static void check_choice(struct test_context *t, unsigned choice)
{
    if (choice & PEBS_DATA_LBRS && !feature_present(FEATURE_LBR))
        test_skip_without(t, FEATURE_LBR);
    else
        check_config(t, choice & PEBS_DATA_LBRS ? choice | PEBS_DATA_LBR_ENTRIES(4) : choice);
}

TEST(pebs, adaptive_groups, CLAIMS("PEBS-7", "PEBS-4", "PEBS-1"), NEEDS(PEBS_ADAPTIVE, PMI))
{
    TEST_NUMBERS(t, choice, 0, GROUPS, "PEBS-7", "basic%s%s%s%s",
                 choice & PEBS_DATA_MEMORY ? "_memory" : "", choice & PEBS_DATA_GPRS ? "_gprs" : "",
                 choice & PEBS_DATA_XMM ? "_xmm" : "", choice & PEBS_DATA_LBRS ? "_lbrs" : "")
        check_choice(t, choice);
}

TEST(pebs, adaptive_lbr_entries, CLAIMS("PEBS-4"), NEEDS(PEBS_ADAPTIVE, PMI, LBR))
{
    static const unsigned counts[] = {1, 2, 7, 16, 31, 32};

    TEST_EACH(t, count, counts, "PEBS-4", "%u_entries", *count) {
        if (*count > lbr_depth())
            test_skip(t, "the LBR stack has %zu entries", lbr_depth());
        else
            check_config(t, PEBS_DATA_LBRS | PEBS_DATA_LBR_ENTRIES(*count));
    }
}

/* With every group the record is the longest: it, too, says how long it is. */
TEST(pebs, adaptive_lbr_entries_beside_every_group, CLAIMS("PEBS-4"),
     NEEDS(PEBS_ADAPTIVE, PMI, LBR))
{
    size_t most = lbr_depth() < PEBS_LBR_ENTRIES_MAX ? lbr_depth() : PEBS_LBR_ENTRIES_MAX;

    for (unsigned count = 1; count <= most && !test_has_failed(t); count++) {
        check_config(t, PEBS_DATA_MEMORY | PEBS_DATA_GPRS | PEBS_DATA_XMM | PEBS_DATA_LBRS |
                            PEBS_DATA_LBR_ENTRIES(count));
        if (test_has_failed(t))
            test_note(t, "%u LBR entries", count);
    }
}

/* One record of the counter, in bytes from the base of the buffer; 0 where there was no event. */
static bool one_record(struct test_context *t, struct counter counter, bool adaptive,
                       struct pebs_record *record)
{
    const size_t room = 4 * pebs_format_size(PEBS_FORMAT_ADAPTIVE, PEBS_DATA_GPRS);
    const struct pebs_fields fields = {.absolute_maximum = room, .threshold = room};
    struct sampling sampling = sample_default(sample_best_event(t));
    size_t size;

    sampling.counters[0].counter = counter;
    sampling.counters[0].reset = SAMPLING_NEVER;
    sampling.fields = &fields;
    sampling.basic = adaptive ? 0 : sampling_bit(counter);
    if (!sampling_run(t, &sampling))
        return false;
    size = pebs_index_bytes();
    pebs_decode(0, record);
    if (!size && counter.fixed && counter.number)
        sample_judge_none(t, &sampling, "so short a workload brings no event of this counter");
    else
        EXPECT_EQUAL(t, PEBS_INDEX, "bytes stored for one overflow", size,
                     pebs_format_size(PEBS_FORMAT_ADAPTIVE, adaptive ? PEBS_DATA_GPRS : 0));
    return size && !test_has_failed(t);
}

/* F3.48: with its own bit alone set the groups, with those of all others the basic group. */
static void check_adaptive_bit(struct test_context *t, struct counter counter)
{
    for (unsigned adaptive = 0; adaptive < 2; adaptive++) {
        uint64_t config = adaptive ? PEBS_DATA_GPRS : 0;
        struct pebs_record record;

        if (!one_record(t, counter, adaptive, &record))
            return;
        EXPECT_EQUAL(t, PEBS_FORMAT, "size in the record", record.format_size,
                     pebs_format_size(PEBS_FORMAT_ADAPTIVE, config));
        EXPECT_EQUAL(t, PEBS_FORMAT, "groups in the record", record.format_config & 15, config);
    }
}

#define FIRST 50
#define APART 20 /* events: the first one's record is stored, and its counter begins again */

static bool has_other(struct test_context *t, struct counter counter)
{
    return !counter.fixed && pebs_counters() & PEBS_GENERAL(!counter.number) &&
           sample_branches(t) != PMU_EVENT_COUNT;
}

/* One after the other, and one of them without the bit: each decides for its own record. */
static void check_beside(struct test_context *t, struct counter counter, bool adaptive)
{
    const size_t basic = pebs_format_size(PEBS_FORMAT_ADAPTIVE, 0);
    const size_t long_one = pebs_format_size(PEBS_FORMAT_ADAPTIVE, PEBS_DATA_GPRS);
    const struct pebs_fields fields = {.absolute_maximum = 4 * long_one, .threshold = 4 * long_one};
    const struct counter other = {.number = !counter.number};
    struct sampling sampling = sample_default(sample_branches(t));
    struct pebs_record record;

    sampling.count = 0;
    sampling_add(&sampling, counter, sample_branches(t), FIRST, SAMPLING_NEVER);
    sampling_add(&sampling, other, sample_branches(t), FIRST + APART, SAMPLING_NEVER);
    sampling.fields = &fields;
    sampling.basic = sampling_bit(adaptive ? other : counter);
    if (!sampling_run(t, &sampling))
        return;
    pebs_decode(0, &record);
    EXPECT_EQUAL(t, PEBS_INDEX, "bytes of a record with groups and one without", pebs_index_bytes(),
                 basic + long_one);
    EXPECT_EQUAL(t, PEBS_FORMAT, "size in the first record", record.format_size,
                 adaptive ? long_one : basic);
}

TEST(pebs, adaptive_bit_is_each_counters_own, CLAIMS("PEBS-4", "PEBS-1", "PEBS-6"),
     NEEDS(PEBS_ADAPTIVE, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = sample_counters(counters);
    char name[16];

    sample_best_event(t); /* what it tries out, it tries before the first subtest */
    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        pmu_counter_name(counters[i], name, sizeof name);
        test_begin(t, "PEBS-4", "%s", name);
        check_adaptive_bit(t, counters[i]);
        for (unsigned adaptive = 0; adaptive < 2 && has_other(t, counters[i]); adaptive++)
            check_beside(t, counters[i], adaptive);
        test_end(t);
    }
}
