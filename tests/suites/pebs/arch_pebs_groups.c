/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Has a record of architectural PEBS just the groups that its counter's CFG_C asks for (F22.33 to
 * F22.36), and of other counters the values of those that allow it?
 */
#include "arch/cpu/traps/simd.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "arch/trace/pebs_arch.h"
#include "kernel/report/test.h"
#include "tests/run/covering.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"
#include "tests/spec/samples/sample_groups.h"
#include "tests/spec/samples/sample_values.h"

/* One group each. Only the largest code requests all LBR entries. */
static const struct {
    uint64_t bits;
    const char *name;
} groups[] = {
    {PEBS_ARCH_AUX, "aux"},         {PEBS_ARCH_GPRS, "gprs"},       {PEBS_ARCH_XMM, "xmm"},
    {PEBS_ARCH_LBRS(1), "8_lbrs"},  {PEBS_ARCH_LBRS(2), "16_lbrs"}, {PEBS_ARCH_LBRS(3), "all_lbrs"},
    {PEBS_ARCH_GENERAL, "general"}, {PEBS_ARCH_FIXED, "fixed"},     {PEBS_ARCH_METRICS, "metrics"},
};

/* All that exist of the kinds that the groups request. */
static struct sample_values all_values(uint64_t asked)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = sample_values_counters(list);
    struct sample_values values = {.metrics = asked & PEBS_ARCH_METRICS, .own_is_open = true};

    for (unsigned i = 0; i < count; i++) {
        if (list[i].fixed && asked & PEBS_ARCH_FIXED)
            values.fixed |= 1u << list[i].number;
        if (!list[i].fixed && list[i].number && asked & PEBS_ARCH_GENERAL)
            values.general |= 1u << list[i].number;
    }
    return values;
}

/* As many entries as the code in CFG_C requests, after a header that describes the stack. */
static void check_lbr_header(struct test_context *t, const struct pebs_arch_record *record,
                             uint64_t asked)
{
    unsigned depth = (unsigned)lbr_depth();

    if (!(asked & PEBS_ARCH_LBRS(3)))
        return;
    EXPECT_EQUAL(t, PEBS_FORMAT, "LBR entries", record->common.lbr_count,
                 pebs_arch_lbr_entries(asked >> 40 & 3, depth));
    EXPECT_EQUAL(t, PEBS_FORMAT, "IA32_LBR_DEPTH in the record", record->lbr_depth, depth);
    EXPECT(t, PEBS_FORMAT, record->lbr_control & 1,
           "IA32_LBR_CTL in the record is %#lx, with LBREn clear", record->lbr_control);
}

/* Just those groups, in whichever fragments. */
static void check_records(struct test_context *t, const struct sampling *sampling)
{
    for (size_t slot = 0; slot < sampling->index && !test_has_failed(t); slot++) {
        struct pebs_arch_record record;

        pebs_arch_decode(slot, &record);
        EXPECT_EQUAL(t, PEBS_FORMAT, "groups that the headers say", record.groups,
                     sampling->arch_groups | PEBS_ARCH_BASIC);
        EXPECT(t, PEBS_FORMAT, record.whole, "record %zu: a group does not fit its fragment", slot);
        check_lbr_header(t, &record, sampling->arch_groups);
    }
}

static void check_groups(struct test_context *t, uint64_t asked, const struct sample_values *values)
{
    struct sampling sampling = sample_default(sample_branches(t));

    sampling.arch_groups = asked;
    sampling.debugctl = asked & PEBS_ARCH_LBRS(3) ? DEBUGCTL_LBR : 0;
    sampling.arch.size_code = PEBS_ARCH_SIZE_CODES - 1;
    sample_values_add(&sampling, values, PEBS_ARCH_ALLOW_IN_RECORD);
    sample_load_xmm();
    if (sampling_run(t, &sampling)) {
        check_records(t, &sampling);
        if (sample_check_all(t, &sampling)) {
            sample_check_groups(t, &sampling);
            sample_values_check(t, &sampling, values);
        }
        sampling_expect_no_stray_write(t, sampling.index);
    }
    xmm_end();
}

