/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does each bit of MSR_LBR_SELECT suppress exactly its class of branches, and each of IA32_LBR_CTL
 * let in exactly its own (F8.20, F20.13 to F20.16): alone, and beside the others? Both registers
 * are told what to leave out (lbr_select()).
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/run/covering.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"

#define FILTERED_BRANCHES 32

static const struct {
    const char *name;
    uint64_t bit;
} bits[] = {
    {"cpl_eq_0", LBR_SELECT_CPL_EQ_0},
    {"cpl_neq_0", LBR_SELECT_CPL_NEQ_0},
    {"jcc", LBR_SELECT_JCC},
    {"near_rel_call", LBR_SELECT_NEAR_REL_CALL},
    {"near_ind_call", LBR_SELECT_NEAR_IND_CALL},
    {"near_ret", LBR_SELECT_NEAR_RET},
    {"near_ind_jmp", LBR_SELECT_NEAR_IND_JMP},
    {"near_rel_jmp", LBR_SELECT_NEAR_REL_JMP},
    {"far_branch", LBR_SELECT_FAR_BRANCH},
};

#define BITS      COUNT_OF(bits)
#define ALL_BITS  ((1ull << BITS) - 1)
#define ALL_RINGS ((uint64_t)(LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0))

static bool check_program(struct test_context *t, const struct workload *workload,
                          uint64_t left_out)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .select = left_out};
    bool held =
        !transfer_is_possible(t, workload) || observe_run(t, program_of_workload(workload), &run);

    if (!held)
        test_note(t, "workload %s, left out: %#lx", workload->name, left_out);
    return held;
}

static const struct {
    workload_list first, end;
} lists[] = {
    {single_branches, single_branches_end},
    {near_kinds, near_kinds_end},
    {far_transfers, far_transfers_end},
    {software_interrupts, software_interrupts_end},
    {faults, faults_end},
    {compat_transfers, compat_transfers_end},
    {inner_rings, inner_rings_end},
};

static void check_list(struct test_context *t, unsigned list, uint64_t left_out)
{
    workload_list at = lists[list].first;

    while (at < lists[list].end && check_program(t, *at, left_out))
        at++;
}

#define NEAR_LISTS 2u /* the first of them */

/* How many lists there is time for: on another processor a test has a second. A single bit meets
 * those in which its class is. */
static unsigned lists_for(uint64_t left_out)
{
    if (!left_out || left_out & (left_out - 1))
        return 1;
    return left_out & (ALL_RINGS | LBR_SELECT_FAR_BRANCH) ? COUNT_OF(lists) : NEAR_LISTS;
}

/* Small workloads, whose every branch a small stack holds; then whole ones. */
static void check_setting(struct test_context *t, uint64_t left_out)
{
    for (unsigned list = 0; list < lists_for(left_out); list++)
        check_list(t, list, left_out);
    check_program(t, &workload_near_branches, left_out);
    check_program(t, &workload_rings, left_out);
}

/* A sled of direct JMPs: are those that the filter suppresses in the stack stored by BTS? By rings
 * and by kinds at once, since one of them alone might be heeded. */
static void learn_of_bts(struct test_context *t)
{
    const struct run run = {
        .debugctl = DEBUGCTL_TR | DEBUGCTL_BTS,
        .layout = {.records = FILTERED_BRANCHES + 2, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };
    struct observation got;

    lbr_select(ALL_BITS);
    if (observe(t, program_of_length(FILTERED_BRANCHES), &run, &got))
        choice_learn(t, CHOICE_SELECT_FILTERS_BTS,
                     got.index < FILTERED_BRANCHES / 2 ? VALUE_YES : VALUE_NO);
    lbr_select(0);
}

/* Both bits of the rings leave out everything: beside a kind they are clear. */
static uint64_t all_but(uint64_t bit)
{
    return ALL_BITS & ~bit & ~(bit & ALL_RINGS ? 0 : ALL_RINGS);
}

static void check_named(struct test_context *t, const char *all_but, const char *name,
                        uint64_t left_out)
{
    test_begin(t, lbr_claim("LBR-1", "ALBR-3"), "%s%s", all_but, name);
    check_setting(t, left_out);
    test_end(t);
}

TEST(lbr, select_suppresses_its_class_alone, CLAIMS("LBR-1", "ALBR-3"), NEEDS(LBR_SELECT, SYSCALL))
{
    test_plan(t, 2 * BITS + 2);
    check_named(t, "", "nothing", 0);
    for (unsigned i = 0; i < BITS; i++)
        check_named(t, "", bits[i].name, bits[i].bit);
    for (unsigned i = 0; i < BITS; i++)
        check_named(t, "all_but_", bits[i].name, all_but(bits[i].bit));
    check_named(t, "", "everything", ALL_BITS);
    if (feature_present(FEATURE_BTS))
        learn_of_bts(t);
}

/* --- in combination --- */

/* Any three of the nine bits have all eight values. There is not time for all lists in each row.
 * With both rings left out nothing would be recorded: then neither is. */
static void check_row(struct test_context *t, unsigned row)
{
    uint64_t left_out = covering_row(row) & ALL_BITS;

    if ((left_out & ALL_RINGS) == ALL_RINGS)
        left_out &= ~ALL_RINGS;
    check_list(t, 0, left_out);
    check_list(t, 1 + row % (COUNT_OF(lists) - 1), left_out);
}

static void check_combinations(struct test_context *t, const char *claim)
{
    TEST_EACH_WHERE(t, row, 0u, COVERING_ROWS, !covering_repeats(row, ALL_BITS), claim,
                    "without_%03x", (unsigned)(covering_row(row) & ALL_BITS))
        check_row(t, row);
}

TEST(lbr, select_in_combination, CLAIMS("LBR-1"), NEEDS(LBR_LEGACY, LBR_SELECT, SYSCALL))
{
    check_combinations(t, "LBR-1");
}

TEST(arch_lbr, filters_in_combination, CLAIMS("ALBR-3", "ALBR-2", "ALBR-5"),
     NEEDS(ARCH_LBR, LBR_SELECT, SYSCALL))
{
    check_combinations(t, "ALBR-3");
}
