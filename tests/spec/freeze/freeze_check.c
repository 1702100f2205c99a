/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/freeze/freeze_check.h"

#include "arch/trace/debugctl.h"
#include "tests/run/counting.h"
#include "tests/spec/choices/choices.h"
#include "tests/spec/freeze/freeze_stack.h"
#include "tests/spec/lbr_check.h"

#define LBRS     DEBUGCTL_FREEZE_LBRS_ON_PMI
#define COUNTERS DEBUGCTL_FREEZE_PERFMON_ON_PMI
#define FROZEN   (PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ)

/* What a failed check is about, and so which claims it breaks. */
enum subject { THE_STACK, THE_COUNTERS, THE_STACK_THAWED, THE_COUNTERS_THAWED };

static struct freeze_observation seen;

/* What the last interrupt with both bits set has frozen. */
static uint64_t frozen_together;

bool freeze_can_trigger(struct counter counter)
{
    return counter.fixed ? pmu_fixed_event(counter.number) != PMU_EVENT_COUNT
                         : pmu_event_available(PMU_INSTRUCTIONS);
}

bool freeze_is_possible(uint64_t bits)
{
    return freeze_recording() || !(bits & LBRS);
}

/* What froze, by the registers of this flavour alone: the bits 11 and 12 that had an effect. */
static uint64_t frozen_by_registers(void)
{
    uint64_t frozen = 0;

    if (freeze_lbr_is_streamlined())
        frozen |= seen.event.global_status & PERF_GLOBAL_STATUS_LBR_FRZ ? LBRS : 0;
    else if (freeze_recording())
        frozen |= seen.event.debugctl & DEBUGCTL_LBR ? 0 : LBRS;
    if (freeze_is_streamlined())
        frozen |= seen.event.global_status & PERF_GLOBAL_STATUS_CTR_FRZ ? COUNTERS : 0;
    else
        frozen |= seen.event.global_control ? 0 : COUNTERS;
    return frozen;
}

/*
 * frozen: whether the subject was to be frozen; one that was not to be is FRZ-13's, and so is one
 * that is frozen with both bits set and not with its own alone.
 */
static void blame(struct test_context *t, enum subject subject, bool frozen)
{
    static const char *const legacy[] = {"FRZ-2", "FRZ-6", "FRZ-3", "FRZ-7"};
    static const char *const streamlined[] = {"FRZ-5", "FRZ-8", "FRZ-5", "FRZ-8"};

    bool about_stack = subject == THE_STACK || subject == THE_STACK_THAWED;
    bool is_new = about_stack ? freeze_lbr_is_streamlined() : freeze_is_streamlined();
    uint64_t bit = about_stack ? LBRS : COUNTERS;

    test_breaks(t, is_new ? streamlined[subject] : legacy[subject]);
    if (about_stack && feature_present(FEATURE_ARCH_LBR))
        test_breaks(t, "ALBR-6");
    if (subject == THE_STACK_THAWED && !is_new)
        test_breaks(t, "FRZ-4");
    if (!frozen || (frozen_together & ~frozen_by_registers() & bit))
        test_breaks(t, "FRZ-13");
}

static void expect_register(struct test_context *t, const char *what, uint64_t got,
                            uint64_t expected, enum subject subject, uint64_t frozen)
{
    if (!EXPECT_EQUAL(t, MSR_VALUE, what, got, expected))
        blame(t, subject, frozen & (subject == THE_STACK ? LBRS : COUNTERS));
}

