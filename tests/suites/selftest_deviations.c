/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures and passes that rows of kernel/deviations.def speak of, so that the host can see what
 * becomes of each. Run when named.
 */
#include "arch/cpu/insn.h"
#include "kernel/test.h"

SELFTEST(selftest, deliberate_deviation_fails, CLAIMS("BTS-1"), NEEDS())
{
    test_note(t, "this note is shown, expected or not");
    test_fail(t, "failed as expected");
    test_breaks(t, "BTS-2");
}

SELFTEST(selftest, deliberate_deviation_passes, CLAIMS("BTS-1"), NEEDS())
{
    EXPECT(t, SETUP, true, "never said");
}

SELFTEST(selftest, deliberate_deviation_skips, CLAIMS("BTS-1"), NEEDS())
{
    test_skip(t, "skipped on purpose");
}

SELFTEST(selftest, deliberate_deviation_hangs, CLAIMS("BTS-1"), NEEDS())
{
    (void)t;
    for (;;)
        insn_pause();
}

/* The row is about the subtest called expected; seed=1 makes the other one fail as well. */
SELFTEST(selftest, deliberate_part_of_a_deviation, CLAIMS("BTS-1", "BTS-2"), NEEDS())
{
    test_plan(t, 2);
    test_begin(t, "BTS-1", "expected");
    test_fail(t, "failed as expected");
    test_end(t);
    test_begin(t, "BTS-2", "other");
    EXPECT(t, SETUP, test_seed(t) != 1, "the seed is 1");
    test_end(t);
}
