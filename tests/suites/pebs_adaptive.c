/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adaptive records: does each choice of groups give just these, each with its contents? */
#include "arch/cpu/xmm.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/sample_check.h"
#include "tests/workloads/registers.h"

#define GROUPS 16 /* choices of four groups */

static uint64_t xmm_value(unsigned number, unsigned half)
{
    return 0x1122334400000000 + 0x10001 * number + (half ? 0x5500000000000000 : 0);
}

static void load_xmm(void)
{
    uint64_t values[XMM_COUNT][2];

    for (unsigned i = 0; i < XMM_COUNT; i++)
        for (unsigned half = 0; half < 2; half++)
            values[i][half] = xmm_value(i, half);
    xmm_begin(values);
}

static bool check_xmm(struct test_context *t, const struct pebs_record *record)
{
    for (unsigned i = 0; record->has_xmm && i < XMM_COUNT; i++)
        for (unsigned half = 0; half < 2; half++)
            if (!EXPECT(t, PEBS_XMM, record->xmm[i][half] == xmm_value(i, half),
                        "XMM%u[%u:%u] in the record: expected %#llx, got %#llx", i, 64 * half + 63,
                        64 * half, (unsigned long long)xmm_value(i, half),
                        (unsigned long long)record->xmm[i][half]))
                return false;
    return true;
}

/* The jump whose instruction this is, or the next one after an instruction that is none. */
static size_t jump_at(size_t cause)
{
    for (size_t jump = 0; jump < REGISTERS_STEPS; jump++)
        if (registers_truth[jump].from >= register_states[cause].ip)
            return jump;
    return REGISTERS_STEPS;
}

static struct lbr_entry entry_of(const struct pebs_record *record, size_t number)
{
    const struct lbr_raw raw = {.from = record->lbr[number].from,
                                .to = record->lbr[number].to,
                                .info = record->lbr[number].info};

    return lbr_decode(lbr_format(), &raw);
}

/*
 * The last jump that must be in it. Whether one that caused the record is in it already is learnt
 * from the first such record.
 */
static size_t newest_jump(struct test_context *t, const struct pebs_record *record, size_t cause)
{
    size_t jump = jump_at(cause);

    if (registers_truth[jump].from != register_states[cause].ip)
        return jump - 1;
    if (choice_of(CHOICE_PEBS_NEWEST) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_PEBS_NEWEST,
                     entry_of(record, 0).from == registers_truth[jump].from ? VALUE_ITSELF
                                                                            : VALUE_ONE_BEFORE);
    return choice_of(CHOICE_PEBS_NEWEST) == VALUE_ITSELF ? jump : jump - 1;
}

/* Newest first (F3.46), as far as the steps go back. */
static bool check_lbrs(struct test_context *t, const struct pebs_record *record, size_t cause)
{
    size_t newest;

    if (!record->lbr_count)
        return true;
    newest = newest_jump(t, record, cause);
    for (size_t i = 0; i < record->lbr_count && i <= newest; i++) {
        const struct transfer *jump = &registers_truth[newest - i];
        struct lbr_entry entry = entry_of(record, i);

        if (!EXPECT(t, PEBS_LBR, entry.from == jump->from && entry.to == jump->to,
                    "LBR entry %zu in the record: expected %pS -> %pS, got %pS -> %pS", i,
                    (void *)jump->from, (void *)jump->to, (void *)entry.from, (void *)entry.to))
            return false;
    }
    return true;
}

/* The groups that sample_check_all() does not know. */
static void check_groups(struct test_context *t, const struct sampling *sampling)
{
    struct pebs_record record;

    for (size_t slot = 0; slot < sampling->index && !test_has_failed(t); slot++) {
        pebs_decode(slot, &record);
        check_xmm(t, &record);
        check_lbrs(t, &record, sample_cause_of_record(&record));
    }
}

static void check_config(struct test_context *t, uint64_t config)
{
    struct sampling sampling = sample_default(sample_best_event(t));

    sampling.data_config = config;
    if (sampling.records > pebs_records_max(config))
        sampling.records = pebs_records_max(config);
    sampling.debugctl = config & PEBS_DATA_LBRS ? DEBUGCTL_LBR : 0;
    load_xmm();
    if (sampling_run(t, &sampling) && sample_check_all(t, &sampling)) {
        check_groups(t, &sampling);
        sampling_expect_no_stray_write(t, sampling.index);
    }
    xmm_end();
}

static void check_choice(struct test_context *t, unsigned choice)
{
    char reason[96];

    if (choice & PEBS_DATA_LBRS && !feature_present(FEATURE_LBR)) {
        feature_missing_reason(FEATURE_LBR, reason, sizeof reason);
        test_skip(t, "%s", reason);
        return;
    }
    check_config(t, choice & PEBS_DATA_LBRS ? choice | PEBS_DATA_LBR_ENTRIES(4) : choice);
}

TEST(pebs, adaptive_groups, CLAIMS("PEBS-7", "PEBS-4", "PEBS-1"), NEEDS(PEBS_ADAPTIVE, APIC))
{
    TEST_NUMBERS(t, choice, 0, GROUPS, "PEBS-7", "basic%s%s%s%s",
                 choice & PEBS_DATA_MEMORY ? "_memory" : "", choice & PEBS_DATA_GPRS ? "_gprs" : "",
                 choice & PEBS_DATA_XMM ? "_xmm" : "", choice & PEBS_DATA_LBRS ? "_lbrs" : "")
        check_choice(t, choice);
}

TEST(pebs, adaptive_lbr_entries, CLAIMS("PEBS-4"), NEEDS(PEBS_ADAPTIVE, APIC, LBR))
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
     NEEDS(PEBS_ADAPTIVE, APIC, LBR))
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
    sampling.counters[0].reset = 0x7fffffff;
    sampling.fields = &fields;
    sampling.others_adaptive = !adaptive;
    if (!sampling_run(t, &sampling))
        return false;
    size = pebs_index_bytes();
    pebs_decode(0, record);
    if (!size && counter.fixed && counter.number)
        test_skip(t, "so short a workload brings no event of this counter");
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

TEST(pebs, adaptive_bit_is_each_counters_own, CLAIMS("PEBS-4", "PEBS-1"),
     NEEDS(PEBS_ADAPTIVE, APIC))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = 0, all = pmu_counters(counters);
    char name[16];

    for (unsigned i = 0; i < all; i++)
        if (pebs_counters() & sampling_bit(counters[i]))
            counters[count++] = counters[i];
    sample_best_event(t); /* what it tries out, it tries before the first subtest */
    test_plan(t, count);
    for (unsigned i = 0; i < count; i++) {
        pmu_counter_name(counters[i], name, sizeof name);
        test_begin(t, "PEBS-4", "%s", name);
        check_adaptive_bit(t, counters[i]);
        test_end(t);
    }
}