static void check_registers(struct test_context *t, const struct freeze_trigger *trigger,
                            uint64_t bits, uint64_t frozen)
{
    uint64_t debugctl = freeze_debugctl(trigger, bits), control = pmu_all_counters();
    uint64_t lbr_frz = 0, ctr_frz = 0;

    if (freeze_lbr_is_streamlined())
        lbr_frz = frozen & LBRS ? PERF_GLOBAL_STATUS_LBR_FRZ : 0;
    else if (frozen & LBRS)
        debugctl = freeze_leaves(t, debugctl, seen.event.debugctl);
    if (freeze_is_streamlined())
        ctr_frz = frozen & COUNTERS ? PERF_GLOBAL_STATUS_CTR_FRZ : 0;
    else
        control = frozen & COUNTERS ? 0 : control;
    expect_register(t, "IA32_DEBUGCTL in the routine", seen.event.debugctl, debugctl, THE_STACK,
                    frozen);
    expect_register(t, "IA32_PERF_GLOBAL_CTRL in the routine", seen.event.global_control, control,
                    THE_COUNTERS, frozen);
    expect_register(t, "LBR_Frz in the routine",
                    seen.event.global_status & PERF_GLOBAL_STATUS_LBR_FRZ, lbr_frz, THE_STACK,
                    frozen);
    expect_register(t, "CTR_Frz in the routine",
                    seen.event.global_status & PERF_GLOBAL_STATUS_CTR_FRZ, ctr_frz, THE_COUNTERS,
                    frozen);
    expect_register(t, "IA32_DEBUGCTL at the end", seen.debugctl_end, debugctl, THE_STACK, frozen);
    expect_register(t, "IA32_PERF_GLOBAL_CTRL at the end", seen.control_end, control, THE_COUNTERS,
                    frozen);
    EXPECT_EQUAL(t, MSR_VALUE, "LBR_Frz and CTR_Frz at the end", seen.status_end & FROZEN,
                 lbr_frz | ctr_frz);
}

/* The overflow bits of the counters: the trigger's alone (F7.10); PEBS takes its own back. */
static void check_overflow_bits(struct test_context *t, const struct freeze_trigger *trigger)
{
    uint64_t got = seen.event.global_status & pmu_all_counters();
    uint64_t expected = trigger->kind == TRIGGER_BTS ? 0 : pmu_global_bit(trigger->counter);

    if (trigger->kind == TRIGGER_PEBS)
        expected &= freeze_ran_past_zero(trigger, &seen) ? got : 0;
    EXPECT_BITS(t, OVERFLOW, "overflow bits of the counters", got, expected);
}

static void check_stack(struct test_context *t, const struct freeze_trigger *trigger,
                        uint64_t frozen, bool tr_feeds)
{
    bool is_frozen = frozen & LBRS, held;

    if (!freeze_recording())
        return;
    /* F2.8: LBR contents are undefined while TR is set on Core microarchitecture. */
    if (trigger->kind == TRIGGER_BTS && lbr_is_undefined_with_tr())
        return;
    /* D 9: whether TR goes on feeding a stack that is frozen is not said. */
    if (trigger->kind == TRIGGER_BTS && is_frozen && tr_feeds)
        return;
    held = is_frozen ? freeze_stack_is_frozen(t, trigger, &seen)
                     : freeze_stack_runs_on(t, trigger, &seen);
    if (!held)
        blame(t, THE_STACK, is_frozen);
}

bool freeze_expect_still(struct test_context *t, const struct counters_seen *a,
                         const struct counters_seen *b, const char *when)
{
    unsigned under = counters_moved(a, b, FREEZE_LOW_COUNTERS) ? 0 : UNDER(HIGH_COUNTER);

    test_checked(t);
    if (!counters_moved(a, b, PMU_GENERAL_MAX))
        return true;
    return test_find_as(
        t, &(struct finding){.kind = FINDING_FREEZE_COUNTERS, .bare = true, .under = under},
        "a frozen counter moved %s", when);
}

static void check_counters(struct test_context *t, const struct freeze_trigger *trigger,
                           bool frozen)
{
    uint64_t since = pmu_read(trigger->counter);
    bool held;

    if (frozen) {
        held = freeze_expect_still(t, &seen.first_read, &seen.second_read, "inside the routine");
        held &= freeze_expect_still(t, &seen.second_read, &seen.counters_end,
                                    "until the end of the program");
        held &= EXPECT(t, FREEZE_COUNTERS,
                       !trigger->held_off || since < freeze_latest(2 * seen.period) - seen.period,
                       "%#lx events since the overflow, of %#lx: the overflow did not stop the "
                       "counter while the interrupt was held off",
                       since, seen.period);
    } else {
        held = EXPECT(t, FREEZE_COUNTERS, counters_all_moved(&seen.first_read, &seen.second_read),
                      "a counter stands still inside the routine, although nothing freezes it");
    }
    if (!held)
        blame(t, THE_COUNTERS, frozen);
}

