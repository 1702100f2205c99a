/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call-stack mode of MSR_LBR_SELECT, and of IA32_LBR_CTL: a CALL goes onto the stack unless it
 * leads to the next instruction, a RET takes the newest entry off, and nothing else touches it
 * (F8.21, F20.27).
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"

#define NO_DIFFERENCE -1l

/* The stack as the truth leaves it. What a RET has taken off may still be in its register. */
struct calls {
    const struct transfer *entries[LBR_DEPTH_MAX]; /* architectural: newest first; NULL: anything */
    const struct transfer *slots[LBR_DEPTH_MAX];   /* NULL: anything */
    long pushed;                                   /* CALLs less RETs */
    bool below_zero;                               /* a RET found no CALL: open what happens */
    const struct transfer *to_next;                /* a CALL to the next instruction */
};

static const struct transfer **slot_of(struct calls *calls, long number)
{
    return &calls->slots[(size_t)number % lbr_depth()];
}

/* What no call has gone into is as it was before: zero, for the stack was cleared. */
static const struct transfer unused;

/* Entries move; the one that a RET lets in at the far end may be anything. */
static void push(struct calls *calls, const struct transfer *transfer)
{
    *slot_of(calls, ++calls->pushed) = transfer;
    for (size_t age = lbr_depth() - 1; age > 0; age--)
        calls->entries[age] = calls->entries[age - 1];
    calls->entries[0] = transfer;
}

static void pop(struct calls *calls)
{
    *slot_of(calls, calls->pushed--) = NULL;
    for (size_t age = 0; age + 1 < lbr_depth(); age++)
        calls->entries[age] = calls->entries[age + 1];
    calls->entries[lbr_depth() - 1] = NULL;
}

static void follow(struct calls *calls, const struct transfer *transfer, bool keep_all)
{
    switch (transfer->kind) {
    case TRANSFER_CALL:
    case TRANSFER_CALL_INDIRECT:
        if (transfer_calls_next(transfer))
            calls->to_next = transfer;
        if (keep_all || !transfer_calls_next(transfer))
            push(calls, transfer);
        break;
    case TRANSFER_RET:
        if (calls->pushed <= 0)
            calls->below_zero = true;
        else
            pop(calls);
        break;
    default:
        break;
    }
}

/* Near CALLs and RETs stay in their ring, so that both ends say the same. */
static bool is_left_out(const struct transfer *transfer, uint64_t select)
{
    return select & (transfer->from_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0);
}

/* keep_all: with CALLs to the next instruction, as erratum HSD80 has them. */
static struct calls calls_of(const struct program *program, uint64_t select, bool keep_all)
{
    struct calls calls = {.pushed = 0};

    for (size_t age = 0; age < LBR_DEPTH_MAX; age++)
        calls.entries[age] = &unused;
    for (size_t i = 0; i < program->count; i++)
        if (!is_left_out(&program->truth[i], select))
            follow(&calls, &program->truth[i], keep_all);
    return calls;
}

static uint64_t expected_top(const struct calls *calls, const struct lbr_result *result)
{
    if (lbr_stack()->architectural)
        return 0;
    return (result->before.top_of_stack + (uint64_t)calls->pushed) % lbr_depth();
}

static const struct transfer *expected_at(struct calls *calls, long age)
{
    return lbr_stack()->architectural ? calls->entries[age] : *slot_of(calls, calls->pushed - age);
}

/* Number of the first entry, from the newest on, that is another than the call it should be. In a
 * model's stack nothing is known of those below the calls that are pushed. */
static long first_difference(struct calls *calls, const struct lbr_entry *entries)
{
    long depth = (long)lbr_depth();
    long end = lbr_stack()->architectural || calls->pushed > depth ? depth : calls->pushed;

    for (long age = 0; age < end; age++) {
        const struct transfer *call = expected_at(calls, age);

        if (call && !lbr_is_transfer(&entries[age], call))
            return age;
    }
    return NO_DIFFERENCE;
}

static bool is_as(struct calls *calls, const struct lbr_result *result)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];

    lbr_entries_of(&result->after, entries);
    return result->after.top_of_stack % lbr_depth() == expected_top(calls, result) &&
           first_difference(calls, entries) == NO_DIFFERENCE;
}

