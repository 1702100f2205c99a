/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/freeze_check.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/pebs.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/lbr_check.h"
#include "tests/run/counting.h"

#define LBRS     DEBUGCTL_FREEZE_LBRS_ON_PMI
#define COUNTERS DEBUGCTL_FREEZE_PERFMON_ON_PMI
#define FROZEN   (PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ)

/* What a failed check is about, and so which claims it breaks. */
enum subject { THE_STACK, THE_COUNTERS, THE_STACK_THAWED, THE_COUNTERS_THAWED };

static struct freeze_seen seen;

/* What the last interrupt with both bits set has frozen. */
static uint64_t frozen_together;

static bool is_streamlined(void)
{
    return feature_present(FEATURE_PERFMON4);
}

const char *freeze_flavour_name(void)
{
    return is_streamlined() ? "streamlined" : "legacy";
}

bool freeze_can_trigger(struct counter counter)
{
    return counter.fixed ? pmu_fixed_event(counter.number) != PMU_EVENT_COUNT
                         : pmu_event_available(PMU_INSTRUCTIONS);
}

/*
 * D 12: of Goldmont the manual says both that it freezes the LBR stack the streamlined way and that
 * it does so the legacy way. The first freeze tells, and the processor is held to it.
 */
static bool is_goldmont(void)
{
    const struct cpu_identity *cpu = &cpu_features.identity;

    return cpu->family == 6 && (cpu->model == 0x5c || cpu->model == 0x5f);
}

bool freeze_of_lbr_is_open(void)
{
    return is_goldmont();
}

static bool lbr_is_streamlined(void)
{
    return is_streamlined() && choice_of(CHOICE_LBR_FREEZE) != VALUE_LEGACY;
}

enum choice_value freeze_lbr_flavour(void)
{
    if (!is_streamlined())
        return VALUE_LEGACY;
    return is_goldmont() ? choice_of(CHOICE_LBR_FREEZE) : VALUE_STREAMLINED;
}

/* After a counter's interrupt with bit 11 set, which freezes the stack one way or the other. */
static void learn_lbr_flavour(struct test_context *t)
{
    bool legacy = !(seen.event.debugctl & DEBUGCTL_LBR) &&
                  !(seen.event.global_status & PERF_GLOBAL_STATUS_LBR_FRZ);

    if (choice_of(CHOICE_LBR_FREEZE) != VALUE_UNKNOWN || !is_goldmont() || !is_streamlined())
        return;
    choice_learn(t, CHOICE_LBR_FREEZE, legacy ? VALUE_LEGACY : VALUE_STREAMLINED);
}

