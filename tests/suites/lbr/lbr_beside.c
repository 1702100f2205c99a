/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the LBR stack hold each kind of transfer, whatever else is set that is no matter of its? */
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/spec/lbr_check.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/observe.h"

static void check_list(struct test_context *t, workload_list first, workload_list end,
                       uint64_t debugctl)
{
    for (workload_list at = first; at < end && !test_has_failed(t); at++)
        if (transfer_is_possible(t, *at) &&
            !transfer_check_lbr(t, program_of_workload(*at), DEBUGCTL_LBR | debugctl, false))
            test_note(t, "that was %s, with IA32_DEBUGCTL bits %#lx beside LBR", (*at)->name,
                      debugctl);
}

static void check_kinds(struct test_context *t, uint64_t debugctl)
{
    check_list(t, near_kinds, near_kinds_end, debugctl);
    check_list(t, far_transfers, far_transfers_end, debugctl);
    check_list(t, software_interrupts, software_interrupts_end, debugctl);
    check_list(t, faults, faults_end, debugctl);
}

/* TR is the matter of lbr.records_while_tr_is_set. */
TEST(lbr, kinds_beside_each_bit_of_debugctl, CLAIMS("LBR-1"), NEEDS(LBR, BTS, SYSCALL))
{
    uint64_t bits = debugctl_enumerated() & ~(uint64_t)(DEBUGCTL_LBR | DEBUGCTL_TR);

    for (uint64_t left = bits; left && !test_has_failed(t); left &= left - 1)
        check_kinds(t, left & -left);
}

/* CTR_Frz holds counters, and the stack goes on (FRZ-13). */
TEST(lbr, kinds_while_the_counters_are_frozen, CLAIMS("LBR-1", "FRZ-13"),
     NEEDS(LBR, PERFMON4, SYSCALL))
{
    pmu_status_set(PERF_GLOBAL_STATUS_CTR_FRZ);
    if (pmu_status() & PERF_GLOBAL_STATUS_CTR_FRZ)
        check_kinds(t, 0);
    else
        test_skip(t,
                  "IA32_PERF_GLOBAL_STATUS_SET: CTR_Frz cannot be set: counters.status_can_be_set");
    pmu_status_clear(PERF_GLOBAL_STATUS_CTR_FRZ);
}

#define ROOM 16 /* records */

/* A branch that the full buffer has no room for still goes onto the stack (BTS-6). */
TEST_UNLESS(lbr, records_while_the_bts_buffer_is_full, CLAIMS("LBR-1", "BTS-6"), NEEDS(LBR, BTS),
            lbr_is_undefined_with_tr(),
            "an LBR stack of %zu entries is undefined while TR is set (F2.8)", lbr_depth())
{
    const struct run run = {
        .debugctl = DEBUGCTL_LBR | DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT,
        .layout = {.records = ROOM, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = true,
    };

    observe_run(t, program_of_length(ROOM + 2 * lbr_depth() + 1), &run);
}
