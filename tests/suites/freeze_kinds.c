/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a frozen LBR stack stay as it is, whatever kind of control transfer comes? */
#include "arch/trace/debugctl.h"
#include "kernel/test.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/freeze_check.h"
#include "tests/oracle/lbr_check.h"
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

/* One branch at least between two looks; nothing writes IA32_DEBUGCTL. */
static bool records_now(void)
{
    static struct lbr_snapshot before, after;

    lbr_capture(&before);
    lbr_capture(&after);
    return !lbr_same(&before, &after);
}

/* As overflows do it, and nothing but the status is written between. */
static void freeze_and_thaw(struct test_context *t, uint64_t first, uint64_t second)
{
    pmu_status_set(first | second);
    EXPECT(t, FREEZE_LBR, !records_now(), "the stack records, although LBR_Frz is set");
    pmu_status_clear(first);
    pmu_status_clear(second);
    EXPECT(t, FREEZE_LBR, records_now(),
           "the stack stands still after the bits %#lx and %#lx were cleared in this order", first,
           second);
}

TEST(freeze, stack_thaws_without_a_write_of_debugctl, CLAIMS("FRZ-5"), NEEDS(PERFMON4, PDCM, LBR))
{
    const uint64_t lbr = PERF_GLOBAL_STATUS_LBR_FRZ, counters = PERF_GLOBAL_STATUS_CTR_FRZ;

    if (freeze_of_lbr_is_open() || !freezes()) {
        test_skip(t, "see freeze.frozen_stack_takes_no_kind_of_transfer");
        return;
    }
    pmu_status_clear(lbr);
    debugctl_write_safe(DEBUGCTL_LBR);
    freeze_and_thaw(t, lbr, counters);
    freeze_and_thaw(t, counters, lbr);
    freeze_and_thaw(t, 0, lbr | counters);
    debugctl_clear();
}
