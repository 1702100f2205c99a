/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a debug exception do to the LBR stack? It clears LBR before its handler runs, is not
 * recorded, leaves the stack as it is and TR set. And does the stack go on with TR set and LBR
 * clear? BTF is cleared, too.
 */
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"
#include "tests/run/transfer_run.h"
#include "tests/suites/lbr/lbr_workloads.h"

#define ROOMY_RECORDS 256 /* more than a workload here has transfers */

/* Number of transfers before the debug exception. */
static size_t transfers_before(const struct program *program)
{
    size_t count = 0;

    while (count < program->count && !transfer_is(program->truth[count].kind, TRANSFER_IS_DEBUG))
        count++;
    return count;
}

static uint64_t control_behind; /* IA32_LBR_CTL, without LBREn: the bracket clears that */

static void look_at_control(const struct run *how, struct observation *seen)
{
    (void)how, (void)seen;
    control_behind = lbr_arch_read_control();
}

static void run(struct test_context *t, const struct workload *workload, uint64_t debugctl,
                struct observation *seen)
{
    const struct run how = {.debugctl = debugctl, .lbr = true, .behind = look_at_control};

    debugctl_in_handler = ~0ull;
    observe(t, program_of_workload(workload), &how, seen);
}

static uint64_t found_in_handler(struct test_context *t)
{
    EXPECT(t, DEBUG_MISSING, debugctl_in_handler != ~0ull, "the debug exception did not come");
    return (uint32_t)debugctl_in_handler;
}

typedef void (*debug_check)(struct test_context *t, const struct workload *workload);

/* Checks the debug exception and the stack. */
static const char *debug_claim(void)
{
    return lbr_claim("LBR-2", "ALBR-7");
}

static void check_each(struct test_context *t, const char *claim, debug_check check)
{
    TEST_EACH_OF(t, at, debug_exceptions, debug_exceptions_end, claim, "%s", (*at)->name) {
        if (transfer_is_possible(t, *at))
            check(t, *at);
    }
}

static void check_lbr_clear(struct test_context *t, const struct workload *workload)
{
    struct observation seen;

    run(t, workload, DEBUGCTL_LBR, &seen);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL in the handler", found_in_handler(t), 0);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", seen.debugctl_end, 0);
    if (feature_present(FEATURE_ARCH_LBR)) /* LBREn alone is cleared (F20.31) */
        EXPECT_EQUAL(t, MSR_VALUE, "IA32_LBR_CTL at the end", control_behind,
                     lbr_arch_control(false));
}

TEST(lbr_debug, lbr_is_clear_before_the_handler, CLAIMS("LBR-2", "ALBR-7"), NEEDS(LBR, SYSCALL))
{
    check_each(t, debug_claim(), check_lbr_clear);
}

/* Neither the exception nor what its handler does is in the stack; all before it is. */
static void check_stack(struct test_context *t, const struct workload *workload)
{
    const struct program *program;
    struct observation seen;

    run(t, workload, DEBUGCTL_LBR, &seen);
    program = program_of_workload(workload);
    if (!lbr_compare(t, program->truth, transfers_before(program), 0, &seen.lbr))
        test_breaks(t, "LBR-1");
}

/* Where TR does not go on feeding it (D 9). */
static void check_stack_with_tr(struct test_context *t, const struct workload *workload)
{
    const struct program *program;
    struct observation seen;

    if (lbr_is_undefined_with_tr() || lbr_tr_feeds(t, DEBUGCTL_TR)) {
        test_skip(t, "what the stack holds while TR is set is this processor's own affair");
        return;
    }
    run(t, workload, DEBUGCTL_LBR | DEBUGCTL_TR, &seen);
    program = program_of_workload(workload);
    lbr_compare(t, program->truth, transfers_before(program), 0, &seen.lbr);
}

