/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/reference_learn.h"

#include "arch/trace/debugctl.h"
#include "tests/spec/bts_check.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/observe.h"

#define RECORD (DEBUGCTL_TR | DEBUGCTL_BTS)
#define ROOMY  512u /* more than any workload has transfers */

/* Whether the index of a full lap reads as the base: F3.25a. */
static void learn_wrap(struct test_context *t)
{
    size_t capacity = limit_capacity(t, LIMIT_RECORDS, false);
    struct observation got;

    if (choice_of(CHOICE_WRAP) == VALUE_UNKNOWN &&
        limit_run(t, capacity, RECORD, BTS_NO_THRESHOLD, &got) &&
        (got.index == 0 || got.index == capacity))
        choice_learn(t, CHOICE_WRAP, got.index ? VALUE_LAZY : VALUE_EAGER);
}

/* Whether the threshold interrupts although BTINT is clear: D 4. */
static void learn_btint(struct test_context *t)
{
    struct observation got;

    if (choice_of(CHOICE_BTINT_CLEAR_INTERRUPTS) == VALUE_UNKNOWN &&
        limit_run(t, LIMIT_RECORDS, RECORD, LIMIT_RECORDS / 2, &got))
        choice_learn(t, CHOICE_BTINT_CLEAR_INTERRUPTS, got.interrupts ? VALUE_YES : VALUE_NO);
}

/* F4.33: of each kind that the workloads have. */
static void learn_crossing(struct test_context *t, uint64_t off)
{
    static const struct workload *const workloads[] = {&workload_rings, &workload_user_branches,
                                                       &workload_user_fault};
    const struct run run = {
        .debugctl = RECORD | off,
        .layout = {.records = ROOMY, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };
    unsigned bit = off == DEBUGCTL_BTS_OFF_OS ? CHOICE_OFF_OS : CHOICE_OFF_USR;
    struct observation got;

    if (choice_of(CHOICE_CROSSING, bit, TRANSFER_IRET) != VALUE_UNKNOWN)
        return;
    for (size_t i = 0; i < COUNT_OF(workloads); i++)
        if (run_program(t, program_of_workload(workloads[i]), &run, &got))
            bts_check_records(t, &run, &got);
}

/* Which ring, and which class, the filter's open bits mean (F8.20, F8.24). */
static void learn_select(struct test_context *t)
{
    static const uint64_t selects[] = {LBR_SELECT_CPL_EQ_0, LBR_SELECT_CPL_NEQ_0, LBR_SELECT_JCC,
                                       LBR_SELECT_FAR_BRANCH};
    static const struct workload *const workloads[] = {
        &workload_near_branches, &workload_rings, &workload_user_branches, &workload_user_fault};
    struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};

    if (!feature_present(FEATURE_LBR_SELECT) ||
        choice_of(CHOICE_LBR_CROSSING, 0, TRANSFER_SYSCALL) != VALUE_UNKNOWN)
        return;
    for (size_t i = 0; i < COUNT_OF(selects); i++)
        for (size_t k = 0; k < COUNT_OF(workloads); k++) {
            run.select = selects[i];
            observe_run(t, program_of_workload(workloads[k]), &run);
        }
}

void reference_learn(struct test_context *t)
{
    learn_select(t);
    limit_learn(t);
    learn_wrap(t);
    limit_learn_full(t);
    learn_btint(t);
    if (!feature_present(FEATURE_DS_CPL))
        return;
    learn_crossing(t, DEBUGCTL_BTS_OFF_OS);
    learn_crossing(t, DEBUGCTL_BTS_OFF_USR);
}
