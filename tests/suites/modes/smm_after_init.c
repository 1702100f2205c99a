/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMM on a processor that INIT has met: FREEZE_WHILE_SMM is no less to it (FRZ-14), RSM restores
 * what was on, no record comes from the handler (DS-4). Tests of this suite, body and oracle
 * unchanged, run there; where the handler is ours, it has a software interrupt in its middle.
 */
#include "arch/cpu/apic/smi.h"
#include "kernel/report/test.h"
#include "kernel/machine/time.h"
#include "kernel/machine/watchdog.h"
#include "tests/run/other_processor.h"
#include "tests/run/smi_watch.h"

#define TRY_MICROSECONDS 100000
#define NAP_MICROSECONDS 100
#define WHY_SIZE         160

static const char *const chosen[] = {
    "smm.debugctl_comes_back",           "smm.counters_stand_still_under_the_freeze",
    "smm.lbr_stack_is_the_programs_own", "smm.records_go_on_after_the_freeze",
    "smm.records_are_the_programs_own",
};

static volatile bool came; /* an SMI, on the other processor */

static void try(void *unused)
{
    (void)unused;
    came = smi_count_tells();
}

/*
 * With nothing on. Firmware alone decides what becomes of an SMI there, and an emulator's may have
 * prepared no other processor than the first: false after a test_skip().
 */
static bool comes_back(struct test_context *t)
{
    struct wait wait = time_wait(TRY_MICROSECONDS);

    came = false;
    if (!other_start(t, 1) || !other_begin(t, 1, try, NULL))
        return false;
    while (processor_is_working(1) && wait_goes_on(&wait))
        watchdog_nap(NAP_MICROSECONDS);
    if (processor_is_working(1))
        test_skip(t, "processor 1 does not come back from an SMI");
    else if (!came)
        test_skip(t, "processor 1: no SMI comes, or MSR_SMI_COUNT does not tell of it");
    else
        return other_wait(t, 1);
    processor_stop(1);
    return false;
}

static void run_there(struct test_context *t, const struct test *test)
{
    char why[WHY_SIZE];
    const char *reason = other_lacks(1, test, why, sizeof why);

    if (!reason && !processor_is_started(1) && !other_start(t, 1))
        return;
    if (!reason)
        reason = other_run_test(t, 1, test);
    if (reason)
        test_skip(t, "%s", reason);
}

/* Otherwise the first one's reason is the test's: whether an SMI comes is then no matter. */
static bool one_can_run(struct test_context *t)
{
    char why[WHY_SIZE];

    for (size_t i = COUNT_OF(chosen); i-- > 0;)
        if (!other_lacks(1, test_named(chosen[i]), why, sizeof why))
            return true;
    test_skip(t, "%s", why);
    return false;
}

TEST(smm, on_a_processor_after_init, CLAIMS("FRZ-14", "DS-4"), NEEDS(SECOND_PROCESSOR, PMI))
{
    if (!one_can_run(t) || !smi_is_possible(t))
        return;
    if (!smi_serve_reset_base())
        test_observe(t, "the memory at 38000H is not free: no SMI handler of ours there");
    if (!comes_back(t))
        return;
    TEST_NUMBERS(t, i, 0, COUNT_OF(chosen), "FRZ-14", "%s", chosen[i] + sizeof "smm")
        run_there(t, test_named(chosen[i]));
    other_stop(t, 1);
}
