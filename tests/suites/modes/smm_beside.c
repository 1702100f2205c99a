/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an SMI leaves as it was: every register of the facilities, whatever is set in them, but for
 * the four bits of IA32_DEBUGCTL that may stay off where FREEZE_WHILE_SMM is clear (F10.2).
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"
#include "tests/run/smi_run.h"
#include "tests/run/smi_watch.h"
#include "tests/spec/facility_check.h"

#define RECORDING ((uint64_t)(DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_TR | DEBUGCTL_BTS))

static struct bystander_run run;

/* D 14: under the freeze RSM may set all enables, even of counters that no leaf enumerates;
 * smm.counter_enables_come_back holds the processor to it. Without the freeze the manual does not
 * say what counts in the handler. */
static struct facility expected_of(uint64_t debugctl)
{
    struct facility expected = run.before;

    if (debugctl & DEBUGCTL_FREEZE_WHILE_SMM) {
        if (!(pmu_all_counters() & ~run.after.control))
            expected.control = run.after.control;
        return expected;
    }
    expected.debugctl = (debugctl & ~RECORDING) | (debugctl & run.after.debugctl & RECORDING);
    __builtin_memcpy(expected.general, run.after.general, sizeof expected.general);
    __builtin_memcpy(expected.fixed, run.after.fixed, sizeof expected.fixed);
    return expected;
}

static void check_row(struct test_context *t, unsigned row)
{
    const struct bystanders beside = bystanders_of_row(row, 0);
    struct facility expected;
    bool good;

    run = (struct bystander_run){.program = smi_program(SMI_IN_RING0)};
    smi_begin();
    good = bystanders_run(t, &beside, &run);
    if (!smi_end(t) || !good)
        return;
    expected = expected_of(beside.debugctl);
    if (!facility_expect(t, &run.after, &expected))
        bystanders_note(t, &beside);
}

TEST(smm, other_settings_stay, CLAIMS("FRZ-14"), NEEDS(PERFMON2, PMI))
{
    if (!smi_test_begin(t))
        return;
    test_under(t, UNDER(SMI));
    BYSTANDERS_EACH(t, row, ROWS_ALL)
        check_row(t, row);
    bystanders_end();
    smi_test_end();
}
