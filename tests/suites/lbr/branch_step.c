/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With IA32_DEBUGCTL.BTF and TF set, does the debug exception come exactly after taken branches, is
 * BTF cleared by it, and do branch-stepping, TR, BTS and LBR leave one another alone?
 */
#include "arch/cpu/traps/debug.h"
#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/step/branch_step_check.h"
#include "tests/spec/compare.h"
#include "tests/spec/lbr_check.h"
#include "tests/suites/lbr/lbr_workloads.h"
#include "tests/workloads/branch_step.h"

#define RECORDS 512 /* more than any program here leaves */

static struct program stepped;

static void check_stops_with(struct test_context *t, const struct workload *workload,
                             uint64_t debugctl, bool once)
{
    const struct branch_stepper_run run = {
        .debugctl = debugctl, .rearm = debugctl, .trap_flag = true, .once = once};
    const struct program *program = program_of_workload(workload);
    struct branch_stepper_result result;

    branch_stepper_run(program, &run, &result);
    branch_step_check(t, program, &run, &result, &stepped);
}

/* A bit that changes nothing of it; 0 where it does not exist. The stepper writes the register. */
static uint64_t lbr_bit(void)
{
    return feature_present(FEATURE_LBR_LEGACY) ? DEBUGCTL_LBR : 0;
}

static void check_stops(struct test_context *t, const struct workload *workload)
{
    check_stops_with(t, workload, DEBUGCTL_BTF, false);
    if (lbr_bit())
        check_stops_with(t, workload, DEBUGCTL_BTF | lbr_bit(), false);
}

/* In ring 0 and without a gate or a frame that would change TF. */
static bool keeps_trap_flag(const struct workload *workload)
{
    for (const struct transfer *row = workload->truth; row < workload->truth_end; row++)
        if (row->from_ring || row->to_ring ||
            !transfer_is(row->kind, TRANSFER_IS_NEAR | TRANSFER_IS_FAR))
            return false;
    return !(workload->flags & ~WORKLOAD_INTEL) && workload->truth < workload->truth_end;
}

TEST(branch_step, stops_at_taken_branches_alone, CLAIMS("BTF-1"), NEEDS(BTF))
{
    TEST_EACH_WHERE(t, at, __workloads_start, __workloads_end, keeps_trap_flag(*at), "BTF-1", "%s",
                    (*at)->name)
        check_stops(t, *at);
}

TEST(branch_step, stops_in_both_rings, CLAIMS("BTF-1"), NEEDS(BTF, SYSCALL))
{
    check_stops(t, &workload_branch_step_rings);
}

TEST(branch_step, stops_in_compatibility_mode, CLAIMS("BTF-1"), NEEDS(BTF))
{
    check_stops(t, &workload_branch_step_compat);
}

/* The interrupt waits while IF = 0; whether its delivery is a stop is open (D 10). */
static void check_interrupt_with(struct test_context *t, const struct workload *workload,
                                 uint64_t debugctl)
{
    hold_off_and_send();
    check_stops_with(t, workload, debugctl, true);
    let_in_and_end();
}

static void check_interrupt(struct test_context *t, const struct workload *workload)
{
    check_interrupt_with(t, workload, DEBUGCTL_BTF);
    if (lbr_bit())
        check_interrupt_with(t, workload, DEBUGCTL_BTF | lbr_bit());
}

TEST(branch_step, deliveries, CLAIMS("BTF-1"), NEEDS(BTF, APIC))
{
    const struct workload *const workloads[] = {&workload_kernel_fault, &workload_int_and_iret,
                                                &workload_kernel_interrupted};

    TEST_EACH(t, at, workloads, "BTF-1", "%s", (*at)->name) {
        if (*at == &workload_kernel_interrupted)
            check_interrupt(t, *at);
        else
            check_stops(t, *at);
    }
}

/* HLT is no branch, though nothing goes on until an interrupt comes. */
TEST(branch_step, no_stop_after_hlt, CLAIMS("BTF-1"), NEEDS(BTF, APIC))
{
    check_interrupt(t, &workload_kernel_hlt);
}

/* From the first instruction of a handler to its IRET, or to the truth's next row. */
static void expect_none_in_handler(struct test_context *t, const struct transfer *delivery,
                                   const struct branch_stepper_result *result)
{
    for (size_t i = 0; i < result->count && i < BRANCH_TRAPS_MAX; i++)
        EXPECT(t, DEBUG_EXTRA,
               result->traps[i].rip < delivery[0].to || result->traps[i].rip > delivery[1].from,
               "a debug exception at %pS, in a handler that TF was cleared for",
               (void *)result->traps[i].rip);
}

