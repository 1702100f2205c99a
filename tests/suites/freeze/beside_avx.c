/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recording and counting are nothing to what executes: an instruction that may be switched off. */
#include "arch/cpu/traps/simd.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/run.h"

#define RECORDS 64

static const struct setting {
    const char *name;
    uint64_t debugctl;
    enum feature need;
    bool counts;
} settings[] = {
    {"nothing_on", 0, FEATURE_MSR, false},
    {"lbr", DEBUGCTL_LBR, FEATURE_LBR, false},
    {"bts", DEBUGCTL_TR | DEBUGCTL_BTS, FEATURE_BTS, false},
    {"counter", 0, FEATURE_PERFMON, true},
};

static bool switch_on(struct test_context *t, uint64_t debugctl, bool counts)
{
    const struct bts_layout layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD};

    if (debugctl & DEBUGCTL_BTS && !expect_programmed(t, bts_prepare(&layout)))
        return false;
    if (counts) {
        pmu_set_global_control(1);
        pmu_program((struct counter){.number = 0}, PMU_INSTRUCTIONS, COUNTER_OS);
    }
    return !debugctl || EXPECT(t, MSR_REFUSES, !exception_happened(debugctl_write_safe(debugctl)),
                               "setting IA32_DEBUGCTL to %#lx faults", debugctl);
}

static void check_with(struct test_context *t, const struct setting *setting, bool enabled)
{
    struct exception exception;

    avx_begin(enabled);
    if (switch_on(t, setting->debugctl, setting->counts)) {
        exception = avx_execute();
        if (setting->debugctl)
            debugctl_clear();
        EXPECT(t, RECORD_EXTRA, exception_happened(exception) == !enabled,
               "VZEROUPPER with AVX switched %s: %s", enabled ? "on" : "off",
               exception_name(exception));
    }
    if (setting->counts)
        pmu_reset();
    avx_end();
}

TEST(beside, avx_is_on_or_off_whatever_records, CLAIMS("BTS-1", "LBR-1"), NEEDS(DS))
{
    TEST_EACH(t, setting, settings, NULL, "%s", setting->name) {
        if (!avx_exists())
            test_skip(t, "CPUID.01H:ECX has no AVX or no XSAVE");
        else if (!feature_present(setting->need))
            test_skip(t, "no %s", feature_name(setting->need));
        else
            for (unsigned enabled = 0; enabled < 2; enabled++)
                check_with(t, setting, enabled);
    }
}