/* What froze, by the registers of this flavour alone: the bits 11 and 12 that had an effect. */
static uint64_t frozen_by_registers(void)
{
    uint64_t frozen = 0;

    if (lbr_is_streamlined())
        frozen |= seen.event.global_status & PERF_GLOBAL_STATUS_LBR_FRZ ? LBRS : 0;
    else
        frozen |= seen.event.debugctl & DEBUGCTL_LBR ? 0 : LBRS;
    if (is_streamlined())
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
    bool is_new = about_stack ? lbr_is_streamlined() : is_streamlined();
    uint64_t bit = about_stack ? LBRS : COUNTERS;

    test_breaks(t, is_new ? streamlined[subject] : legacy[subject]);
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

    if (lbr_is_streamlined())
        lbr_frz = frozen & LBRS ? PERF_GLOBAL_STATUS_LBR_FRZ : 0;
    else
        debugctl &= ~(uint64_t)(frozen & LBRS ? DEBUGCTL_LBR : 0);
    if (is_streamlined())
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

/* Position in the truth of the newest entry, or the count when it is no transfer of the program. */
static size_t position_of(const struct lbr_entry *entry)
{
    return lbr_position_in(seen.program, entry);
}

/* Where the interrupt came: number of the transfer before it, or the count when it is not after
 * this one. */
static size_t interrupted_after(size_t position)
{
    for (size_t i = position; i < seen.program->count; i++)
        if (seen.event.rip >= seen.program->truth[i].to &&
            (i + 1 == seen.program->count || seen.event.rip <= seen.program->truth[i + 1].from))
            return i;
    return seen.program->count;
}

/*
 * The third PEBS record reaches the threshold; a stack that froze with the first counter overflow
 * is two periods older than the interrupt. One and a half is more than an interrupt is late.
 */
static bool froze_too_early(const struct freeze_trigger *trigger, size_t newest, size_t interrupted)
{
    return trigger->kind == TRIGGER_PEBS && interrupted - newest > seen.period * 3 / 2;
}

/*
 * The overflow is in the middle, the interrupt waits for the end of the program and does not freeze
 * it (F7.6). How late the freeze may be is open: most of the rest of the program is allowed.
 */
static size_t latest_freeze(size_t end)
{
    return end - end / 8;
}

/* Is the newest entry, so many transfers into the program, one of the moment of the freeze? */
static bool froze_in_time(struct test_context *t, const struct freeze_trigger *trigger,
                          size_t newest)
{
    size_t interrupted;
    bool held;

    if (trigger->held_off)
        return EXPECT(t, FREEZE_LBR, newest < latest_freeze(seen.program->count),
                      "newest entry is branch %zu of %zu: the overflow in the middle did not "
                      "freeze the stack while the interrupt was held off",
                      newest, seen.program->count);
    interrupted = interrupted_after(newest);
    held = EXPECT(t, FREEZE_LBR, interrupted < seen.program->count,
                  "newest entry is branch %zu of the program, not reached at %pS", newest,
                  (void *)seen.event.rip);
    return held & EXPECT(t, FREEZE_LBR, !froze_too_early(trigger, newest, interrupted),
                         "newest entry is branch %zu, the interrupt came after branch %zu", newest,
                         interrupted);
}

/*
 * The newest entry is the branch of the program that follows the entry before it. Where it is none,
 * or that one once more, the finding has what it should be.
 */
static bool newest_is_a_branch(struct test_context *t, const struct lbr_entry *entries)
{
    size_t newest = position_of(&entries[0]), before = position_of(&entries[1]);
    bool is_none = newest == seen.program->count;
    bool is_twice = newest == before && newest + 1 < seen.program->count &&
                    !lbr_is_transfer(&entries[0], &seen.program->truth[newest + 1]);
    struct finding finding = {.kind = FINDING_FREEZE_LBR,
                              .where = "newest entry",
                              .got = entries[0].from,
                              .got_to = entries[0].to,
                              .previous = entries[1].from};

    if (!is_none && !is_twice)
        return true;
    if (before + 1 < seen.program->count) {
        finding.expected = seen.program->truth[before + 1].from;
        finding.expected_to = seen.program->truth[before + 1].to;
    }
    if (is_twice)
        finding.under = UNDER(TWICE);
    test_find_as(
        t, &finding,
        "newest entry %pS -> %pS is no branch of the interrupted program, or is there twice",
        (void *)entries[0].from, (void *)entries[0].to);
    return false;
}

/* FRZ-2, FRZ-5: the last branches of the target, one after another, none of the routine's. */
static bool stack_is_the_targets(struct test_context *t, const struct freeze_trigger *trigger)
{
    static struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&seen.lbr_in_routine, entries);
    size_t first = newest_is_a_branch(t, entries) ? 0 : 1;
    size_t newest = position_of(&entries[first]);
    bool held = first == 0;

    if (newest == seen.program->count)
        return false;
    held &= froze_in_time(t, trigger, newest);
    for (size_t age = first + 1; age < depth && age - first <= newest; age++)
        held &=
            EXPECT(t, FREEZE_LBR,
                   lbr_is_transfer(&entries[age], &seen.program->truth[newest + first - age]),
                   "entry %zu behind the newest is %pS -> %pS, not branch %zu of the program", age,
                   (void *)entries[age].from, (void *)entries[age].to, newest + first - age);
    return held;
}

static void check_frozen_stack(struct test_context *t, const struct freeze_trigger *trigger)
{
    bool held = stack_is_the_targets(t, trigger);

    held &= EXPECT(t, FREEZE_LBR,
                   __builtin_memcmp(&seen.lbr_in_routine, &seen.lbr_end, sizeof seen.lbr_end) == 0,
                   "the frozen LBR stack changed until the end of the program");
    if (!held)
        blame(t, THE_STACK, true);
}

/* Not frozen: the routine's own branches are the newest entries by now, or else the program's last.
 */
static void check_running_stack(struct test_context *t, const struct freeze_trigger *trigger)
{
    static struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t newest, last = seen.program->count - 1;

    lbr_entries_of(&seen.lbr_in_routine, entries);
    newest = position_of(&entries[0]);
    if (trigger->held_off &&
        !EXPECT_EQUAL(t, FREEZE_LBR, "newest entry's branch of the program", newest, last))
        blame(t, THE_STACK, false);
    if (!trigger->held_off &&
        !EXPECT(t, FREEZE_LBR, newest > last,
                "newest entry %pS -> %pS is the program's, although nothing freezes the stack",
                (void *)entries[0].from, (void *)entries[0].to))
        blame(t, THE_STACK, false);
}

