/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failures and passes that rows of kernel/report/errata.def speak of, so that the host can see what
 * becomes of each. Run when named.
 */
#include "arch/cpu/ground/insn.h"
#include "kernel/report/test.h"

/* The symptom of SELF1 and SELF2. */
static void find_the_symptom(struct test_context *t)
{
    EXPECT_EQUAL(t, INDEX, "the answer", 41, 42);
}

/* seed=1: with another finding; seed=2: with one that is the test's own trouble. */
SELFTEST(selftest, deliberate_deviation_fails, CLAIMS("BTS-1"), NEEDS())
{
    test_note(t, "this note is shown, expected or not");
    find_the_symptom(t);
    EXPECT_EQUAL(t, INDEX, "the question", test_seed(t) == 1, 0);
    if (test_seed(t) == 2)
        test_fail(t, "the seed is 2");
    test_breaks(t, "BTS-2");
}

SELFTEST(selftest, deliberate_deviation_passes, CLAIMS("BTS-1"), NEEDS())
{
    EXPECT(t, INDEX, true, "never said");
}

SELFTEST(selftest, deliberate_deviation_skips, CLAIMS("BTS-1"), NEEDS())
{
    test_skip(t, "skipped on purpose");
}

SELFTEST(selftest, deliberate_deviation_hangs, CLAIMS("BTS-1"), NEEDS())
{
    find_the_symptom(t);
    for (;;)
        insn_pause();
}

/* The finding in the subtest called expected is a symptom; seed=1 makes the other one fail too. */
SELFTEST(selftest, deliberate_part_of_a_deviation, CLAIMS("BTS-1", "BTS-2"), NEEDS())
{
    test_plan(t, 2);
    test_begin(t, "BTS-1", "expected");
    find_the_symptom(t);
    test_end(t);
    test_begin(t, "BTS-2", "other");
    EXPECT(t, INDEX, test_seed(t) != 1, "the seed is 1");
    test_end(t);
}