static void find_difference(struct test_context *t, struct calls *calls,
                            const struct lbr_result *result)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    long age;

    lbr_entries_of(&result->after, entries);
    EXPECT_EQUAL(t, LBR_TOS, "top of stack", result->after.top_of_stack % lbr_depth(),
                 expected_top(calls, result));
    age = first_difference(calls, entries);
    if (age != NO_DIFFERENCE)
        test_find(t, &(struct finding){.kind = FINDING_LBR_TO,
                                       .slot = (uint64_t)age,
                                       .first = true,
                                       .expected = expected_at(calls, age)->to,
                                       .got = entries[age].to,
                                       .under = UNDER(CALL)});
}

/* Is that what is known of CALLs to the next instruction being kept? For architectural LBRs only
 * Linux says that they are not (F20.27), and an erratum shows that it is possible. */
static bool keeps_all(enum choice_value value)
{
    return feature_present(FEATURE_ARCH_LBR) && choice_of(CHOICE_CALL_STACK_ZERO_LENGTH) == value;
}

static bool check_calls(struct test_context *t, const struct workload *workload, uint64_t select)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .select = select};
    struct calls calls = calls_of(program_of_workload(workload), select, keeps_all(VALUE_YES)), all;
    struct observation seen;

    if (calls.below_zero)
        return true;
    if (!observe(t, program_of_workload(workload), &run, &seen))
        return false;
    test_checked(t);
    if (is_as(&calls, &seen.lbr)) {
        if (calls.to_next && keeps_all(VALUE_UNKNOWN))
            choice_learn(t, CHOICE_CALL_STACK_ZERO_LENGTH, VALUE_NO);
        return true;
    }
    all = calls_of(seen.program, select, true);
    if (all.to_next && is_as(&all, &seen.lbr) && keeps_all(VALUE_UNKNOWN))
        return choice_learn(t, CHOICE_CALL_STACK_ZERO_LENGTH, VALUE_YES), true;
    if (all.to_next && is_as(&all, &seen.lbr))
        return test_find(t, &(struct finding){.kind = FINDING_LBR_EXTRA,
                                              .first = true,
                                              .got = all.to_next->from,
                                              .got_to = all.to_next->to,
                                              .under = UNDER(CALL)});
    find_difference(t, &calls, &seen.lbr);
    return false;
}

static void check_noted(struct test_context *t, const struct workload *workload, uint64_t select)
{
    if (!check_calls(t, workload, select))
        test_note(t, "the workload was %s", workload->name);
}

static bool is_kept(uint64_t value)
{
    bool kept;

    lbr_select(value);
    kept = lbr_selected() == value;
    lbr_select(0);
    return kept;
}

#define NO_MODE "LBR format %u: MSR_LBR_SELECT has no call-stack mode"

static bool leaf_denies(void)
{
    return feature_present(FEATURE_ARCH_LBR) && !feature_present(FEATURE_LBR_CALL_STACK);
}

/* Format 4 came with Haswell, and this mode with it (F8.20). NULL: it may be there. */
static const char *no_mode(void)
{
    static char why[80];

    if (leaf_denies())
        return "CPUID.1CH:EBX[2] = 0: no call-stack mode";
    format_string(why, sizeof why, NO_MODE, lbr_format());
    return lbr_format() < LBR_FORMAT_EIP_FLAGS_TSX ? why : NULL;
}

#define UNLESS_MODE no_mode(), "%s", no_mode()

static bool is_possible(struct test_context *t)
{
    bool kept = is_kept(LBR_SELECT_CALL_STACK);

    if (!kept)
        test_skip(t, NO_MODE, lbr_format());
    return kept;
}

#define DEPTH_OF_LATER 32u /* entries: Goldmont and Skylake, and none before Haswell */

static const char *no_mode_of_depth(void)
{
    static char why[80];

    format_string(why, sizeof why, "an LBR stack of %zu entries: the mode came with Haswell",
                  lbr_depth());
    return leaf_denies() ? no_mode() : lbr_depth() < DEPTH_OF_LATER ? why : NULL;
}

TEST_UNLESS(lbr, call_stack_mode_can_be_selected, CLAIMS("LBR-1", "ALBR-8"), NEEDS(LBR_SELECT),
            no_mode_of_depth(), "%s", no_mode_of_depth())
{
    EXPECT(t, MSR_REFUSES, is_kept(LBR_SELECT_CALL_STACK),
           "MSR_LBR_SELECT does not keep %#x, call-stack mode", LBR_SELECT_CALL_STACK);
}

