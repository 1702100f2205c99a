/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FRZ-1: are the freeze bits of IA32_DEBUGCTL there exactly when they are enumerated? Bits 11 and
 * 12 want PDCM and version 2, bit 14 its capability (F2.2). And can the bits be set that leaf 07H
 * enumerates (F2.1, F23.14, F23.15)?
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/features.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/choices/write_outcome.h"

#define FREEZE_ON_PMI (DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI)

static enum write_outcome try_bits(struct test_context *t, uint64_t bits)
{
    enum write_outcome outcome = write_and_look(t, "IA32_DEBUGCTL", IA32_DEBUGCTL, bits);

    debugctl_clear();
    return outcome;
}

/* Every subset of the bits. */
static void expect_settable(struct test_context *t, uint64_t bits)
{
    char names[128];

    for (uint64_t subset = bits; subset; subset = (subset - 1) & bits) {
        enum write_outcome outcome = try_bits(t, subset);

        EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK, "setting %s, which is enumerated: %s",
               debugctl_format(subset, names, sizeof names), write_outcome_text(outcome));
    }
}

/* A missing bit may fault or be dropped (F2.3, F2.4). */
static void expect_absent(struct test_context *t, uint64_t bits)
{
    char names[128];

    if (!debugctl_exists()) {
        test_skip(t, "IA32_DEBUGCTL cannot be read, there is no such register");
        return;
    }
    for (uint64_t left = bits; left; left &= left - 1) {
        uint64_t bit = left & -left;
        enum write_outcome outcome = try_bits(t, bit);
        const char *name = debugctl_format(bit, names, sizeof names);

        EXPECT(t, MSR_ACCEPTS, outcome != WRITE_STUCK,
               "%s can be set, although it is not enumerated", name);
        choice_learn(t, CHOICE_DEBUGCTL_ABSENT, write_outcome_value(outcome),
                     (unsigned)__builtin_ctzll(bit));
        expect_absent_from_debugctl(t, bit);
    }
}

TEST(probe, freeze_on_pmi_can_be_set, CLAIMS("FRZ-1", "FRZ-13"), NEEDS(FREEZE))
{
    expect_settable(t, FREEZE_ON_PMI);
}

TEST_UNLESS(probe, freeze_on_pmi_cannot_be_set_unless_enumerated, CLAIMS("FRZ-1"), NEEDS(MSR, DS),
            feature_present(FEATURE_PDCM) && trace_features()->perfmon.version >= 2,
            "PDCM and perfmon version 2 are there")
{
    if (!skipped_as_not_lent(t, FEATURE_PERFMON))
        expect_absent(t, FREEZE_ON_PMI);
}

TEST(probe, freeze_while_smm_can_be_set, CLAIMS("FRZ-14"), NEEDS(FREEZE_WHILE_SMM))
{
    expect_settable(t, DEBUGCTL_FREEZE_WHILE_SMM);
}

TEST_UNLESS(probe, freeze_while_smm_cannot_be_set_unless_enumerated, CLAIMS("FRZ-14"),
            NEEDS(MSR, DS), feature_present(FEATURE_FREEZE_WHILE_SMM),
            "IA32_PERF_CAPABILITIES[12] = 1")
{
    if (!skipped_as_not_lent(t, FEATURE_FREEZE_WHILE_SMM))
        expect_absent(t, DEBUGCTL_FREEZE_WHILE_SMM);
}

/* --- the bits that leaf 07H enumerates --- */

/* Alone and with others, without changing those. */
static void check_settable(struct test_context *t, uint64_t bit)
{
    const uint64_t beside[] = {0, debugctl_enumerated() & DEBUGCTL_BTF,
                               debugctl_enumerated() & DEBUGCTL_LBR,
                               debugctl_enumerated() & DEBUGCTL_TABLE_17_6 & ~DEBUGCTL_TR};
    char names[128];

    for (size_t i = 0; i < COUNT_OF(beside); i++) {
        uint64_t value = bit | beside[i], found;
        struct exception exception = debugctl_write_safe(value);

        found = debugctl_read();
        debugctl_clear();
        EXPECT(t, MSR_REFUSES, !exception_happened(exception) && found == value,
               "IA32_DEBUGCTL, setting %s: %s, it is %#lx",
               debugctl_format(value, names, sizeof names), exception_name(exception), found);
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL when it was cleared", debugctl_read(), 0);
    }
}

TEST(probe, bus_lock_detect_can_be_set, CLAIMS(), NEEDS(BUS_LOCK_DETECT))
{
    check_settable(t, DEBUGCTL_BUS_LOCK_DETECT);
}

TEST(probe, rtm_debug_can_be_set, CLAIMS(), NEEDS(RTM))
{
    check_settable(t, DEBUGCTL_RTM);
}