/* TF alone: delivery through a gate clears it, so that the handler is not stepped (F9.6). */
static void check_handler(struct test_context *t, const struct workload *workload,
                          uint64_t debugctl)
{
    const struct branch_stepper_run run = {
        .debugctl = debugctl, .rearm = debugctl, .trap_flag = true};
    const struct program *program = program_of_workload(workload);
    struct branch_stepper_result result;

    branch_stepper_run(program, &run, &result);
    EXPECT(t, DEBUG_MISSING, result.count, "no debug exception at all");
    for (size_t i = 0; i + 1 < program->count; i++)
        if (transfer_is(program->truth[i].kind, TRANSFER_IS_DELIVERY))
            expect_none_in_handler(t, &program->truth[i], &result);
}

TEST(branch_step, handlers_are_not_single_stepped, CLAIMS("BTF-1"), NEEDS(BTF))
{
    const struct workload *const workloads[] = {&workload_kernel_fault, &workload_int_and_iret};

    TEST_EACH(t, at, workloads, "BTF-1", "%s", (*at)->name) {
        check_handler(t, *at, 0);
        if (lbr_bit())
            check_handler(t, *at, lbr_bit());
    }
}

static size_t count_transfers_to(const struct program *program, uint64_t to)
{
    size_t found = 0;

    for (size_t i = 0; i < program->count; i++)
        found += program->truth[i].to == to;
    return found;
}

static void check_steps(struct test_context *t, const struct workload *workload)
{
    const struct branch_stepper_run run = {
        .debugctl = DEBUGCTL_LBR, .rearm = DEBUGCTL_LBR, .trap_flag = true};
    const struct program *program = program_of_workload(workload);
    struct branch_stepper_result result;

    branch_stepper_run(program, &run, &result);
    if (result.count >= BRANCH_TRAPS_MAX) {
        test_skip(t, "%zu instructions, more than are noted one by one", result.count);
        return;
    }
    for (size_t i = 0; i < program->count; i++) {
        const struct transfer *row = &program->truth[i];
        uint64_t to = branch_stepper_address(row->to);
        size_t expected = count_transfers_to(program, row->to);

        EXPECT(t, DEBUG_MISSING, branch_stepper_traps_at(&result, to) >= expected,
               "TF alone: %zu debug exceptions at %pS, which %zu transfers led to, the last by %s",
               branch_stepper_traps_at(&result, to), (void *)to, expected,
               transfer_kind_name(row->kind));
    }
}

/* TF alone: a debug exception after every instruction (F9.1), far transfers among them, while the
 * stack records them. */
TEST(branch_step, single_steps_after_every_kind_of_branch, CLAIMS("BTF-1"), NEEDS(BTF, LBR_LEGACY))
{
    TEST_EACH_WHERE(t, at, __workloads_start, __workloads_end, keeps_trap_flag(*at), "BTF-1", "%s",
                    (*at)->name)
        check_steps(t, *at);
}

/* BTF stays off unless the handler sets it again: TF alone traps after every instruction (F9.1,
 * F9.4). */
TEST(branch_step, cleared_by_the_exception, CLAIMS("BTF-1"), NEEDS(BTF))
{
    const struct branch_stepper_run run = {.debugctl = DEBUGCTL_BTF, .trap_flag = true};
    size_t places = (size_t)(branch_step_places_end - branch_step_places);
    struct branch_stepper_result result;

    branch_stepper_run(program_of_workload(&workload_branch_step_once), &run, &result);
    EXPECT_EQUAL(t, DEBUG_PLACE, "the first debug exception", result.traps[0].rip,
                 (uint64_t)workload_branch_step_once.entry);
    /* The entry is a NOP: one trap after it, then one after each instruction. */
    for (size_t i = 0; i < places; i++)
        EXPECT_EQUAL(t, DEBUG_PLACE, "a debug exception of single-stepping",
                     result.traps[i + 2].rip, branch_step_places[i]);
}

/*
 * A branch that executed before TF was set, and the IRET that sets it, are none that TF was set for
 * (F9.6): the first debug exception comes at the next one.
 */
TEST(branch_step, not_for_a_branch_before_the_trap_flag, CLAIMS("BTF-1"), NEEDS(BTF))
{
    const struct branch_stepper_run run = {.debugctl = DEBUGCTL_BTF, .rearm = DEBUGCTL_BTF};
    size_t places = (size_t)(branch_step_late_places_end - branch_step_late_places);
    struct branch_stepper_result result;

    branch_stepper_run(program_of_workload(&workload_branch_step_late), &run, &result);
    EXPECT_COUNT(t, DEBUG, "debug exceptions", result.count, places);
    for (size_t i = 0; i < places && i < result.count && !test_has_failed(t); i++) {
        EXPECT_EQUAL(t, DEBUG_PLACE, "where the debug exception came", result.traps[i].rip,
                     branch_step_late_places[i]);
        EXPECT(t, DEBUG_STATUS, result.traps[i].status & DR6_BS, "DR6.BS is not set");
    }
}

