/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the lab promises, on any processor: no Debug Store is needed for it. Run when named. */
#include "arch/cpu/traps/interrupts.h"
#include "kernel/report/test.h"
#include "tests/run/machine_check_run.h"

static struct machine_check_observation seen;

static void inject_one(struct test_context *t, bool user)
{
    const struct machine_check_run run = {.user = user};
    uint64_t before = interrupt_count(VECTOR_MC);

    if (!machine_check_run(t, &run, &seen))
        return;
    EXPECT(t, SETUP, interrupt_count(VECTOR_MC) > before, "the handler was not asked by its gate");
    EXPECT_EQUAL(t, SETUP, "MCIP and RIPV of IA32_MCG_STATUS",
                 seen.check.global_status & (MCG_STATUS_MCIP | MCG_STATUS_RIPV),
                 MCG_STATUS_MCIP | MCG_STATUS_RIPV);
    EXPECT(t, SETUP, seen.check.bank != MACHINE_CHECK_NO_BANK, "no bank holds a valid error");
    EXPECT_EQUAL(t, SETUP, "bank of an error once it was taken", machine_check_take().bank,
                 MACHINE_CHECK_NO_BANK);
}

/* Twice from each ring: the first leaves nothing behind that is in the way of the next. */
SELFTEST(selftest, lab_injects_machine_checks, CLAIMS(), NEEDS(MCE, MCA, SYSCALL))
{
    if (!machine_check_is_possible(t))
        return;
    for (unsigned i = 0; i < 4; i++)
        inject_one(t, i % 2 == 1);
}
