/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is the state in a record of rings 1 to 3 that of the program, and not of what stored the record?
 */
#include "arch/cpu/traps/trap_frame.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"

/* IA32_DEBUGCTL meanwhile. */
static uint64_t user_debugctl;

/* The steps in a ring, sampled in the rings that the flags say; rflags: RFLAGS.IF or 0. */
static bool run_in_ring(struct test_context *t, unsigned ring, enum pmu_event event, unsigned flags,
                        uint64_t rflags, struct sampling *sampling)
{
    *sampling = sample_default(event);
    sampling->argument = rflags;
    sampling_set_ring(sampling, ring);
    sampling->counters[0].flags = flags;
    sampling->debugctl = user_debugctl;
    return sampling_run(t, sampling);
}

/* Records of ring 3 land in pages that ring 3 cannot reach (F3.37). */
static void check_ring(struct test_context *t, unsigned ring, enum pmu_event event, uint64_t rflags)
{
    struct sampling sampling;

    test_under(t, UNDER(FILTERED));
    if (!run_in_ring(t, ring, event, COUNTER_USR, rflags, &sampling))
        return;
    if (EXPECT_COUNT(t, PEBS, "records of rings 1 to 3", sampling.index, SAMPLE_DEFAULT_RECORDS))
        sample_check_all(t, &sampling);
    sampling_expect_no_stray_write(t, sampling.index);
}

TEST(pebs, record_holds_the_state_at_cpl_3, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, PMI, SYSCALL))
{
    check_ring(t, 3, sample_best_event(t), 0);
}

TEST(pebs, record_holds_the_interrupt_flag_at_cpl_3, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, PMI, SYSCALL))
{
    check_ring(t, 3, sample_best_event(t), RFLAGS_IF);
}

/* Filters of the branch trace and the LBR stack do not affect PEBS. */
static void check_beside(struct test_context *t, enum pmu_event event, uint64_t debugctl)
{
    struct sampling sampling = sample_default(event);
    char names[128];

    sampling.debugctl = debugctl;
    if (sampling_run(t, &sampling))
        sample_check_all(t, &sampling);
    user_debugctl = debugctl;
    check_ring(t, 3, event, 0);
    user_debugctl = 0;
    if (test_has_failed(t))
        test_note(t, "IA32_DEBUGCTL was %s", debugctl_format(debugctl, names, sizeof names));
}

TEST(pebs, records_beside_each_bit_of_debugctl, CLAIMS("PEBS-1", "PEBS-4"),
     NEEDS(PEBS_RECORDS, PMI, SYSCALL, BTS))
{
    uint64_t bits = debugctl_enumerated(), traced = DEBUGCTL_TR | DEBUGCTL_BTS;
    uint64_t off = bits & (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR);
    const uint64_t together[] = {traced, traced | DEBUGCTL_LBR, traced | DEBUGCTL_LBR | off,
                                 DEBUGCTL_LBR | DEBUGCTL_TR};
    enum pmu_event event = sample_best_event(t);

    if (!sample_is_possible(t, event))
        return;
    for (uint64_t left = bits; left && !test_has_failed(t); left &= left - 1)
        check_beside(t, event, left & -left);
    for (size_t i = 0; i < COUNT_OF(together) && !test_has_failed(t); i++)
        check_beside(t, event, together[i] & bits);
}

/* Ring 0 has too few events to overflow the counter. */
static void check_supervisor(struct test_context *t, enum pmu_event event)
{
    struct sampling sampling;

    test_under(t, UNDER(FILTERED));
    if (!run_in_ring(t, 3, event, COUNTER_OS, 0, &sampling))
        return;
    EXPECT_COUNT(t, PEBS, "records of ring 3", sampling.index, 0);
    sampling_expect_no_stray_write(t, 0);
}

/* Only what happens in the rings that the counter counts in stores records. */
TEST(pebs, rings, CLAIMS("PEBS-1", "ISR-1"), NEEDS(PEBS_RECORDS, PMI, SYSCALL))
{
    enum pmu_event event = sample_best_event(t);

    if (!sample_is_possible(t, event))
        return;
    test_plan(t, 4);
    for (unsigned ring = 3; ring; ring--) {
        test_begin(t, "PEBS-1", "ring_%u", ring);
        check_ring(t, ring, event, 0);
        test_end(t);
    }
    test_begin(t, "PEBS-1", "ring_0_alone");
    check_supervisor(t, event);
    test_end(t);
}

/* Six periods, and an interrupt at the last one's record. */
static void check_periods(struct test_context *t, struct counter counter, enum pmu_event event)
{
    struct sampling sampling = sample_default(event);

    sampling.counters[0].counter = counter;
    sampling_set_ring(&sampling, 3);
    sampling.debugctl = user_debugctl;
    sampling.threshold = SAMPLE_DEFAULT_RECORDS;
    sampling.interrupts_wanted = 1;
    if (!sampling_run(t, &sampling))
        return;
    if (!EXPECT_COUNT(t, PEBS, "records of ring 3", sampling.index, SAMPLE_DEFAULT_RECORDS)) {
        if (sampling.index) /* the counter did not begin again */
            test_breaks(t, "PEBS-2");
        return;
    }
    sample_check_all(t, &sampling);
}

static void check_counter(struct test_context *t, struct counter counter)
{
    static const uint64_t settings[] = {0, DEBUGCTL_TR | DEBUGCTL_BTS};
    enum pmu_event event = sample_exact_event(t, counter);
    char names[128];

    if (event == PMU_EVENT_COUNT) {
        sample_skip_counter(t, counter);
        return;
    }
    test_under(t, UNDER(FILTERED));
    for (size_t i = 0; i < COUNT_OF(settings) && !test_has_failed(t); i++) {
        user_debugctl = settings[i];
        check_periods(t, counter, event);
        if (test_has_failed(t))
            test_note(t, "IA32_DEBUGCTL was %s",
                      debugctl_format(user_debugctl, names, sizeof names));
    }
    user_debugctl = 0;
}

/* Each counter alone, beside the branch trace too. */
TEST(pebs, each_counter_samples_in_ring_3, CLAIMS("PEBS-1", "PEBS-2", "PEBS-3", "PEBS-6"),
     NEEDS(PEBS_RECORDS, PMI, SYSCALL, BTS))
{
    sample_best_event(t);
    sample_each_counter(t, "PEBS-1", "PEBS-6", check_counter);
}
