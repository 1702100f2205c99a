/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One freeze after another: does each overflow freeze anew once the one before was served, and what
 * does a second one do to a stack that is frozen already? Counters freeze where there is no stack.
 */
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/freeze/freeze_check.h"
#include "tests/spec/freeze/freeze_stack.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/observe.h"

#define TRANSFERS   2000
#define PERIOD      300
#define INTERRUPTS  3 /* at least, however late each is */
#define FAR_PERIOD  (1u << 24)
#define EVENTS      16
#define FIRST_AFTER 150 /* instructions to the first overflow of two; the program has more */
#define NEXT_AFTER  1200
#define FROZEN_BY   900 /* transfers: after any freeze by the first overflow, before the second */

#define LBRS     ((uint64_t)DEBUGCTL_FREEZE_LBRS_ON_PMI)
#define COUNTERS ((uint64_t)DEBUGCTL_FREEZE_PERFMON_ON_PMI)

static const struct counter first = {.number = 0}, second = {.number = 1};

static struct pmi_event events[EVENTS];

/* D 12: of Goldmont the manual says both ways. */
static bool is_possible(struct test_context *t, uint64_t bits)
{
    bool open = bits & LBRS && freeze_of_lbr_is_open();

    if (!freeze_is_possible(bits))
        test_skip_without(t, FEATURE_LBR);
    else if (open)
        test_skip(t,
                  "how this model freezes the LBR stack is open: freeze.by_every_general_counter");
    else if (!freeze_can_trigger(first))
        test_skip(t, "CPUID.0AH:EBX[1] = 1: no event instructions retired");
    return freeze_is_possible(bits) && !open && freeze_can_trigger(first);
}

/* Bounded: an interrupt after the program would find IA32_DEBUGCTL cleared, and set LBR again. */
static unsigned reloads_left;

static void reload(uint64_t overflowed)
{
    (void)overflowed;
    pmu_write_period(first, reloads_left ? PERIOD : FAR_PERIOD);
    reloads_left -= reloads_left != 0;
}

static void start_first(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    reloads_left = INTERRUPTS;
    pmu_reset();
    pmu_write_period(first, PERIOD);
    pmu_program(first, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_PMI);
}

static void expect_bits(struct test_context *t, const char *what, uint64_t got, uint64_t expected,
                        const char *claim)
{
    if (!EXPECT_EQUAL(t, MSR_VALUE, what, got, expected))
        test_breaks(t, claim);
}

/* Each found what its own overflow has frozen, and that alone. */
static void check_event(struct test_context *t, const struct pmi_event *event, uint64_t bits)
{
    const bool lbrs = bits & LBRS, counters = bits & COUNTERS,
               streamlined = freeze_is_streamlined();

    if (!EXPECT(t, PMI_CAUSE, event->overflowed, "an interrupt without an overflow"))
        return;
    expect_bits(t, "IA32_DEBUGCTL.LBR in the routine", event->debugctl & DEBUGCTL_LBR,
                lbrs && !streamlined ? 0 : freeze_recording(), streamlined ? "FRZ-5" : "FRZ-3");
    expect_bits(t, "IA32_PERF_GLOBAL_CTRL in the routine", event->global_control,
                counters && !streamlined ? 0 : 1, streamlined ? "FRZ-8" : "FRZ-7");
    expect_bits(t, "LBR_Frz in the routine", event->global_status & PERF_GLOBAL_STATUS_LBR_FRZ,
                lbrs && streamlined ? PERF_GLOBAL_STATUS_LBR_FRZ : 0, "FRZ-5");
    expect_bits(t, "CTR_Frz in the routine", event->global_status & PERF_GLOBAL_STATUS_CTR_FRZ,
                counters && streamlined ? PERF_GLOBAL_STATUS_CTR_FRZ : 0, "FRZ-8");
    EXPECT_BITS(t, OVERFLOW, "overflow bits in the routine", event->overflowed, 1);
}

