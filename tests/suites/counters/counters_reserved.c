/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do the counters' registers keep no bit that has no meaning on this processor, and do bits that
 * the manual leaves open do the same in each register?
 */
#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/features.h"
#include "arch/cpu/identity/models.h"
#include "kernel/report/test.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/refused.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/choices/write_outcome.h"

/* The newest version whose reserved bits are known. */
#define VERSION_KNOWN 6

#define SELECT_ANY_THREAD (1ull << 21)
#define SELECT_IN_TX      (1ull << 32)
#define SELECT_IN_TXCP    (1ull << 33)

static uint64_t reserved_in_global_control(void)
{
    return ~(pmu_enumerated() | pmu_in_doubt_bits() | PERF_GLOBAL_METRICS);
}

#define ADAPTIVE_BITS     0x1111111100000000ull /* of fixed counters: 32 + 4n (F3.48) */
#define NO_USER_READ_BITS 0x2222222200000000ull /* 33 + 4n (F21.20) */

/* The fields of counters that do not exist; the adaptive bits where there are no such records. */
static uint64_t reserved_in_fixed_control(void)
{
    uint64_t reserved = 0;

    for (unsigned i = pmu_fixed_in_doubt(); i < PMU_FIXED_MAX; i++)
        if (!pmu_counter_enumerated((struct counter){.fixed = true, .number = i}))
            reserved |= pmu_fixed_field_mask(i);
    if (trace_features()->perf_capabilities & PERF_CAPABILITIES_PEBS_BASELINE)
        reserved &= ~ADAPTIVE_BITS;
    else
        reserved |= ADAPTIVE_BITS;
    if (trace_features()->perfmon.own.select_bits & PERFMON_SELECT_NO_USER_READ)
        reserved &= ~NO_USER_READ_BITS;
    return pmu_ours_fixed(reserved);
}

/* Bits that CPUID.23H enumerates; bit 35 comes with architectural LBRs (F21.19). */
static uint64_t newer_in_select(void)
{
    uint32_t told = trace_features()->perfmon.own.select_bits;

    return (told & PERFMON_SELECT_EQUAL ? PERFEVTSEL_EQUAL : 0) |
           (told & PERFMON_SELECT_NO_USER_READ ? PERFEVTSEL_NO_USER_READ : 0) |
           (told & PERFMON_SELECT_UNIT_MASK_2 ? PERFEVTSEL_UNIT_MASK_2 : 0) |
           (trace_features()->architectural_lbr ? PERFEVTSEL_EVENT_LOGGING : 0);
}

/* 32 and 33 come with RTM, and are open where others of the model have it (F21.19); 34 comes with
 * adaptive PEBS (F6.2); bit 21 is left open. */
static uint64_t reserved_in_select(void)
{
    uint64_t reserved = ~0ull << 35 & ~newer_in_select();

    if (!(trace_features()->perf_capabilities & PERF_CAPABILITIES_PEBS_BASELINE))
        reserved |= 1ull << 34;
    if (!feature_present(FEATURE_RTM) && !core_has(HAS_RTM))
        reserved |= SELECT_IN_TX | SELECT_IN_TXCP;
    return reserved;
}

static bool skipped_as_too_new(struct test_context *t)
{
    bool too_new = pmu_version() > VERSION_KNOWN;

    if (too_new)
        test_skip(t, "version %u may use bits that version %u reserves", pmu_version(),
                  VERSION_KNOWN);
    return too_new;
}

/* What no version has given a meaning: 54, 55 and 58 to 63 are other facilities' (F6.6, F6.7,
 * F21.21). */
static uint64_t reserved_in_status_clear(void)
{
    const uint64_t others = 3ull << 54 | 63ull << 58;

    return ~(pmu_enumerated() | pmu_in_doubt_bits() | PERF_GLOBAL_METRICS | others);
}

/* Nothing can be read back there; the status says that nothing came of it. */
static void check_status_clear_reserved(struct test_context *t, struct reserved_bits *seen)
{
    uint64_t reserved = reserved_in_status_clear(), before = pmu_status() & pmu_status_mask();

    for (unsigned i = 0; i < 2 * 64; i++) {
        unsigned bit = i % 64;
        struct exception exception;

        if (!(reserved >> bit & 1))
            continue;
        exception = wrmsr_safe(IA32_PERF_GLOBAL_OVF_CTRL, 1ull << bit);
        if (exception_happened(exception))
            expect_gp(t, exception, "IA32_PERF_GLOBAL_OVF_CTRL, reserved bit", bit);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_STATUS after a reserved bit was written",
                     pmu_status() & pmu_status_mask(), before);
        reserved_bits_hold(t, seen, "IA32_PERF_GLOBAL_OVF_CTRL", bit,
                           exception_happened(exception));
        choice_learn(t, CHOICE_STATUS_RESERVED,
                     exception_happened(exception) ? VALUE_FAULT : VALUE_IGNORED);
    }
}

