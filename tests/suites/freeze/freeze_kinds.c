/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do a frozen LBR stack and frozen counters stay as they are, whatever kind of control transfer
 * comes?
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/freeze/freeze_check.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"

static bool freezes(uint64_t bit)
{
    pmu_status_set(bit);
    return pmu_status() & bit;
}

typedef void check_workload(struct test_context *t, const struct workload *workload);

static void check_kind(struct test_context *t, const struct workload *workload)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};
    struct observation seen;

    if (!observe(t, program_of_workload(workload), &run, &seen))
        return;
    EXPECT(t, FREEZE_LBR, lbr_same(&seen.lbr.before, &seen.lbr.after),
           "%s changed the LBR stack, although LBR_Frz is set", workload->name);
}

static void check_list(struct test_context *t, workload_list first, workload_list end,
                       check_workload *check)
{
    for (workload_list at = first; at < end; at++)
        if (transfer_is_possible(t, *at))
            check(t, *at);
}

static void check_all(struct test_context *t, check_workload *check)
{
    check_list(t, near_kinds, near_kinds_end, check);
    check_list(t, far_transfers, far_transfers_end, check);
    check_list(t, software_interrupts, software_interrupts_end, check);
    check_list(t, faults, faults_end, check);
    check_list(t, nested_events, nested_events_end, check);
    check_list(t, compat_transfers, compat_transfers_end, check);
    check_list(t, inner_rings, inner_rings_end, check);
}

/* Debug exceptions are not among them: those clear IA32_DEBUGCTL.LBR. */
TEST(freeze, frozen_stack_takes_no_kind_of_transfer, CLAIMS("FRZ-5", "ALBR-6"),
     NEEDS(PERFMON4, FREEZE, LBR, SYSCALL))
{
    if (freeze_of_lbr_is_open())
        test_skip(t,
                  "how this model freezes the LBR stack is open: freeze.by_every_general_counter");
    else if (!freezes(PERF_GLOBAL_STATUS_LBR_FRZ))
        test_skip(t,
                  "IA32_PERF_GLOBAL_STATUS_SET: LBR_Frz cannot be set: counters.status_can_be_set");
    else
        check_all(t, check_kind);
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

/* By overflows, with only the status written between them. */
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

TEST(freeze, stack_thaws_without_a_write_of_debugctl, CLAIMS("FRZ-5", "ALBR-6"),
     NEEDS(PERFMON4, FREEZE, LBR))
{
    const uint64_t lbr = PERF_GLOBAL_STATUS_LBR_FRZ, counters = PERF_GLOBAL_STATUS_CTR_FRZ;

    if (freeze_of_lbr_is_open() || !freezes(lbr)) {
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

/* --- the counters, which freeze where there is no stack as well --- */

/* Counts from zero in all rings, far from an overflow. */
static void program_counters(void)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(counters);

    for (unsigned i = 0; i < count; i++) {
        pmu_write(counters[i], 0);
        if (freeze_can_trigger(counters[i]))
            pmu_program(counters[i],
                        counters[i].fixed ? pmu_fixed_event(counters[i].number) : PMU_INSTRUCTIONS,
                        COUNTER_OS | COUNTER_USR);
    }
}

static void check_counts_nothing(struct test_context *t, const struct workload *workload)
{
    const struct run run = {.control = pmu_all_counters(), .behind = run_stop_counting};
    struct counters_seen before = freeze_read_counters(), after;

    if (!observe_run(t, program_of_workload(workload), &run))
        return;
    after = freeze_read_counters();
    if (!freeze_expect_still(t, &before, &after, "while a workload ran"))
        test_note(t, "the workload was %s", workload->name);
}

TEST(freeze, frozen_counters_count_no_kind_of_transfer, CLAIMS("FRZ-8"),
     NEEDS(PERFMON4, FREEZE, SYSCALL))
{
    pmu_reset();
    if (freezes(PERF_GLOBAL_STATUS_CTR_FRZ)) {
        program_counters();
        check_all(t, check_counts_nothing);
    } else {
        test_skip(t,
                  "IA32_PERF_GLOBAL_STATUS_SET: CTR_Frz cannot be set: counters.status_can_be_set");
    }
    pmu_status_clear(PERF_GLOBAL_STATUS_CTR_FRZ);
    pmu_reset();
}

/* Nothing writes IA32_PERF_GLOBAL_CTRL. */
static struct counters_seen run_and_read(void)
{
    workload_near_branches.entry();
    return freeze_read_counters();
}

static void stop_and_go(struct test_context *t, uint64_t first, uint64_t second)
{
    struct counters_seen before, after;

    pmu_status_set(first | second);
    before = freeze_read_counters();
    after = run_and_read();
    freeze_expect_still(t, &before, &after, "although CTR_Frz is set");
    pmu_status_clear(first);
    pmu_status_clear(second);
    before = run_and_read();
    EXPECT(t, FREEZE_COUNTERS, counters_moved(&after, &before, FREEZE_LOW_COUNTERS),
           "the counters stand still after the bits %#lx and %#lx were cleared in this order",
           first, second);
}

TEST(freeze, counters_thaw_without_a_write_of_their_control, CLAIMS("FRZ-8"),
     NEEDS(PERFMON4, FREEZE))
{
    const uint64_t lbr = PERF_GLOBAL_STATUS_LBR_FRZ, counters = PERF_GLOBAL_STATUS_CTR_FRZ;

    pmu_reset();
    if (!freezes(counters)) {
        test_skip(t, "see freeze.frozen_counters_count_no_kind_of_transfer");
        return;
    }
    pmu_status_clear(counters);
    program_counters();
    pmu_set_global_control(pmu_all_counters());
    stop_and_go(t, lbr, counters);
    stop_and_go(t, counters, lbr);
    stop_and_go(t, 0, lbr | counters);
    pmu_reset();
}