/* Nor right before it, where IA32_DEBUGCTL is still clear. */
static bool came_in_program(const struct observation *seen, const struct pmi_event *event)
{
    const struct transfer *truth = seen->program->truth;

    return event->rip >= truth[1].from && event->rip <= truth[seen->program->count - 1].from;
}

static size_t check_events(struct test_context *t, const struct observation *seen, uint64_t bits)
{
    size_t in_program = 0;

    for (size_t i = 0; i < seen->interrupts && !test_has_failed(t); i++) {
        if (!came_in_program(seen, &events[i]))
            continue;
        check_event(t, &events[i], bits);
        in_program++;
    }
    return in_program;
}

/* The last routine has given everything back: the program's last transfer is the newest entry. */
static void check_newest(struct test_context *t, const struct observation *seen)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];

    lbr_entries_of(&seen->lbr.after, entries);
    if (!EXPECT_EQUAL(t, FREEZE_LBR, "the newest entry's transfer of the program",
                      lbr_position_in(seen->program, &entries[0]), seen->program->count - 1))
        test_breaks(t, freeze_is_streamlined() ? "FRZ-5" : "FRZ-3");
}

static void check_end(struct test_context *t, const struct observation *seen, uint64_t debugctl)
{
    expect_bits(t, "IA32_DEBUGCTL at the end", seen->debugctl_end, debugctl,
                freeze_is_streamlined() ? "FRZ-5" : "FRZ-3");
    expect_bits(t, "IA32_PERF_GLOBAL_CTRL at the end", seen->control_end, 1,
                freeze_is_streamlined() ? "FRZ-8" : "FRZ-7");
    if (freeze_recording())
        check_newest(t, seen);
}

static void check_setting(struct test_context *t, uint64_t bits)
{
    struct pmi_log log = {.events = events,
                          .event_capacity = EVENTS,
                          .reload = reload,
                          .resume_control = 1,
                          .resume_lbr = bits & LBRS};
    const struct run run = {.debugctl = freeze_recording() | bits,
                            .lbr = freeze_recording(),
                            .control = 1,
                            .armed = PMI_CAUSE_COUNTER,
                            .policy = PMI_SERVE,
                            .interrupts_wanted = INTERRUPTS,
                            .log = &log,
                            .ahead = start_first,
                            .behind = run_stop_counting};
    struct observation seen;
    size_t interrupts;

    test_under(t, UNDER(COUNTER) | (bits & LBRS ? UNDER(FREEZE_LBRS) : 0) |
                      (bits & COUNTERS ? UNDER(FREEZE_COUNTERS) : 0));
    if (!observe(t, program_of_length(TRANSFERS), &run, &seen))
        return;
    interrupts = check_events(t, &seen, bits);
    EXPECT(t, PMI_MISSING, interrupts >= INTERRUPTS, "%zu interrupts in the program, fewer than %u",
           interrupts, INTERRUPTS);
    check_end(t, &seen, run.debugctl);
    debugctl_clear(); /* an interrupt too many gives back LBR behind the program */
    pmu_reset();
}

TEST(freeze, by_one_overflow_after_another,
     CLAIMS("FRZ-2", "FRZ-3", "FRZ-5", "FRZ-6", "FRZ-7", "FRZ-8", "FRZ-9"), NEEDS(FREEZE, PMI))
{
    TEST_NUMBERS(t, setting, 0, 4, "FRZ-9", "lbr%u_counters%u", setting & 1, setting >> 1) {
        uint64_t bits = (setting & 1 ? LBRS : 0) | (setting >> 1 ? COUNTERS : 0);

        if (is_possible(t, bits))
            check_setting(t, bits);
    }
}

/* --- a second overflow before the first is served --- */

static uint64_t status_behind;

static void start_both(const struct run *run, struct observation *seen)
{
    (void)run, (void)seen;
    pmu_reset();
    pmu_write_period(first, FIRST_AFTER);
    pmu_write_period(second, NEXT_AFTER);
    pmu_program(first, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_PMI);
    pmu_program(second, PMU_INSTRUCTIONS, COUNTER_OS | COUNTER_PMI);
}