/* False after a test_skip(). */
static bool can_ask(struct test_context *t, uint64_t bits)
{
    if (bits & ~pebs_arch_config_bits()) {
        test_skip(t, "CPUID.23H.4:EBX says of %#lx that it may not be set", bits >> 32);
        return false;
    }
    if (bits & PEBS_ARCH_LBRS(3) && !feature_present(FEATURE_LBR)) {
        test_skip_without(t, FEATURE_LBR);
        return false;
    }
    return true;
}

TEST(arch_pebs, each_group_alone, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH, PMI))
{
    TEST_EACH(t, group, groups, "APEBS-3", "%s", group->name) {
        const struct sample_values values = all_values(group->bits);

        if (can_ask(t, group->bits))
            check_groups(t, group->bits, &values);
    }
}

TEST(arch_pebs, basic_group_alone, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH, PMI))
{
    const struct sample_values values = {0};

    sample_best_event(t);
    check_groups(t, 0, &values);
}

/* The groups requested in this row, as far as they exist. */
static uint64_t groups_of_row(unsigned row)
{
    uint64_t asked = 0;

    for (unsigned i = 0; i < COUNT_OF(groups); i++)
        if (covering_row(row) >> i & 1 && !(groups[i].bits & ~pebs_arch_config_bits()))
            asked |= groups[i].bits;
    return feature_present(FEATURE_LBR) ? asked : asked & ~PEBS_ARCH_LBRS(3);
}

TEST(arch_pebs, groups_in_company, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH, PMI))
{
    for (unsigned row = 0; row < COVERING_ROWS && !test_has_failed(t); row++) {
        uint64_t asked = groups_of_row(row);
        const struct sample_values values = all_values(asked);

        check_groups(t, asked, &values);
        if (test_has_failed(t))
            test_note(t, "CFG_C[63:32] = %#lx", (uint64_t)(asked | PEBS_ARCH_ENABLE) >> 32);
    }
}

/* One counter allows its value to be in others' records, the others do not. */
static void check_allowed(struct test_context *t, struct counter counter)
{
    const struct sample_values values = {.general = counter.fixed ? 0 : 1u << counter.number,
                                         .fixed = counter.fixed ? 1u << counter.number : 0,
                                         .own_is_open = true};

    if (!counter.fixed && !counter.number)
        test_skip(t, "it is the one that samples");
    else
        check_groups(t, (counter.fixed ? PEBS_ARCH_FIXED : PEBS_ARCH_GENERAL), &values);
}

TEST(arch_pebs, record_has_the_counters_that_allow_it, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH, PMI))
{
    if (can_ask(t, PEBS_ARCH_GENERAL | PEBS_ARCH_FIXED | PEBS_ARCH_ALLOW_IN_RECORD))
        sample_each_counter(t, "APEBS-3", "APEBS-3", check_allowed);
}

/* The first general-purpose counter that is another one; past the last if there is none. */
static struct counter other_than(struct counter counter)
{
    unsigned first = pmu_general_from(0);
    bool is_first = !counter.fixed && counter.number == first;

    return (struct counter){.number = is_first ? pmu_general_from(first + 1) : first};
}

/* Others ask for other groups, of which none is in this one's records. */
static void check_own_groups(struct test_context *t, struct counter counter)
{
    const struct counter other = other_than(counter);
    struct sampling sampling;

    if (other.number >= PMU_GENERAL_MAX) {
        test_skip(t, "no other general-purpose counter is free");
        return;
    }
    if (!sample_of_exact_counter(t, counter, &sampling))
        return;
    sampling_add(&sampling, other, sample_best_event(t), 0x7fffffff, SAMPLING_SHORT_PERIOD);
    sampling.counters[1].plain = true;
    sampling.counters[1].allow = PEBS_ARCH_AUX | PEBS_ARCH_XMM;
    if (!sampling_run(t, &sampling))
        return;
    check_records(t, &sampling);
    sample_check_all(t, &sampling);
}

TEST(arch_pebs, each_counter_has_groups_of_its_own, CLAIMS("APEBS-3"), NEEDS(PEBS_ARCH, PMI))
{
    if (can_ask(t, PEBS_ARCH_AUX | PEBS_ARCH_XMM | PEBS_ARCH_GPRS))
        sample_each_counter(t, "APEBS-3", "APEBS-3", check_own_groups);
}