TEST_UNLESS(lbr, call_stack_holds_calls_that_stay, CLAIMS("LBR-1", "ALBR-8"),
            NEEDS(LBR_SELECT, SYSCALL), UNLESS_MODE)
{
    if (!is_possible(t))
        return;
    TEST_EACH_OF(t, at, call_stacks, call_stacks_end, lbr_claim("LBR-1", "ALBR-8"), "%s",
                 (*at)->name)
        check_calls(t, *at, LBR_SELECT_CALL_STACK);
}

/* Each call in them returns: they leave the stack as they found it. */
TEST_UNLESS(lbr, call_stack_is_left_by_returns, CLAIMS("LBR-1", "ALBR-8"),
            NEEDS(LBR_SELECT, SYSCALL), UNLESS_MODE)
{
    const struct workload *const whole[] = {&workload_near_branches, &workload_user_branches,
                                            &workload_rings};

    if (!is_possible(t))
        return;
    for (size_t i = 0; i < COUNT_OF(whole); i++)
        check_calls(t, whole[i], LBR_SELECT_CALL_STACK);
    for (const struct workload *const *at = single_branches; at < single_branches_end; at++)
        check_calls(t, *at, LBR_SELECT_CALL_STACK);
    for (const struct workload *const *at = near_kinds; at < near_kinds_end; at++)
        check_noted(t, *at, LBR_SELECT_CALL_STACK);
}

/* --- of one ring --- */

static const struct {
    const char *name;
    uint64_t left_out;
} one_ring[] = {
    {"ring_0_alone", LBR_SELECT_CPL_NEQ_0},
    {"ring_3_alone", LBR_SELECT_CPL_EQ_0},
};

static void check_ring(struct test_context *t, uint64_t left_out)
{
    const uint64_t select = LBR_SELECT_CALL_STACK | left_out;

    if (feature_present(FEATURE_ARCH_LBR))
        test_breaks_too(t, "ALBR-3");
    check_noted(t, &workload_rings, select);
    check_noted(t, &workload_user_branches, select);
    for (const struct workload *const *at = call_stacks; at < call_stacks_end; at++)
        check_noted(t, *at, select);
}

/* One of the ring bits may be set beside that mode (F8.21, F20.27): the other ring's CALLs put
 * nothing onto the stack, and its RETs take nothing off. */
TEST_UNLESS(lbr, call_stack_of_one_ring, CLAIMS("LBR-1", "ALBR-3", "ALBR-8"),
            NEEDS(LBR_SELECT, SYSCALL), UNLESS_MODE)
{
    if (!is_possible(t))
        return;
    TEST_EACH(t, row, one_ring, lbr_claim("LBR-1", "ALBR-8"), "%s", row->name)
        check_ring(t, row->left_out);
}

/* --- frozen --- */

/* Without clearing the stack. */
static void add(struct test_context *t, const struct workload *workload)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR};

    observe_run(t, program_of_workload(workload), &run);
}

static void check_frozen(struct test_context *t, const struct workload *staying)
{
    static struct lbr_snapshot before, after;

    lbr_clear();
    lbr_select(LBR_SELECT_CALL_STACK);
    add(t, staying);
    lbr_capture(&before);
    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ);
    add(t, &workload_near_branches);
    add(t, staying);
    lbr_capture(&after);
    pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
    lbr_select(0);
    EXPECT(t, LBR_MISSING, before.raw[lbr_slot(&before, 0)].from,
           "no CALL of %s is on the stack before it freezes", staying->name);
    EXPECT(t, FREEZE_LBR, lbr_same(&before, &after),
           "CALLs or RETs changed the stack in call-stack mode, although LBR_Frz is set");
}

/* A CALL puts no entry onto a frozen stack, and a RET takes none off (F20.30, F7.3). */
TEST_UNLESS(lbr, call_stack_stays_while_frozen, CLAIMS("FRZ-5", "ALBR-6", "ALBR-8"),
            NEEDS(LBR_SELECT, PERFMON4, FREEZE, SYSCALL), UNLESS_MODE)
{
    if (!is_possible(t))
        return;
    if (freeze_of_lbr_is_open() || !freeze_of_lbr_can_be_set()) {
        test_skip(t, "see freeze.frozen_stack_takes_no_kind_of_transfer");
        return;
    }
    TEST_EACH_OF(t, at, call_stacks, call_stacks_end, lbr_claim("FRZ-5", "ALBR-6"), "%s",
                 (*at)->name)
        check_frozen(t, *at);
}