/* --- with the other bits --- */

static void check_records(struct test_context *t, uint64_t bits)
{
    uint64_t traced = bits & (DEBUGCTL_TR | DEBUGCTL_BTS);
    const struct expected *expected;

    if (traced != (DEBUGCTL_TR | DEBUGCTL_BTS)) {
        EXPECT(t, RECORD_EXTRA, bts_index() == 0, "%zu records stored", bts_index());
        return;
    }
    expected = expected_of(t, &stepped, traced, NULL);
    if (expected)
        compare_records(t, expected, bts_records(), bts_index());
}

/* Debug exceptions are not in the LBR stack (F4.6). */
static void check_stack(struct test_context *t, const struct lbr_result *result)
{
    size_t kept = 0;

    for (size_t i = 0; i < stepped.count; i++)
        if (stepped.truth[i].kind != TRANSFER_DEBUG)
            stepped.truth[kept++] = stepped.truth[i];
    lbr_compare(t, stepped.truth, kept, 0, result);
}

/* Some processors cannot do LBR and TR at a time (F2.8): then the stack is not looked at. */
static void check_setting(struct test_context *t, uint64_t bits)
{
    const struct bts_layout layout = {.records = RECORDS, .threshold = BTS_NO_THRESHOLD};
    const struct program *program = program_of_workload(&workload_near_branches);
    const struct branch_stepper_run run = {.debugctl = DEBUGCTL_BTF | bits,
                                           .rearm = DEBUGCTL_BTF | bits,
                                           .trap_flag = true,
                                           .once = true}; /* buffer and stack fill on */
    struct branch_stepper_result result;
    struct lbr_result stack;
    const char *refusal = feature_present(FEATURE_BTS) ? bts_prepare(&layout) : NULL;

    if (!expect_programmed(t, refusal))
        return;
    run_fill_stack();
    lbr_capture(&stack.before);
    branch_stepper_run(program, &run, &result);
    lbr_capture(&stack.after);
    if (!branch_step_check(t, program, &run, &result, &stepped))
        return;
    if (feature_present(FEATURE_BTS))
        check_records(t, bits);
    if (bits & DEBUGCTL_LBR && !(bits & DEBUGCTL_TR))
        check_stack(t, &stack);
}

/* The test would fail at the stepper's WRMSR. Where there is BTS, TR must be there, too. */
static bool tr_is_refused(void)
{
    bool refused = exception_happened(debugctl_write_safe(DEBUGCTL_TR));

    debugctl_clear();
    return refused;
}

static const char *why_not(uint64_t bits)
{
    if (bits & DEBUGCTL_BTS && !feature_present(FEATURE_BTS))
        return "no BTS";
    if (bits & DEBUGCTL_LBR && !lbr_bit())
        return feature_present(FEATURE_LBR)
                   ? "the LBRs are architectural: IA32_DEBUGCTL.LBR has no function"
                   : "no LBR stack of the model that is known";
    if (bits & debugctl_not_lent())
        return "this hypervisor does not lend it";
    if (bits & ~debugctl_enumerated())
        return debugctl_other_layout();
    if (bits & DEBUGCTL_TR && !feature_present(FEATURE_BTS) && tr_is_refused())
        return "#GP on setting IA32_DEBUGCTL.TR, and no BTS";
    return NULL;
}

TEST(branch_step, with_tr_bts_lbr, CLAIMS("BTF-1", "BTS-1", "LBR-1", "LBR-2", "LBR-4"), NEEDS(BTF))
{
    static const uint64_t columns[] = {DEBUGCTL_LBR, DEBUGCTL_BTS, DEBUGCTL_TR};

    TEST_NUMBERS(t, setting, 0, 8, "BTF-1", "tr%u_bts%u_lbr%u", setting >> 2 & 1, setting >> 1 & 1,
                 setting & 1) {
        uint64_t bits = 0;

        for (unsigned column = 0; column < 3; column++)
            bits |= setting >> column & 1 ? columns[column] : 0;
        if (why_not(bits))
            test_skip(t, "%s", why_not(bits));
        else
            check_setting(t, bits);
    }
}

/* The stack's freeze is nothing to BTF. */
TEST(branch_step, while_the_lbr_stack_is_frozen, CLAIMS("BTF-1"), NEEDS(BTF, PERFMON4))
{
    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ);
    check_setting(t, 0);
    pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ);
}
