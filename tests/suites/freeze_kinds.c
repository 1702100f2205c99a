/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a frozen LBR stack stay as it is, whatever kind of control transfer comes? */
#include "arch/trace/debugctl.h"
#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/freeze_check.h"
#include "tests/run/run.h"
#include "tests/run/transfer_run.h"

static bool freezes(void)
{
    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ);
    return pmu_status() & PERF_GLOBAL_STATUS_LBR_FRZ;
}

static void check_kind(struct test_context *t, const struct workload *workload)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};
    struct seen seen;

    if (!run_program(t, program_of_workload(workload), &run, &seen))
        return;
    EXPECT(t, FREEZE_LBR,
           __builtin_memcmp(&seen.lbr.before, &seen.lbr.after, sizeof seen.lbr.after) == 0,
           "%s changed the LBR stack, although LBR_Frz is set", workload->name);
}

static void check_list(struct test_context *t, workload_list first, workload_list end)
{
    for (workload_list at = first; at < end; at++)
        if (transfer_is_possible(t, *at))
            check_kind(t, *at);
}

#define CHECK_LIST(t, list) check_list(t, list, list##_end)

/* Debug exceptions are not among them: those clear IA32_DEBUGCTL.LBR. */
TEST(freeze, frozen_stack_takes_no_kind_of_transfer, CLAIMS("FRZ-5"),
     NEEDS(PERFMON4, PDCM, LBR, SYSCALL))
{
    if (freeze_of_lbr_is_open())
        test_skip(t,
                  "how this model freezes the LBR stack is open: freeze.by_every_general_counter");
    else if (!freezes())
        test_skip(t,
                  "IA32_PERF_GLOBAL_STATUS_SET: LBR_Frz cannot be set: counters.status_can_be_set");
    else {
        CHECK_LIST(t, near_kinds);
        CHECK_LIST(t, far_transfers);
        CHECK_LIST(t, software_interrupts);
        CHECK_LIST(t, faults);
        CHECK_LIST(t, nested_events);
        CHECK_LIST(t, compat_transfers);
        CHECK_LIST(t, inner_rings);
    }
    pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
}
