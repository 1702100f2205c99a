/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are the registers of architectural last-branch records there as CPUID says, and is the depth of
 * the stack what IA32_LBR_DEPTH says? What they record is in the suites lbr, ler and freeze, as it
 * is of the stack of a model; what IA32_LBR_CTL lets in, in arch_lbr_control.c.
 */
#include "arch/cpu/traps/interrupts.h"
#include "arch/cpu/ground/msr.h"
#include "arch/lib/printf.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pmu.h"
#include "arch/trace/trace_state.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/reserved_bits.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/observe.h"

/* --- what is enumerated is there --- */

static void expect_register(struct test_context *t, uint32_t number)
{
    uint64_t value = 0;
    struct exception read = rdmsr_safe(number, &value);

    if (EXPECT(t, MSR_REFUSES, !exception_happened(read), "RDMSR of %#x: %s", number,
               exception_name(read)))
        EXPECT(t, MSR_REFUSES, !exception_happened(wrmsr_safe(number, value)),
               "WRMSR of %#x refuses %#lx, which it held", number, value);
}

static void expect_entries(struct test_context *t)
{
    const struct lbr_stack *stack = lbr_arch_stack();

    for (unsigned i = 0; i < lbr_arch_depth(); i++) {
        expect_register(t, stack->from + i);
        expect_register(t, stack->to + i);
        expect_register(t, stack->info + i);
    }
}

static void expect_last_exception(struct test_context *t)
{
    expect_register(t, IA32_LER_FROM_IP);
    expect_register(t, IA32_LER_TO_IP);
    expect_register(t, IA32_LER_INFO);
}

static const char *why_missing(void)
{
    static char why[160];

    feature_missing_reason(FEATURE_ARCH_LBR, why, sizeof why);
    return why;
}

/* Asked of CPUID, and not of what was found at the start: what is refused has failed (F20.1). */
TEST_UNLESS(arch_lbr, registers_are_there_as_enumerated, CLAIMS("ALBR-1"), NEEDS(MSR), !lbr_arch(),
            "%s", why_missing())
{
    if (skipped_as_not_lent(t, FEATURE_ARCH_LBR))
        return;
    EXPECT(t, MSR_REFUSES, feature_present(FEATURE_ARCH_LBR), "%s", why_missing());
    expect_register(t, IA32_LBR_CTL);
    expect_register(t, IA32_LBR_DEPTH);
    if (!trace_not_lent(FEATURE_LER))
        expect_last_exception(t);
    if (feature_present(FEATURE_ARCH_LBR))
        expect_entries(t);
}

/* --- the depth --- */

#define STEPS (LBR_DEPTH_MAX / LBR_DEPTH_STEP)

static bool is_depth(unsigned step)
{
    return lbr_leaf_has_depth(lbr_arch(), (step + 1) * LBR_DEPTH_STEP);
}

static unsigned depth_of(unsigned step)
{
    return (step + 1) * LBR_DEPTH_STEP;
}

/* Something else in every register of every entry. */
static void fill(struct test_context *t)
{
    for (unsigned i = 0; i < lbr_depth(); i++) {
        const struct lbr_raw raw = {.from = 0xffffffff81000000 + 0x111 * i,
                                    .to = 0x00007f5500000000 + 0x222 * i,
                                    .info = i + 1};

        EXPECT(t, MSR_REFUSES, !exception_happened(lbr_write_entry(i, &raw)),
               "entry %u of %zu refuses what is written to it", i, lbr_depth());
    }
}

/* By branches where the registers cannot be written: the stack is full in any case. */
static void record_and_fill(struct test_context *t)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};
    struct observation seen;

    if (observe(t, program_of_length(2 * LBR_DEPTH_MAX), &run, &seen))
        EXPECT(t, LBR_MISSING, seen.lbr.after.raw[lbr_depth() - 1].from,
               "after %u branches the last of %zu entries is empty", 2 * LBR_DEPTH_MAX,
               lbr_depth());
}

