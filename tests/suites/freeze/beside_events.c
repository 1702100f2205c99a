/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an overflow, a threshold and a debug exception change, beside settings that have nothing to
 * do with them: what the manual says of each, and nothing else.
 */
#include "arch/cpu/apic/apic.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "kernel/report/test.h"
#include "tests/run/bystanders.h"
#include "tests/run/counting.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/samples/sample_events.h"

/* Branches of the program, each an instruction of at least a cycle. So the effects of an overflow
 * or a threshold have more than a thousand cycles to come (F6.44, F7.6). */
#define TRANSFERS 1600
#define PERIOD    200 /* more instructions than precede it */
#define SHORT     120 /* the same for events of sampling, of which there may be fewer */
#define THRESHOLD 200

#define FROZEN      (PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ)
#define OFF_BITS    (DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)
#define FREEZE_LBRS DEBUGCTL_FREEZE_LBRS_ON_PMI
#define FREEZE_CTRS DEBUGCTL_FREEZE_PERFMON_ON_PMI

static struct bystander_run run;
static struct facility expected;
static struct counter own;
static enum pmu_event own_event;
static unsigned own_flags;
static uint64_t own_period;

static void start_own(void)
{
    pmu_write_period(own, own_period);
    pmu_program(own, own_event, own_flags);
}

static uint64_t *own_value(struct facility *facility)
{
    return own.fixed ? &facility->fixed[own.number] : &facility->general[own.number];
}

/* --- what freezes --- */

/* D 12; and nothing is said of LBR_Frz where there was no recording to freeze. */
static void leave_stack_open(void)
{
    uint64_t open = freeze_may_clear(expected.debugctl);

    expected.debugctl = (expected.debugctl & ~open) | (run.after.debugctl & open);
    expected.status = (expected.status & ~PERF_GLOBAL_STATUS_LBR_FRZ) |
                      (run.after.status & PERF_GLOBAL_STATUS_LBR_FRZ);
}

static void freeze_stack(struct test_context *t)
{
    bool streamlined = feature_present(FEATURE_PERFMON4);

    if (freeze_of_lbr_is_open() || (streamlined && !(expected.debugctl & DEBUGCTL_LBR)))
        leave_stack_open();
    else if (streamlined)
        expected.status |= PERF_GLOBAL_STATUS_LBR_FRZ;
    else
        expected.debugctl = freeze_leaves(t, expected.debugctl, run.after.debugctl);
}

static void freeze_counters(void)
{
    if (feature_present(FEATURE_PERFMON4))
        expected.status |= PERF_GLOBAL_STATUS_CTR_FRZ;
    else
        expected.control = 0;
}

static void freeze(struct test_context *t, uint64_t debugctl)
{
    if (debugctl & FREEZE_LBRS)
        freeze_stack(t);
    if (debugctl & FREEZE_CTRS)
        freeze_counters();
}

static void blame_freeze(struct test_context *t)
{
    const uint64_t status = run.after.status ^ expected.status;
    bool streamlined = feature_present(FEATURE_PERFMON4);

    if ((run.after.debugctl ^ expected.debugctl) & DEBUGCTL_LBR ||
        status & PERF_GLOBAL_STATUS_LBR_FRZ)
        test_breaks(t, streamlined ? "FRZ-5" : "FRZ-2");
    if (run.after.control != expected.control || status & PERF_GLOBAL_STATUS_CTR_FRZ)
        test_breaks(t, streamlined ? "FRZ-8" : "FRZ-6");
}

static bool registers_are_as_expected(struct test_context *t)
{
    bool held;

    *own_value(&expected) = *own_value(&run.after);
    if (run.interrupts_wanted) /* masked as it is accepted, or as it is taken: F5.12 */
        expected.lvt |= run.after.lvt & APIC_LVT_MASKED;
    held = facility_expect(t, &run.after, &expected);
    if (!held)
        blame_freeze(t);
    return held;
}

