/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does architectural PEBS store the state of a program in rings 1 to 3 (F22.33 to F22.35), and does
 * a counter of ring 0 store nothing of ring 3? Records of the DS area: pebs_ring3.c.
 */
#include "kernel/report/test.h"
#include "tests/spec/samples/sample_check.h"
#include "tests/spec/samples/sample_counters.h"

/* The steps in a ring, by a counter that counts in the rings of the flags. False after a
 * test_skip() or test_fail(). */
static bool run_in_ring(struct test_context *t, unsigned ring, struct counter counter,
                        unsigned flags, struct sampling *sampling)
{
    if (!sample_of_exact_counter(t, counter, sampling))
        return false;
    test_under(t, UNDER(FILTERED));
    sampling_set_ring(sampling, ring);
    sampling->counters[0].flags = flags;
    return sampling_run(t, sampling);
}

/* Six periods: with the second record the counter has begun again. The buffer lies at a physical
 * address, which no rights of ring 3 are asked for (F22.30). */
static void check_ring(struct test_context *t, struct counter counter, unsigned ring)
{
    struct sampling sampling;

    if (!run_in_ring(t, ring, counter, COUNTER_USR, &sampling))
        return;
    test_note(t, "the code ran in ring %u", ring);
    if (EXPECT_COUNT(t, PEBS, "records of rings 1 to 3", sampling.index, SAMPLE_DEFAULT_RECORDS))
        sample_check_all(t, &sampling);
    else
        test_breaks(t, "APEBS-1");
    sampling_expect_no_stray_write(t, sampling.index);
}

static void check_user(struct test_context *t, struct counter counter)
{
    for (unsigned ring = 3; ring && !test_has_failed(t); ring--)
        check_ring(t, counter, ring);
}

TEST(arch_pebs, each_counter_samples_in_ring_3, CLAIMS("APEBS-4", "APEBS-1", "APEBS-3"),
     NEEDS(PEBS_ARCH, PMI, SYSCALL))
{
    sample_each_counter(t, "APEBS-4", "APEBS-4", check_user);
}

/* Ring 0 has too few events around the steps to overflow the counter. */
static void check_supervisor(struct test_context *t, struct counter counter)
{
    struct sampling sampling;

    if (!run_in_ring(t, 3, counter, COUNTER_OS, &sampling))
        return;
    EXPECT_EQUAL(t, PEBS_EXTRA, "WR", sampling.arch_end.write, 0);
    EXPECT_EQUAL(t, OVERFLOW_EXTRA, "the counter's overflow bit",
                 sampling.status & pmu_global_bit(counter), 0);
    sampling_expect_no_stray_write(t, 0);
}

TEST(arch_pebs, counters_of_ring_0_store_nothing_of_ring_3, CLAIMS("APEBS-4"),
     NEEDS(PEBS_ARCH, PMI, SYSCALL))
{
    sample_each_counter(t, "APEBS-4", "APEBS-4", check_supervisor);
}