static void expect_zero(struct test_context *t, unsigned depth)
{
    const struct lbr_stack *stack = lbr_arch_stack();
    const uint32_t firsts[] = {stack->from, stack->to, stack->info};

    for (unsigned i = 0; i < depth; i++)
        for (size_t kind = 0; kind < COUNT_OF(firsts); kind++) {
            uint64_t value = 1;

            rdmsr_safe(firsts[kind] + i, &value);
            EXPECT(t, LBR_EXTRA, !value,
                   "register %#x is %#lx after a write of IA32_LBR_DEPTH, not 0", firsts[kind] + i,
                   value);
        }
}

typedef void filling(struct test_context *t);

/* Also the one that it already has (F20.17). */
static void check_clears(struct test_context *t, unsigned from, unsigned to, filling *fill_it)
{
    uint64_t depth = 0;

    EXPECT(t, MSR_REFUSES, !exception_happened(lbr_arch_set_depth(from)),
           "IA32_LBR_DEPTH refuses %u", from);
    fill_it(t);
    EXPECT(t, MSR_REFUSES, !exception_happened(lbr_arch_set_depth(to)), "IA32_LBR_DEPTH refuses %u",
           to);
    rdmsr_safe(IA32_LBR_DEPTH, &depth);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_LBR_DEPTH", depth, to);
    expect_zero(t, to);
}

TEST(arch_lbr, depth_clears_every_entry, CLAIMS("ALBR-4"), NEEDS(ARCH_LBR))
{
    TEST_EACH_WHERE(t, pair, 0u, STEPS * STEPS, is_depth(pair / STEPS) && is_depth(pair % STEPS),
                    "ALBR-4", "from_%u_to_%u", depth_of(pair / STEPS), depth_of(pair % STEPS)) {
        check_clears(t, depth_of(pair / STEPS), depth_of(pair % STEPS), fill);
        check_clears(t, depth_of(pair / STEPS), depth_of(pair % STEPS), record_and_fill);
    }
    lbr_arch_set_depth(0);
}

static void check_clears_frozen(struct test_context *t, unsigned depth, filling *fill_it)
{
    lbr_arch_set_depth(depth);
    fill_it(t);
    pmu_status_set(PERF_GLOBAL_STATUS_LBR_FRZ);
    EXPECT(t, MSR_REFUSES, !exception_happened(lbr_arch_set_depth(depth)),
           "IA32_LBR_DEPTH refuses %u while LBR_Frz is set", depth);
    expect_zero(t, depth);
    pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
    expect_zero(t, depth);
}

/* Only recording is frozen (F20.30): writing any legal value clears all entries (F20.17), and none
 * returns with the thaw. */
TEST(arch_lbr, depth_clears_a_frozen_stack, CLAIMS("ALBR-4"), NEEDS(ARCH_LBR, PERFMON4))
{
    if (!freeze_of_lbr_can_be_set()) {
        test_skip(t,
                  "IA32_PERF_GLOBAL_STATUS_SET: LBR_Frz cannot be set: counters.status_can_be_set");
        return;
    }
    TEST_EACH_WHERE(t, step, 0u, STEPS, is_depth(step), "ALBR-4", "depth_%u", depth_of(step)) {
        check_clears_frozen(t, depth_of(step), fill);
        check_clears_frozen(t, depth_of(step), record_and_fill);
    }
    lbr_arch_set_depth(0);
}

static void expect_gp(struct test_context *t, const char *what, uint32_t number,
                      struct exception exception)
{
    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "%s of %#x, which is past the depth of %zu: %s, expected #GP(0)", what, number,
           lbr_depth(), exception_name(exception));
}

static void check_past(struct test_context *t, unsigned depth)
{
    const struct lbr_stack *stack = lbr_arch_stack();
    const uint32_t firsts[] = {stack->from, stack->to, stack->info};
    uint64_t ignored;

    lbr_arch_set_depth(depth);
    expect_entries(t);
    for (unsigned i = depth; i < LBR_DEPTH_MAX; i++)
        for (size_t kind = 0; kind < COUNT_OF(firsts); kind++) {
            expect_gp(t, "RDMSR", firsts[kind] + i, rdmsr_safe(firsts[kind] + i, &ignored));
            expect_gp(t, "WRMSR", firsts[kind] + i, wrmsr_safe(firsts[kind] + i, 0));
        }
}