static void look_behind(const struct run *run, struct observation *seen)
{
    status_behind = pmu_status();
    run_stop_counting(run, seen);
}

/* False after a test_skip() or test_fail(). */
static bool run_both(struct test_context *t, uint64_t bits, struct observation *seen)
{
    struct pmi_log log = {.events = events, .event_capacity = EVENTS};
    const struct run run = {.debugctl = bits | (bits & LBRS ? DEBUGCTL_LBR : 0),
                            .hold_off_interrupts = true,
                            .lbr = bits & LBRS,
                            .control = 3,
                            .armed = PMI_CAUSE_COUNTER,
                            .policy = PMI_COUNT,
                            .interrupts_wanted = 1,
                            .log = &log,
                            .ahead = start_both,
                            .behind = look_behind};

    test_under(t, UNDER(COUNTER) | (bits & LBRS ? UNDER(FREEZE_LBRS) : UNDER(FREEZE_COUNTERS)));
    return is_possible(t, bits) && pmu_counter_exists(second) &&
           observe(t, program_of_length(TRANSFERS), &run, seen);
}

TEST(freeze, stack_frozen_by_the_first_of_two_overflows, CLAIMS("FRZ-2", "FRZ-5", "ALBR-6"),
     NEEDS(FREEZE, LBR, PMI))
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    struct observation seen;
    size_t newest;
    uint64_t frz = freeze_is_streamlined() ? PERF_GLOBAL_STATUS_LBR_FRZ : 0;

    if (!run_both(t, LBRS, &seen))
        return;
    lbr_entries_of(&seen.lbr.after, entries);
    newest = lbr_position_in(seen.program,
                             &entries[freeze_newest_is_a_branch(t, seen.program, entries) ? 0 : 1]);
    EXPECT(t, FREEZE_LBR, newest < FROZEN_BY,
           "newest entry is transfer %zu of the program: the second overflow thawed the stack",
           newest);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", seen.debugctl_end,
                 freeze_is_streamlined() ? DEBUGCTL_LBR | LBRS : LBRS);
    if (!EXPECT_BITS(t, OVERFLOW, "overflow bits and LBR_Frz",
                     status_behind & (pmu_all_counters() | PERF_GLOBAL_STATUS_LBR_FRZ), 3 | frz))
        test_breaks(t, "ISR-3");
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL at the end", seen.control_end, 3);
    EXPECT_COUNT(t, PMI, "interrupts through an LVT entry that the first one masks",
                 seen.interrupts, 1);
    pmu_reset();
}

/* The first has stopped the second long before that one's end. */
static void check_stopped(struct test_context *t, const struct observation *seen)
{
    const uint64_t frozen = status_behind & PERF_GLOBAL_STATUS_CTR_FRZ;

    EXPECT_BITS(t, OVERFLOW, "overflow bits", status_behind & pmu_all_counters(), 1);
    expect_bits(t, "CTR_Frz", frozen, freeze_is_streamlined() ? PERF_GLOBAL_STATUS_CTR_FRZ : 0,
                "FRZ-8");
    expect_bits(t, "IA32_PERF_GLOBAL_CTRL at the end", seen->control_end,
                freeze_is_streamlined() ? 3 : 0, freeze_is_streamlined() ? "FRZ-8" : "FRZ-6");
    EXPECT(t, FREEZE_COUNTERS, pmu_read(first) < FROZEN_BY,
           "the counter that froze them has counted %lu instructions since", pmu_read(first));
    EXPECT_COUNT(t, PMI, "interrupts", seen->interrupts, 1);
}

TEST(freeze, counters_frozen_by_the_first_of_two_overflows, CLAIMS("FRZ-6", "FRZ-8"),
     NEEDS(FREEZE, PMI))
{
    struct observation seen;

    if (!run_both(t, COUNTERS, &seen))
        return;
    check_stopped(t, &seen);
    pmu_reset();
}