/* --- a counter --- */

/* One bit after another, from below and from above by turns; each takes nothing with it. */
static bool status_is_cleared_bit_by_bit(struct test_context *t, bool from_above)
{
    uint64_t left = pmu_status() & pmu_status_mask();
    bool held = true;

    while (left && held) {
        uint64_t bit = from_above ? 1ull << (63 - __builtin_clzll(left)) : left & -left;

        pmu_status_clear(bit);
        left &= ~bit;
        held = EXPECT_BITS(t, OVERFLOW, "IA32_PERF_GLOBAL_STATUS after one bit was cleared",
                           pmu_status() & pmu_status_mask(), left);
    }
    return held;
}

static bool interrupts_are(struct test_context *t, size_t wanted)
{
    bool held = EXPECT_COUNT(t, PMI, "interrupts", run.seen.interrupts, wanted);

    held &= EXPECT(t, PMI_LVT, run.seen.lvt_masked_end == (wanted != 0),
                   "the LVT entry is %s after %zu interrupts",
                   run.seen.lvt_masked_end ? "masked" : "not masked", run.seen.interrupts);
    return held;
}

/* With BTINT set it has to be found beside another cause (ISR-2). */
static bool overflow_interrupts(struct test_context *t, const struct bystanders *beside,
                                bool interrupts)
{
    bool held = interrupts_are(t, interrupts);

    if (!held && beside->debugctl & DEBUGCTL_BTINT)
        test_breaks(t, "ISR-2");
    return held;
}

static void check_overflow(struct test_context *t, unsigned row, bool interrupts)
{
    struct bystanders beside = bystanders_of_row(row, pmu_global_bit(own));
    bool held;

    beside.frozen &= ~PERF_GLOBAL_STATUS_CTR_FRZ;
    if (beside.overflowed) /* its own earlier overflow is not acknowledged either (F6.40) */
        beside.overflowed |= pmu_global_bit(own);
    own_event = PMU_INSTRUCTIONS;
    own_flags = COUNTER_OS | (interrupts ? COUNTER_PMI : 0);
    own_period = PERIOD;
    run = (struct bystander_run){.program = program_of_length(TRANSFERS),
                                 .start = start_own,
                                 .own_control = pmu_global_bit(own),
                                 .interrupts_wanted = interrupts};
    if (!bystanders_run(t, &beside, &run))
        return;
    expected = run.before;
    expected.status |= pmu_global_bit(own);
    if (interrupts)
        freeze(t, beside.debugctl);
    held = registers_are_as_expected(t);
    held &= overflow_interrupts(t, &beside, interrupts);
    held &= EXPECT(t, COUNT_LOW, *own_value(&run.after) <= pmu_counter_mask(own) / 2,
                   "the counter did not wrap, it is at %#lx", *own_value(&run.after));
    if (!(status_is_cleared_bit_by_bit(t, row % 2) && held))
        bystanders_note(t, &beside);
}

/* The first and the last general-purpose counter, and the first fixed one. */
static unsigned choose_counters(struct counter *chosen)
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = counting_counters_of(PMU_INSTRUCTIONS, counters), found = 0;

    for (unsigned i = 0; i < count; i++)
        if (i == 0 || i + 1 == count || counters[i].fixed != counters[i + 1].fixed)
            chosen[found++] = counters[i];
    return found;
}

