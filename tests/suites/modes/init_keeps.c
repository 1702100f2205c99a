/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What INIT leaves alone: what the counters are set to count, the LBR stack and its filter (F6.50,
 * F8.6, F10.30). Another processor has a value in each and stands still when INIT meets it. And
 * what does INIT do to architectural last-branch records that are being recorded?
 */
#include "arch/cpu/ground/insn.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"
#include "arch/trace/lbr_arch.h"
#include "arch/trace/pmu.h"
#include "kernel/report/test.h"
#include "tests/run/facility.h"
#include "tests/run/other_processor.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/lbr_check.h"
#include "tests/workloads/workload.h"

#define COUNT_AHEAD 0x1234500u /* a counter's value, and more by its number */

static struct {
    uint32_t ready;
    uint64_t debugctl; /* while INIT comes: 0 or LBR */
    unsigned branches; /* ahead, so that the top of stack is elsewhere */
    struct facility before, after;
    struct lbr_snapshot stack_before, stack_after;
} kept;

/* ---- on the other processor ---- */

/* All enabled, in no ring: they stand still. */
static void give_each_counter_a_value(void)
{
    struct counter list[PMU_COUNTERS_MAX];
    unsigned count = pmu_counters(list);
    uint64_t bits = 0;

    pmu_reset();
    for (unsigned i = 0; i < count; i++) {
        pmu_program(list[i], PMU_BRANCHES, COUNTER_PMI);
        pmu_write(list[i], COUNT_AHEAD + i);
        bits |= pmu_global_bit(list[i]);
    }
    pmu_set_global_control(bits);
}

static void record_branches(void)
{
    lbr_select(0);
    lbr_clear();
    debugctl_write_safe(DEBUGCTL_LBR);
    for (unsigned i = 0; i < kept.branches; i++)
        workload_near_branches.entry();
    debugctl_write_safe(0);
    if (!lbr_stack()->architectural) /* both rings: nothing is recorded, though LBR may be set */
        lbr_select(LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0);
}

/* HLT might lose the stack (F8.6). */
static void prepare_and_stay(void *unused)
{
    (void)unused;
    insn_cli();
    facility_try();
    if (feature_present(FEATURE_PERFMON2))
        give_each_counter_a_value();
    if (feature_present(FEATURE_LBR))
        record_branches();
    facility_read(&kept.before);
    lbr_capture(&kept.stack_before);
    debugctl_write_safe(kept.debugctl);
    __atomic_store_n(&kept.ready, 1, __ATOMIC_RELEASE);
    for (;;)
        insn_pause();
}

static void look(void *unused)
{
    (void)unused;
    facility_read(&kept.after);
    lbr_capture(&kept.stack_after);
}

/* ---- on processor 0 ---- */

static bool run(struct test_context *t, uint64_t debugctl, unsigned branches)
{
    kept.ready = 0;
    kept.debugctl = debugctl;
    kept.branches = branches;
    return other_start(t, 1) && other_begin(t, 1, prepare_and_stay, NULL) &&
           EXPECT(t, SETUP, other_gets_ready(&kept.ready),
                  "processor 1: it did not get ready in time") &&
           other_start_in_real_mode(t, 1, NULL) && other_run(t, 1, look, NULL);
}

static void finish(struct test_context *t)
{
    other_make_quiet(t, 1);
    other_stop(t, 1);
}

/* Of the others the manual's table has no row, or two texts differ (D 7, D 24, F10.32): so of the
 * counters' values. */
static void check_registers(struct test_context *t)
{
    struct facility expected = kept.before;

    expected.debugctl = kept.after.debugctl;
    expected.ds_area = kept.after.ds_area;
    expected.pebs_enable = kept.after.pebs_enable;
    expected.data_config = kept.after.data_config;
    expected.status = kept.after.status;
    expected.lvt = kept.after.lvt;
    __builtin_memcpy(expected.general, kept.after.general, sizeof expected.general);
    __builtin_memcpy(expected.fixed, kept.after.fixed, sizeof expected.fixed);
    if (feature_present(FEATURE_ARCH_LBR))
        expected.select = kept.after.select;
    facility_expect(t, &kept.after, &expected);
}

