/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/facility_check.h"

#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"

/* The claims about bits of IA32_DEBUGCTL, and of other registers that something beside them
 * changed. */
static const struct {
    uint64_t bits;
    const char *claim;
} debugctl_claims[] = {
    {DEBUGCTL_LBR, "LBR-1"},
    {DEBUGCTL_BTF, "BTF-1"},
    {DEBUGCTL_TR, "LBR-4"},
    {DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT, "ISR-6"},
    {DEBUGCTL_TR | DEBUGCTL_BTS, "BTS-6"},
    {DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR, "CPL-1"},
    {DEBUGCTL_BTINT, "T17-6.7"},
    {DEBUGCTL_BTS_OFF_OS, "T17-6.4"},
    {DEBUGCTL_BTS_OFF_USR, "T17-6.5"},
    {DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI, "FRZ-13"},
    {DEBUGCTL_FREEZE_WHILE_SMM, "FRZ-14"},
};

static bool expect(struct test_context *t, const char *name, uint64_t got, uint64_t expected,
                   const char *claim)
{
    bool held = got == expected || EXPECT_EQUAL(t, MSR_VALUE, name, got, expected);

    test_checked(t);
    if (!held && claim)
        test_breaks(t, claim);
    return held;
}

/* The same under circumstances that errata speak of. */
static bool expect_under(struct test_context *t, const char *name, uint64_t got, uint64_t expected,
                         unsigned under)
{
    const struct finding finding = {
        .kind = FINDING_MSR_VALUE, .where = name, .expected = expected, .got = got, .under = under};

    if (got != expected)
        test_find_as(t, &finding, "%s: expected %#lx, got %#lx", name, expected, got);
    return got == expected;
}

static bool expect_debugctl(struct test_context *t, uint64_t got, uint64_t expected)
{
    bool freezes = expected & DEBUGCTL_FREEZE_LBRS_ON_PMI;
    bool held = expect_under(t, "IA32_DEBUGCTL", got, expected, freezes ? UNDER(FREEZE_LBRS) : 0);

    for (size_t i = 0; !held && i < COUNT_OF(debugctl_claims); i++)
        if ((got ^ expected) & debugctl_claims[i].bits)
            test_breaks(t, debugctl_claims[i].claim);
    return held;
}

/* Overflow bits are findings of a kind of their own, which errata know. */
static bool expect_status(struct test_context *t, uint64_t got, uint64_t expected)
{
    const uint64_t freezes = PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ;
    bool held =
        got == expected || EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS", got, expected);

    if (!held && (got ^ expected) & freezes)
        test_breaks(t, "FRZ-13");
    if (!held && (got ^ expected) & PERF_GLOBAL_STATUS_LBR_FRZ)
        test_breaks(t, "FRZ-5");
    if (!held && (got ^ expected) & PERF_GLOBAL_STATUS_CTR_FRZ)
        test_breaks(t, "FRZ-8");
    if (!held && (got ^ expected) & ~freezes)
        test_breaks(t, "ISR-3");
    return held;
}

static bool expect_numbered(struct test_context *t, const char *name, unsigned number, uint64_t got,
                            uint64_t expected, unsigned under)
{
    char text[32];

    if (got == expected)
        return true;
    format_string(text, sizeof text, "%s%u", name, number);
    return expect_under(t, text, got, expected, under);
}

/* Of a general-purpose counter. */
static unsigned circumstances(const struct facility *expected, unsigned number)
{
    const uint64_t rings = PERFEVTSEL_OS | PERFEVTSEL_USR;
    unsigned under = number > 3 ? UNDER(HIGH_COUNTER) : 0;

    if (expected->pebs_enable >> number & 1 && (expected->event_select[number] & rings) != rings)
        under |= UNDER(PEBS) | UNDER(FILTERED);
    return under;
}

static bool expect_counters(struct test_context *t, const struct facility *got,
                            const struct facility *expected)
{
    bool held = true;

    for (unsigned i = 0; i < PMU_GENERAL_MAX; i++) {
        unsigned under = circumstances(expected, i);

        held &= expect_numbered(t, "IA32_PERFEVTSEL", i, got->event_select[i],
                                expected->event_select[i], under);
        held &= expect_numbered(t, "IA32_PMC", i, got->general[i], expected->general[i], under);
    }
    for (unsigned i = 0; i < PMU_FIXED_MAX; i++)
        held &= expect_numbered(t, "IA32_FIXED_CTR", i, got->fixed[i], expected->fixed[i], 0);
    return held;
}

bool facility_expect(struct test_context *t, const struct facility *got,
                     const struct facility *expected)
{
    bool held = expect_debugctl(t, got->debugctl, expected->debugctl);

    held &= expect(t, "MSR_LBR_SELECT", got->select, expected->select, "LBR-1");
    held &= expect(t, "IA32_DS_AREA", got->ds_area, expected->ds_area, "ISR-6");
    held &= expect(t, "IA32_PEBS_ENABLE", got->pebs_enable, expected->pebs_enable, "ISR-5");
    held &= expect(t, "MSR_PEBS_DATA_CFG", got->data_config, expected->data_config, "PEBS-4");
    held &= expect(t, "IA32_PERF_GLOBAL_CTRL", got->control, expected->control,
                   feature_present(FEATURE_PERFMON4) ? "FRZ-8" : "FRZ-6");
    held &= expect_status(t, got->status, expected->status);
    held &= expect(t, "IA32_FIXED_CTR_CTRL", got->fixed_control, expected->fixed_control, NULL);
    held &= expect(t, "LVT performance entry", got->lvt, expected->lvt, "ISR-2");
    return held & expect_counters(t, got, expected);
}
