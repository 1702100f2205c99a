/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a counter begin again at each bit of its reset value, whatever else is set? */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_events.h"
#include "tests/spec/samples/sample_short.h"

/* Each bit is set in the one and clear in the other; both are far from an overflow. */
static const uint64_t values[] = {0x5555555555555555, 0xaaaaaaaaaaaaaaaa};

struct setting {
    uint64_t debugctl, frozen;
};

static void check_value(struct test_context *t, enum pmu_event event, uint64_t value,
                        const struct setting *setting)
{
    struct sampling sampling = sample_short(event);
    char names[128];

    sampling.counters[0].reset = -value & pmu_counter_mask(sampling.counters[0].counter);
    sampling.debugctl = setting->debugctl;
    sampling.frozen = setting->frozen;
    if (!sampling_run(t, &sampling))
        return;
    if (EXPECT_COUNT(t, PEBS, "records", sampling.index, 1))
        sample_short_expect_reload(t, &sampling, &sampling.counters[0]);
    if (test_has_failed(t))
        test_note(t, "IA32_DEBUGCTL was %s, and of IA32_PERF_GLOBAL_STATUS was set %#lx",
                  debugctl_format(setting->debugctl, names, sizeof names), setting->frozen);
}

static void check_setting(struct test_context *t, struct setting setting)
{
    for (size_t i = 0; i < COUNT_OF(values) && !test_has_failed(t); i++)
        check_value(t, sample_best_event(t), values[i], &setting);
}

/* Beside each bit of IA32_DEBUGCTL, the trace, and a stack that software froze; CTR_Frz would stop
 * the counter. */
TEST(pebs, each_bit_of_a_reset_value, CLAIMS("PEBS-2"), NEEDS(PEBS_RECORDS, PMI))
{
    const uint64_t frozen[] = {PERF_GLOBAL_STATUS_LBR_FRZ, PERF_GLOBAL_STATUS_OVF_BUF,
                               PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_OVF_BUF};

    if (!sample_is_possible(t, sample_best_event(t)))
        return;
    check_setting(t, (struct setting){0});
    for (uint64_t left = debugctl_enumerated(); left && !test_has_failed(t); left &= left - 1)
        check_setting(t, (struct setting){.debugctl = left & -left});
    if (feature_present(FEATURE_BTS))
        check_setting(t, (struct setting){.debugctl = DEBUGCTL_TR | DEBUGCTL_BTS});
    for (size_t i = 0; feature_present(FEATURE_PERFMON4) && i < COUNT_OF(frozen); i++)
        check_setting(t, (struct setting){.frozen = frozen[i]});
}