TEST(init, keeps_what_counters_count, CLAIMS("PM-1"), NEEDS(SECOND_PROCESSOR, PERFMON2))
{
    if (run(t, 0, 1))
        check_registers(t);
    finish(t);
}

/* A processor that waits for the start-up message may be as deep as one that halts: that may lose
 * all entries (F8.6). */
static bool is_lost(struct lbr_snapshot stack)
{
    static const struct lbr_snapshot empty;

    stack.top_of_stack = 0;
    return lbr_same(&stack, &empty);
}

static void check_stack(struct test_context *t)
{
    const struct lbr_snapshot *before = &kept.stack_before, *after = &kept.stack_after;

    if (is_lost(*after)) {
        test_skip(t, "the stack is empty, as after a deep halt");
        return;
    }
    EXPECT_EQUAL(t, LBR_TOS, "top of stack", after->top_of_stack, before->top_of_stack);
    EXPECT(t, LBR_EXTRA, lbr_same(before, after), "the LBR stack is another one than before");
}

/* NULL: LBR can be set, and nothing is recorded. */
static const char *why_not_on(void)
{
    if (!feature_present(FEATURE_LBR_SELECT))
        return "no MSR_LBR_SELECT: what comes behind the setting of LBR is recorded";
    return choice_of(CHOICE_INIT_DEBUGCTL, 0) == VALUE_CLEARED
               ? NULL
               : "it is not known that INIT clears LBR: the start-up may be recorded";
}

TEST(init, keeps_the_lbr_stack, CLAIMS("LBR-1"), NEEDS(SECOND_PROCESSOR, LBR_LEGACY))
{
    TEST_NUMBERS(t, number, 0, 4, "LBR-1", "%s_%u", number & 1 ? "on" : "off", 1 + number / 2) {
        if (number & 1 && why_not_on()) {
            test_skip(t, "%s", why_not_on());
            continue;
        }
        if (run(t, number & 1 ? DEBUGCTL_LBR : 0, 1 + number / 2))
            check_stack(t);
        finish(t);
    }
}

/* ---- architectural LBRs: two readings of the manual are known (D 24), observed ---- */

static struct {
    uint32_t ready;
    uint64_t before, after; /* IA32_LBR_CTL */
} found;

static void record_and_halt(void *unused)
{
    (void)unused;
    insn_cli();
    lbr_select(0);
    lbr_clear();
    debugctl_write_safe(DEBUGCTL_LBR);
    workload_near_branches.entry();
    found.before = lbr_arch_read_control();
    __atomic_store_n(&found.ready, 1, __ATOMIC_RELEASE);
    for (;;)
        insn_hlt();
}

static void look_at_control(void *unused)
{
    (void)unused;
    found.after = lbr_arch_read_control();
}

/* All of it kept, LBREn alone cleared, all cleared. */
static enum choice_value outcome(void)
{
    if (found.after == found.before)
        return VALUE_KEPT;
    if (found.after == (found.before & ~(uint64_t)LBR_CTL_LBREN))
        return VALUE_STOPS;
    return found.after ? VALUE_CHANGED : VALUE_CLEARED;
}

TEST(init, architectural_lbrs, CLAIMS("ALBR-1"), NEEDS(SECOND_PROCESSOR, ARCH_LBR))
{
    found.ready = 0;
    if (!other_start(t, 1) || !other_begin(t, 1, record_and_halt, NULL) ||
        !EXPECT(t, SETUP, other_gets_ready(&found.ready),
                "processor 1: it did not get recording on in time") ||
        !EXPECT(t, MSR_VALUE, found.before & LBR_CTL_LBREN, "processor 1: LBREn is clear") ||
        !other_start_in_real_mode(t, 1, NULL) || !other_run(t, 1, look_at_control, NULL))
        return;
    choice_learn(t, CHOICE_INIT_LBR, outcome());
    finish(t);
}