/* Entries at or above the depth have no registers (F20.11). */
TEST(arch_lbr, entries_past_the_depth_raise_gp, CLAIMS("ALBR-4"), NEEDS(ARCH_LBR))
{
    TEST_EACH_WHERE(t, step, 0u, STEPS, is_depth(step), "ALBR-4", "depth_%u", depth_of(step))
        check_past(t, depth_of(step));
    lbr_arch_set_depth(0);
}

/* A refused write changes nothing. */
static void check_refused(struct test_context *t, uint64_t value)
{
    uint64_t before = 0, after = 1, from = 0;
    struct exception exception;

    rdmsr_safe(IA32_LBR_DEPTH, &before);
    exception = wrmsr_safe(IA32_LBR_DEPTH, value);
    EXPECT(t, MSR_ACCEPTS, exception.vector == VECTOR_GP && exception.error_code == 0,
           "%#lx, which is not enumerated, written to IA32_LBR_DEPTH: %s, expected #GP(0)", value,
           exception_name(exception));
    rdmsr_safe(IA32_LBR_DEPTH, &after);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_LBR_DEPTH after a refused write", after, before);
    rdmsr_safe(lbr_arch_stack()->from, &from);
    EXPECT(t, LBR_MISSING, from, "%#lx, refused by IA32_LBR_DEPTH, has cleared entry 0", value);
}

#define HIGHEST_DEPTH 64u /* that CPUID.1CH:EAX[7:0] can enumerate (F20.2) */

static bool is_enumerated(uint64_t depth)
{
    return depth && depth % LBR_DEPTH_STEP == 0 && depth <= HIGHEST_DEPTH &&
           lbr_arch()->depths >> (depth / LBR_DEPTH_STEP - 1) & 1;
}

/* Every number up to the highest depth; of larger ones each bit, alone and beside a legal depth. No
 * depth has a bit from the seventh on (F20.2). */
#define FIRST_ILLEGAL_BIT 7u

TEST(arch_lbr, depth_refuses_what_is_not_enumerated, CLAIMS("ALBR-4"), NEEDS(ARCH_LBR))
{
    const unsigned legal = lbr_leaf_largest(lbr_arch());

    lbr_arch_set_depth(0);
    record_and_fill(t);
    for (uint64_t value = 0; value <= HIGHEST_DEPTH + 1 && !test_has_failed(t); value++)
        if (!is_enumerated(value))
            check_refused(t, value);
    for (unsigned bit = FIRST_ILLEGAL_BIT; bit < 64 && !test_has_failed(t); bit++) {
        check_refused(t, 1ull << bit);
        check_refused(t, 1ull << bit | legal);
    }
    lbr_clear();
}

static void check_wraps(struct test_context *t, unsigned depth)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true};

    lbr_arch_set_depth(depth);
    for (size_t length = PROGRAM_SLED_EXTRA; length < 2 * depth + 3 && !test_has_failed(t);
         length++)
        observe_run(t, program_of_length(length), &run);
}

/* Every fill of a stack of each depth: the newest are there, in order, and what is unused is
 * zero. */
TEST(arch_lbr, holds_as_many_as_its_depth, CLAIMS("ALBR-2", "ALBR-4"), NEEDS(ARCH_LBR))
{
    TEST_EACH_WHERE(t, step, 0u, STEPS, is_depth(step), "ALBR-2", "depth_%u", depth_of(step))
        check_wraps(t, depth_of(step));
    lbr_arch_set_depth(0);
}

static bool depth_is_the_largest(char *why, size_t size)
{
    unsigned depth = trace_state()->lbr_depth;

    if (depth)
        format_string(why, size, "IA32_LBR_DEPTH was left at %u", depth);
    return !depth;
}

static void set_largest_depth(void)
{
    if (trace_state()->lbr_depth)
        lbr_arch_set_depth(0);
}

QUIET_CHECK(lbr_depth, depth_is_the_largest, set_largest_depth);