static void expect_motion(struct test_context *t, const char *when, uint64_t debugctl, bool lbr,
                          bool counters)
{
    struct freeze_motion motion = freeze_run_on(debugctl);
    const struct finding finding = {.kind = FINDING_FREEZE_COUNTERS,
                                    .bare = true,
                                    .under =
                                        motion.counters && !motion.low ? UNDER(HIGH_COUNTER) : 0};

    if (freeze_recording() && !EXPECT(t, FREEZE_LBR, motion.lbr == lbr, "%s the LBR stack %s", when,
                                      motion.lbr ? "records" : "does not record"))
        blame(t, THE_STACK_THAWED, true);
    test_checked(t);
    if (motion.counters != counters && !test_find_as(t, &finding, "%s the counters %s", when,
                                                     motion.counters ? "count" : "do not count"))
        blame(t, THE_COUNTERS_THAWED, true);
}

/* FRZ-3, FRZ-4: a write that sets LBR again takes effect, before the overflow is acknowledged too.
 */
static void check_lbr_can_be_set_again(struct test_context *t, uint64_t bits)
{
    debugctl_write_safe(bits);
    debugctl_write_safe(bits | DEBUGCTL_LBR);
    if (!EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL with LBR set again, before any acknowledgement",
                      debugctl_read(), bits | DEBUGCTL_LBR))
        blame(t, THE_STACK_THAWED, true);
    debugctl_clear();
}

/*
 * Each thaws by its own step and no other. Legacy: the stack by setting LBR, the counters by their
 * enable bits (FRZ-3, FRZ-4, FRZ-7); streamlined: each by clearing its own bit of the status
 * (FRZ-5, FRZ-8).
 */
static void check_thaw(struct test_context *t, uint64_t bits, uint64_t frozen)
{
    bool lbr_was_cleared = frozen & LBRS && !freeze_lbr_is_streamlined();
    bool counting = !(frozen & COUNTERS);

    /* With one of the settings alone: the acknowledgement may set what was never set since. */
    if (lbr_was_cleared && frozen & COUNTERS)
        check_lbr_can_be_set_again(t, bits);
    pmu_status_clear(pmu_all_counters());
    expect_motion(t, "with the overflow bits cleared alone",
                  lbr_was_cleared ? bits : bits | freeze_recording(), !(frozen & LBRS), counting);
    if (freeze_lbr_is_streamlined())
        pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
    expect_motion(t, "after the step that thaws the LBR stack", bits | freeze_recording(), true,
                  counting);
    if (freeze_is_streamlined())
        pmu_status_clear(PERF_GLOBAL_STATUS_CTR_FRZ);
    else
        pmu_set_global_control(pmu_all_counters());
    expect_motion(t, "after the step that thaws the counters", bits | freeze_recording(), true,
                  true);
}

/* Which of them does a BTS interrupt freeze? D 1. Settled by the first setting that could. */
static uint64_t frozen_by_bts(struct test_context *t, uint64_t bits)
{
    static const uint64_t each[] = {LBRS, COUNTERS};
    uint64_t open = freeze_by_bts(bits, VALUE_UNKNOWN);

    for (unsigned i = 0; i < COUNT_OF(each); i++)
        if (open & each[i])
            choice_learn(t, CHOICE_BTS_FREEZES,
                         frozen_by_registers() & each[i] ? VALUE_YES : VALUE_NO, i);
    return freeze_by_bts(bits, VALUE_YES);
}