TEST(beside, an_overflow_changes_its_own_bits,
     CLAIMS("FRZ-9", "FRZ-10", "FRZ-13", "FRZ-2", "FRZ-5", "FRZ-6", "FRZ-8", "ISR-2", "ISR-3",
            "ISR-6"),
     NEEDS(PERFMON2, PMI))
{
    struct counter counters[PMU_COUNTERS_MAX];
    unsigned count = choose_counters(counters);
    char name[16];

    if (!count) {
        test_skip(t, "no counter counts %s", pmu_event_name(PMU_INSTRUCTIONS));
        return;
    }
    freeze_learn_beside_tr(t);
    TEST_NUMBERS(t, i, 0, 2 * count, counters[i / 2].fixed ? "FRZ-10" : "FRZ-9", "%s%s",
                 (pmu_counter_name(counters[i / 2], name, sizeof name), name),
                 i % 2 ? "_without_pmi_bit" : "") {
        own = counters[i / 2];
        test_under(t, counting_circumstances(own));
        BYSTANDERS_EACH(t, row, i % 2 ? ROWS_HALF : ROWS_ALL)
            check_overflow(t, row, i % 2 == 0);
    }
    bystanders_end();
}

/* --- the two thresholds --- */

/* D 1, D 15: whether that of BTS freezes, and sets OvfBuf, is the processor's own affair. */
static void expect_bts_choices(struct test_context *t, uint64_t debugctl)
{
    uint64_t open = freeze_by_bts(debugctl, VALUE_UNKNOWN);

    expected.status |= run.after.status & PERF_GLOBAL_STATUS_OVF_BUF;
    freeze(t, freeze_by_bts(debugctl, VALUE_YES));
    if (open & FREEZE_LBRS)
        leave_stack_open();
    if (!(open & FREEZE_CTRS))
        return;
    expected.status |= run.after.status & PERF_GLOBAL_STATUS_CTR_FRZ;
    expected.control &= run.after.control;
}

static void check_bts_threshold(struct test_context *t, unsigned row)
{
    struct bystanders beside = bystanders_of_row(row, 1);
    bool held;

    own = (struct counter){.number = 0};
    beside.debugctl |= DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT;
    beside.debugctl &= ~(uint64_t)DEBUGCTL_BTS_OFF_OS;
    beside.debugctl = freeze_beside_tr(beside.debugctl);
    beside.select = 0; /* it may filter the trace: F4.35 */
    beside.frozen = 0; /* and this stop it: F7.13 */
    run = (struct bystander_run){.program = program_of_length(TRANSFERS),
                                 .bts_threshold = THRESHOLD,
                                 .interrupts_wanted = 1};
    if (!bystanders_run(t, &beside, &run))
        return;
    expected = run.before;
    expect_bts_choices(t, beside.debugctl);
    held = registers_are_as_expected(t);
    if (!interrupts_are(t, 1) || !held)
        bystanders_note(t, &beside);
}

TEST(beside, the_bts_threshold_changes_nothing_else, CLAIMS("BTS-5", "ISR-6", "FRZ-12", "FRZ-13"),
     NEEDS(BTS, PMI))
{
    freeze_learn_beside_tr(t);
    BYSTANDERS_EACH(t, row, ROWS_ALL)
        check_bts_threshold(t, row);
    bystanders_end();
}

/* F3.63: storing the record takes the counter's own bit. F7.11: format 0 may leave OvfBuf out. */
static void check_pebs_threshold(struct test_context *t, unsigned row)
{
    struct bystanders beside = bystanders_of_row(row, 1);
    bool held;

    own = (struct counter){.number = 0};
    own_flags = COUNTER_OS;
    own_period = SHORT;
    beside.frozen &= PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_OVF_BUF; /* F3.64: any way */
    run = (struct bystander_run){.program = program_of_length(TRANSFERS),
                                 .start = start_own,
                                 .own_control = 1,
                                 .sampled = PEBS_GENERAL(0),
                                 .interrupts_wanted = 1};
    if (!bystanders_run(t, &beside, &run))
        return;
    expected = run.before;
    expected.status |=
        pebs_format() ? PERF_GLOBAL_STATUS_OVF_BUF : run.after.status & PERF_GLOBAL_STATUS_OVF_BUF;
    freeze(t, beside.debugctl);
    held = registers_are_as_expected(t);
    held &= interrupts_are(t, 1);
    if (!EXPECT_COUNT(t, PEBS, "records", pebs_index(), 1) || !held)
        bystanders_note(t, &beside);
}