TEST(lbr_debug, stack_is_left_alone_with_tr, CLAIMS("LBR-2", "ALBR-7"), NEEDS(LBR, BTS, SYSCALL))
{
    check_each(t, debug_claim(), check_stack_with_tr);
}

TEST(lbr_debug, stack_is_left_alone, CLAIMS("LBR-1", "LBR-2", "ALBR-7"), NEEDS(LBR, SYSCALL))
{
    check_each(t, debug_claim(), check_stack);
}

static void check_tr_left_set(struct test_context *t, const struct workload *workload)
{
    struct observation seen;

    run(t, workload, DEBUGCTL_TR | DEBUGCTL_LBR, &seen);
    EXPECT_EQUAL(t, MSR_VALUE, "TR in the handler", found_in_handler(t) & DEBUGCTL_TR, DEBUGCTL_TR);
    EXPECT_EQUAL(t, MSR_VALUE, "TR at the end", seen.debugctl_end & DEBUGCTL_TR, DEBUGCTL_TR);
    if (!EXPECT_EQUAL(t, MSR_VALUE, "LBR in the handler", found_in_handler(t) & DEBUGCTL_LBR, 0))
        test_breaks(t, debug_claim());
}

TEST(lbr_debug, tr_is_left_set, CLAIMS("LBR-4", "LBR-2", "ALBR-7"), NEEDS(LBR, BTS, SYSCALL))
{
    check_each(t, "LBR-4", check_tr_left_set);
}

static void check_btf_clear(struct test_context *t, const struct workload *workload)
{
    struct observation seen;

    run(t, workload, DEBUGCTL_BTF, &seen);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL in the handler", found_in_handler(t), 0);
}

/* Any debug exception clears BTF, not the branch trap alone (F2.7, F9.4). With BTF set a single
 * step comes after branches alone. */
TEST(lbr_debug, btf_is_clear_in_the_handler, CLAIMS("BTF-1"), NEEDS(LBR, BTF, SYSCALL))
{
    TEST_EACH_WHERE(t, at, debug_exceptions, debug_exceptions_end, !has_kind(*at, TRANSFER_DEBUG),
                    "BTF-1", "%s", (*at)->name)
        if (transfer_is_possible(t, *at))
            check_btf_clear(t, *at);
}

/* --- TR set, LBR clear (D 9): some processors go on, some do not; each does always the same --- */

static void check_tr(struct test_context *t, const struct workload *workload, uint64_t debugctl)
{
    const struct run how = {
        .debugctl = debugctl,
        .layout = {.records = ROOMY_RECORDS, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = true,
    };
    bool goes_on = lbr_tr_feeds(t, debugctl);
    const struct program *program = program_of_workload(workload);
    struct observation seen;

    if (!observe(t, program, &how, &seen))
        return;
    if (goes_on)
        lbr_compare(t, program->truth, program->count, 0, &seen.lbr);
    else
        EXPECT(t, LBR_EXTRA, lbr_same(&seen.lbr.before, &seen.lbr.after),
               "the stack changed, although it stood still with TR set and LBR clear before");
}

TEST_UNLESS(lbr_debug, tr_without_lbr, CLAIMS("LBR-3"), NEEDS(LBR, BTS, SYSCALL),
            lbr_is_undefined_with_tr(),
            "an LBR stack of %zu entries is undefined while TR is set (F2.8)", lbr_depth())
{
    static const struct {
        const char *name;
        const struct workload *workload;
        uint64_t debugctl;
    } cases[] = {
        {"tr_ring0", &workload_near_branches, DEBUGCTL_TR},
        {"tr_both_rings", &workload_rings, DEBUGCTL_TR},
        {"tr_bts_ring0", &workload_near_branches, DEBUGCTL_TR | DEBUGCTL_BTS},
        {"tr_bts_both_rings", &workload_rings, DEBUGCTL_TR | DEBUGCTL_BTS},
    };

    TEST_EACH(t, row, cases, "LBR-3", "%s", row->name)
        check_tr(t, row->workload, row->debugctl);
}