/* Nothing of it may get into the status, in which nothing else sets it either (F6.8). */
static void check_status_set_reserved(struct test_context *t, struct reserved_bits *seen)
{
    uint64_t reserved = reserved_in_status_clear();

    for (unsigned i = 0; i < 2 * 64; i++) {
        uint64_t bit = 1ull << i % 64;
        struct exception exception;

        if (!(reserved & bit))
            continue;
        exception = pmu_status_set(bit);
        if (exception_happened(exception))
            expect_gp(t, exception, "IA32_PERF_GLOBAL_STATUS_SET, reserved bit", i % 64);
        EXPECT(t, MSR_VALUE, !(pmu_status() & bit),
               "IA32_PERF_GLOBAL_STATUS has bit %u, which is reserved, after it was set", i % 64);
        pmu_status_clear(bit);
        reserved_bits_hold(t, seen, "IA32_PERF_GLOBAL_STATUS_SET", i % 64,
                           exception_happened(exception));
    }
}

TEST(counters, status_set_keeps_no_reserved_bit, CLAIMS("FRZ-1"), NEEDS(PERFMON4))
{
    static struct reserved_bits seen;

    if (skipped_as_too_new(t))
        return;
    check_status_set_reserved(t, &seen);
    reserved_bits_observe(t, &seen, "IA32_PERF_GLOBAL_STATUS_SET");
    counting_end();
}

/* By register, across repetitions. */
static struct {
    struct reserved_bits global_control, fixed_control, status_clear, select[PMU_GENERAL_MAX];
} reserved_seen;

static void check_select_reserved(struct test_context *t, unsigned number)
{
    struct reserved_bits *seen = &reserved_seen.select[number];
    char name[24];
    const struct reserved_register select = {name, pmu_select_register(number),
                                             reserved_in_select(), PERFEVTSEL_OS | PERFEVTSEL_USR};

    format_string(name, sizeof name, "IA32_PERFEVTSEL%u", number);
    test_begin(t, NULL, "select%u", number);
    test_under(t, counting_circumstances((struct counter){.number = number}));
    reserved_bits_check(t, seen, &select);
    reserved_bits_observe(t, seen, "IA32_PERFEVTSELx");
    test_end(t);
}

/* Of the counters that are ours. */
static uint64_t legal_in_fixed_control(void)
{
    uint64_t fields = 0;

    for (unsigned i = 0; i < pmu_fixed_count(); i++)
        if (pmu_counter_exists((struct counter){.fixed = true, .number = i}))
            fields |= pmu_fixed_field(i, COUNTER_OS | COUNTER_USR);
    return fields;
}

TEST(counters, reserved_bits_are_not_kept, CLAIMS("PM-1"), NEEDS(PERFMON2))
{
    const struct reserved_register global_control = {"IA32_PERF_GLOBAL_CTRL", IA32_PERF_GLOBAL_CTRL,
                                                     reserved_in_global_control(),
                                                     pmu_all_counters()};
    const struct reserved_register fixed_control = {"IA32_FIXED_CTR_CTRL", IA32_FIXED_CTR_CTRL,
                                                    reserved_in_fixed_control(),
                                                    legal_in_fixed_control()};

    if (skipped_as_too_new(t))
        return;
    test_plan(t, 3 + pmu_general_usable());
    test_begin(t, NULL, "global_control");
    if (core_has(IS_CORE_2))
        test_skip(t, "Core 2 was found to keep each bit of IA32_PERF_GLOBAL_CTRL");
    else
        reserved_bits_check(t, &reserved_seen.global_control, &global_control);
    reserved_bits_observe(t, &reserved_seen.global_control, "IA32_PERF_GLOBAL_CTRL");
    test_end(t);
    test_begin(t, NULL, "fixed_control");
    reserved_bits_check(t, &reserved_seen.fixed_control, &fixed_control);
    reserved_bits_observe(t, &reserved_seen.fixed_control, "IA32_FIXED_CTR_CTRL");
    test_end(t);
    test_begin(t, NULL, "status_clear");
    check_status_clear_reserved(t, &reserved_seen.status_clear);
    reserved_bits_observe(t, &reserved_seen.status_clear, "IA32_PERF_GLOBAL_OVF_CTRL");
    test_end(t);
    PMU_EACH_GENERAL(i)
        check_select_reserved(t, i);
    counting_end();
}

/* --- bits that are open --- */

#define ANY_THREAD_DEPRECATED (1u << 15) /* CPUID.0AH:EDX, from version 5 on */

static bool any_thread_is_open(void)
{
    return pmu_version() >= 3 && (insn_cpuid(0x0a, 0).edx & ANY_THREAD_DEPRECATED);
}

static void learn_bit(struct test_context *t, enum choice choice, uint64_t bit)
{
    PMU_EACH_GENERAL(i) {
        uint32_t number = pmu_select_register(i);

        choice_learn(t, choice,
                     write_outcome_value(write_and_look(t, "IA32_PERFEVTSELx", number, bit)));
        wrmsr_safe(number, 0);
    }
}

static bool rtm_is_open(void)
{
    return !feature_present(FEATURE_RTM) && core_has(HAS_RTM);
}

TEST_UNLESS(counters, open_bits_of_selects_are_alike, CLAIMS("PM-1"), NEEDS(PERFMON2),
            !any_thread_is_open() && !rtm_is_open(),
            "CPUID.0AH:EDX[15] = 0, AnyThread is not deprecated; and no model of which some have "
            "RTM and others not")
{
    if (any_thread_is_open())
        learn_bit(t, CHOICE_ANY_THREAD, SELECT_ANY_THREAD);
    if (rtm_is_open())
        learn_bit(t, CHOICE_SELECT_RTM, SELECT_IN_TX);
}