TEST(beside, the_pebs_threshold_changes_its_own_bits,
     CLAIMS("PEBS-3", "FRZ-11", "FRZ-13", "ISR-3", "ISR-6"), NEEDS(PEBS_RECORDS, PMI))
{
    own_event = sample_any_event(t);
    if (!sample_is_possible(t, own_event))
        return;
    test_under(t, UNDER(PEBS));
    freeze_learn_beside_tr(t);
    BYSTANDERS_EACH(t, row, ROWS_ALL)
        check_pebs_threshold(t, row);
    bystanders_end();
}

/* --- a debug exception --- */

/* With BTF set a single step comes after branches alone. */
static bool comes_with_btf(const struct workload *workload)
{
    for (const struct transfer *at = workload->truth; at < workload->truth_end; at++)
        if (at->kind == TRANSFER_DEBUG)
            return false;
    return true;
}

static bool handler_found(struct test_context *t, uint64_t debugctl)
{
    uint64_t found = (uint32_t)debugctl_in_handler;

    if (!EXPECT(t, DEBUG_MISSING, debugctl_in_handler != ~0ull, "the debug exception did not come"))
        return false;
    if (EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL in the handler", found, debugctl))
        return true;
    if ((found ^ debugctl) & DEBUGCTL_TR)
        test_breaks(t, "LBR-4");
    if ((found ^ debugctl) & DEBUGCTL_BTF)
        test_breaks(t, "BTF-1");
    if ((found ^ debugctl) & DEBUGCTL_BTINT)
        test_breaks(t, "T17-6.7");
    return false;
}

static void blame_thaw(struct test_context *t)
{
    const uint64_t status = run.after.status ^ expected.status;

    if (status & PERF_GLOBAL_STATUS_LBR_FRZ)
        test_breaks(t, "FRZ-5");
    if (status & PERF_GLOBAL_STATUS_CTR_FRZ)
        test_breaks(t, "FRZ-8");
}

/* LBR and BTF are cleared (F2.7); the counters of ring 3 go on. */
static bool only_lbr_and_btf_are_cleared(struct test_context *t)
{
    expected = run.before;
    __builtin_memcpy(expected.general, run.after.general, sizeof expected.general);
    __builtin_memcpy(expected.fixed, run.after.fixed, sizeof expected.fixed);
    expected.debugctl &= ~(uint64_t)(DEBUGCTL_LBR | DEBUGCTL_BTF);
    if (!handler_found(t, expected.debugctl))
        return false;
    if (facility_expect(t, &run.after, &expected))
        return true;
    blame_thaw(t);
    return false;
}

static void check_debug(struct test_context *t, const struct workload *workload, unsigned row)
{
    struct bystanders beside = bystanders_of_row(row, 0);

    if (!comes_with_btf(workload))
        beside.debugctl &= ~(uint64_t)DEBUGCTL_BTF;
    debugctl_in_handler = ~0ull;
    run = (struct bystander_run){.program = program_of_workload(workload)};
    if (!bystanders_run(t, &beside, &run))
        return;
    if (!only_lbr_and_btf_are_cleared(t))
        bystanders_note(t, &beside);
}

TEST(beside, a_debug_exception_clears_lbr_and_btf_alone,
     CLAIMS("LBR-2", "LBR-4", "BTF-1", "FRZ-5", "FRZ-8"), NEEDS(LBR, SYSCALL))
{
    freeze_learn_beside_tr(t);
    TEST_EACH_OF(t, at, debug_exceptions, debug_exceptions_end, "LBR-2", "%s", (*at)->name)
        BYSTANDERS_EACH(t, row, (at - debug_exceptions) % 2 ? ROWS_HALF : ROWS_OTHER_HALF)
            if (transfer_is_possible(t, *at))
                check_debug(t, *at, row);
    bystanders_end();
}