static uint64_t expected_frozen(struct test_context *t, const struct freeze_trigger *trigger,
                                uint64_t bits)
{
    if (trigger->without_pmi)
        return 0;
    return trigger->kind == TRIGGER_BTS ? frozen_by_bts(t, bits) : bits;
}

/* Nothing may come and nothing may freeze, but the overflow is there to see. */
static void check_silent_overflow(struct test_context *t, const struct freeze_trigger *trigger,
                                  uint64_t bits)
{
    EXPECT_COUNT(t, PMI, "interrupts", seen.interrupts, 0);
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", seen.debugctl_end,
                 freeze_debugctl(trigger, bits));
    EXPECT_EQUAL(t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL at the end", seen.control_end,
                 pmu_all_counters());
    EXPECT_BITS(t, OVERFLOW, "overflow, LBR_Frz and CTR_Frz bits",
                seen.status_end & (pmu_all_counters() | FROZEN), pmu_global_bit(trigger->counter));
    expect_motion(t, "after an overflow without interrupt", bits | freeze_recording(), true, true);
}

static unsigned circumstances(const struct freeze_trigger *trigger, uint64_t bits)
{
    unsigned under = bits & LBRS ? UNDER(FREEZE_LBRS) : 0;

    if (bits & COUNTERS)
        under |= UNDER(FREEZE_COUNTERS);
    if (trigger->kind == TRIGGER_COUNTER)
        under |= counting_circumstances(trigger->counter) & ~UNDER(HIGH_COUNTER);
    return under | (trigger->kind == TRIGGER_PEBS ? UNDER(PEBS) : 0);
}

/* What the checks were about besides the trigger. */
static void name_claims(struct test_context *t, uint64_t frozen)
{
    bool old_stack = !freeze_lbr_is_streamlined(), old_counters = !freeze_is_streamlined();

    if (frozen & LBRS)
        test_checked_claim(t, old_stack ? "FRZ-2" : "FRZ-5");
    if (frozen & LBRS && feature_present(FEATURE_ARCH_LBR))
        test_checked_claim(t, "ALBR-6");
    if (frozen & LBRS && old_stack) {
        test_checked_claim(t, "FRZ-3");
        test_checked_claim(t, "FRZ-4");
    }
    if (frozen & COUNTERS)
        test_checked_claim(t, old_counters ? "FRZ-6" : "FRZ-8");
    if (frozen & COUNTERS && old_counters)
        test_checked_claim(t, "FRZ-7");
    if (frozen == LBRS || frozen == COUNTERS)
        test_checked_claim(t, "FRZ-13");
}

void freeze_check(struct test_context *t, const struct freeze_trigger *trigger, uint64_t bits)
{
    bool tr_feeds = trigger->kind == TRIGGER_BTS && !lbr_is_undefined_with_tr() &&
                    lbr_tr_feeds(t, freeze_debugctl(trigger, bits));
    uint64_t frozen;

    test_under(t, circumstances(trigger, bits));
    if (!freeze_run(t, trigger, bits, &seen))
        return;
    if (trigger->without_pmi) {
        check_silent_overflow(t, trigger, bits);
        return;
    }
    if (!EXPECT_COUNT(t, PMI, "interrupts", seen.interrupts, 1))
        return;
    if (trigger->held_off)
        test_note(t, "in the routine: right before the interrupt was let in");
    EXPECT(t, PMI_PLACE, !trigger->user || seen.event.cs & 3, "interrupted at %pS, not in ring 3",
           (void *)seen.event.rip);
    if (bits & LBRS)
        freeze_learn_lbr_flavour(t, &seen.event);
    if (bits == (LBRS | COUNTERS))
        frozen_together = frozen_by_registers();
    frozen = expected_frozen(t, trigger, bits);
    check_registers(t, trigger, bits, frozen);
    check_overflow_bits(t, trigger);
    check_stack(t, trigger, frozen, tr_feeds);
    check_counters(t, trigger, frozen & COUNTERS);
    check_thaw(t, bits, frozen);
    name_claims(t, frozen);
}