static void check_stack(struct test_context *t, const struct freeze_trigger *trigger,
                        uint64_t frozen, bool tr_feeds)
{
    /* F2.8: LBR contents are undefined while TR is set on Core microarchitecture. */
    if (trigger->kind == TRIGGER_BTS && lbr_is_undefined_with_tr())
        return;
    /* D 9: TR goes on feeding the stack that a legacy freeze has cut off from LBR. */
    if (trigger->kind == TRIGGER_BTS && !lbr_is_streamlined() && frozen & LBRS && tr_feeds)
        return;
    if (frozen & LBRS)
        check_frozen_stack(t, trigger);
    else
        check_running_stack(t, trigger);
}

static bool expect_still(struct test_context *t, const struct counters_seen *a,
                         const struct counters_seen *b, const char *when)
{
    if (!counters_any_moved(a, b))
        return true;
    return test_find_as(
        t,
        &(struct finding){.kind = FINDING_FREEZE_COUNTERS,
                          .bare = true,
                          .under = counters_low_moved(a, b) ? 0 : UNDER(HIGH_COUNTER)},
        "a frozen counter moved %s", when);
}

static void check_counters(struct test_context *t, const struct freeze_trigger *trigger,
                           bool frozen)
{
    uint64_t since = pmu_read(trigger->counter);
    bool held;

    if (frozen) {
        held = expect_still(t, &seen.first_read, &seen.second_read, "inside the routine");
        held &=
            expect_still(t, &seen.second_read, &seen.counters_end, "until the end of the program");
        held &= EXPECT(t, FREEZE_COUNTERS,
                       !trigger->held_off || since < latest_freeze(2 * seen.period) - seen.period,
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

    if (!EXPECT(t, FREEZE_LBR, motion.lbr == lbr, "%s the LBR stack %s", when,
                motion.lbr ? "records" : "does not record"))
        blame(t, THE_STACK_THAWED, true);
    if (!EXPECT(t, FREEZE_COUNTERS, motion.counters == counters, "%s the counters %s", when,
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
    bool lbr_was_cleared = frozen & LBRS && !lbr_is_streamlined();
    bool counting = !(frozen & COUNTERS);

    if (lbr_was_cleared)
        check_lbr_can_be_set_again(t, bits);
    pmu_status_clear(pmu_all_counters());
    expect_motion(t, "with the overflow bits cleared alone",
                  lbr_was_cleared ? bits : bits | DEBUGCTL_LBR, !(frozen & LBRS), counting);
    if (lbr_is_streamlined())
        pmu_status_clear(PERF_GLOBAL_STATUS_LBR_FRZ);
    expect_motion(t, "after the step that thaws the LBR stack", bits | DEBUGCTL_LBR, true,
                  counting);
    if (is_streamlined())
        pmu_status_clear(PERF_GLOBAL_STATUS_CTR_FRZ);
    else
        pmu_set_global_control(pmu_all_counters());
    expect_motion(t, "after the step that thaws the counters", bits | DEBUGCTL_LBR, true, true);
}

/* Does a BTS interrupt freeze? D 1. Settled by the first setting that could freeze something. */
static bool bts_freezes(struct test_context *t, uint64_t bits)
{
    if (choice_of(CHOICE_BTS_FREEZES) == VALUE_UNKNOWN && bits)
        choice_learn(t, CHOICE_BTS_FREEZES, frozen_by_registers() ? VALUE_YES : VALUE_NO);
    return choice_of(CHOICE_BTS_FREEZES) == VALUE_YES;
}

static uint64_t expected_frozen(struct test_context *t, const struct freeze_trigger *trigger,
                                uint64_t bits)
{
    if (trigger->without_pmi)
        return 0;
    if (trigger->kind == TRIGGER_BTS && !bts_freezes(t, bits))
        return 0;
    return bits;
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
    expect_motion(t, "after an overflow without interrupt", bits | DEBUGCTL_LBR, true, true);
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
    if (trigger->kind == TRIGGER_COUNTER && bits & LBRS)
        learn_lbr_flavour(t);
    if (bits == (LBRS | COUNTERS))
        frozen_together = frozen_by_registers();
    frozen = expected_frozen(t, trigger, bits);
    check_registers(t, trigger, bits, frozen);
    check_overflow_bits(t, trigger);
    check_stack(t, trigger, frozen, tr_feeds);
    check_counters(t, trigger, frozen & COUNTERS);
    check_thaw(t, bits, frozen);
}
