/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/left_alone.h"

#include "arch/cpu/ground/msr.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "kernel/report/errata.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/choices/freeze_flavour.h"
#include "tests/spec/write_effect.h"

#define RECORDING      ((uint64_t)(DEBUGCTL_TR | DEBUGCTL_BTS))
#define FIRST_COUNTERS 0xfu /* bits of the counters that every thread has to itself */

/* Before the program, and behind its write: what one of them has on was on. */
struct states {
    struct facility first, last;
    uint64_t unreadable; /* counters of which it is not known what they count */
};

static bool is_traced(const struct facility *set)
{
    return (~set->debugctl & RECORDING) == 0;
}

/* The counters whose event selects read back wrong: an erratum of those behind the first four. */
static uint64_t unreadable(struct test_context *t)
{
    const struct finding finding = {.kind = FINDING_MSR_VALUE, .under = UNDER(HIGH_COUNTER)};
    uint64_t high = pmu_all_counters() & UINT32_MAX & ~(uint64_t)FIRST_COUNTERS;

    return high && errata_find(t->test, &finding) < ERRATA_MAX ? high : 0;
}

/* The counters that may count: enabled in a ring, and not frozen (F6.9, F7.5). */
static uint64_t counting_in(const struct facility *set, bool leaves_ring_0)
{
    uint64_t rings = PERFEVTSEL_OS | (leaves_ring_0 ? PERFEVTSEL_USR : 0);
    unsigned flags = COUNTER_OS | (leaves_ring_0 ? COUNTER_USR : 0);
    uint64_t enabled = feature_present(FEATURE_PERFMON2) ? set->control : ~0ull;
    uint64_t bits = 0;

    PMU_EACH_GENERAL(i)
        if (set->event_select[i] & PERFEVTSEL_EN && set->event_select[i] & rings)
            bits |= pmu_global_bit((struct counter){.number = i});
    for (unsigned i = 0; i < pmu_fixed_count(); i++)
        if (set->fixed_control & pmu_fixed_field(i, flags))
            bits |= pmu_global_bit((struct counter){.fixed = true, .number = i});
    return bits & enabled;
}

static uint64_t counting(const struct left_alone *run, const struct states *states)
{
    bool frozen = states->first.status & states->last.status & PERF_GLOBAL_STATUS_CTR_FRZ;

    if (frozen && !run->was_interrupted)
        return 0;
    return counting_in(&states->first, run->leaves_ring_0) |
           counting_in(&states->last, run->leaves_ring_0) |
           (states->unreadable & (states->first.control | states->last.control));
}

/* i: from 0 to PMU_COUNTERS_MAX. */
static struct counter counter_at(unsigned i)
{
    return (struct counter){.fixed = i >= PMU_GENERAL_MAX, .number = i % PMU_GENERAL_MAX};
}

/* Those of them that may overflow: no run has as many events as half of a counter holds. */
static uint64_t near_overflow(const struct facility *set, uint64_t counters)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < PMU_COUNTERS_MAX; i++) {
        struct counter counter = counter_at(i);

        if (pmu_global_bit(counter) & counters &&
            facility_counter(set, counter) > pmu_counter_mask(counter) / 2)
            bits |= pmu_global_bit(counter);
    }
    return bits;
}

/* May a record be stored? */
static bool is_on(const struct states *states)
{
    return is_traced(&states->first) || is_traced(&states->last) || states->first.pebs_enable ||
           states->last.pebs_enable;
}

/* Bits of the status that an overflow, a full buffer or a freeze may set. */
static uint64_t status_open(const struct left_alone *run, const struct states *states)
{
    uint64_t debugctl = states->first.debugctl | states->last.debugctl;
    uint64_t counters = counting(run, states);
    uint64_t open =
        near_overflow(&states->first, counters) | near_overflow(&states->last, counters);

    if (is_on(states))
        open |= PERF_GLOBAL_STATUS_OVF_BUF;
    if (open && debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI)
        open |= PERF_GLOBAL_STATUS_LBR_FRZ;
    if (open && debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        open |= PERF_GLOBAL_STATUS_CTR_FRZ;
    return run->was_interrupted ? ~0ull : open;
}

/* One that counts goes up; one that overflows may also be loaded with another value. */
static void open_counters(struct facility *expected, const struct facility *got, uint64_t counting,
                          uint64_t overflowing)
{
    for (unsigned i = 0; i < PMU_COUNTERS_MAX; i++) {
        struct counter counter = counter_at(i);
        uint64_t bit = pmu_global_bit(counter), now = facility_counter(got, counter);
        uint64_t *value =
            counter.fixed ? &expected->fixed[counter.number] : &expected->general[counter.number];

        if (counting & bit && (now > *value || overflowing & bit))
            *value = now;
    }
}

/* The legacy freeze clears LBR, and all enables (F7.2, F7.3, F7.13). */
static void open_frozen(struct facility *expected, const struct facility *got, bool asks)
{
    if (!asks)
        return;
    if (expected->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI && !freeze_is_streamlined() &&
        !got->control)
        expected->control = 0;
    if (expected->debugctl & DEBUGCTL_FREEZE_LBRS_ON_PMI &&
        freeze_lbr_flavour() != VALUE_STREAMLINED)
        expected->debugctl &= got->debugctl | ~freeze_may_clear(expected->debugctl);
}

/* What RSM may leave otherwise: TR and BTS with FREEZE_WHILE_SMM clear (F10.2), the enables with it
 * set (D 14). */
static void resume(struct facility *last, const struct facility *got)
{
    bool freezes = last->debugctl & DEBUGCTL_FREEZE_WHILE_SMM;

    if (!freezes && choice_of(CHOICE_SMI_RECORDING) != VALUE_GOES_ON)
        last->debugctl &= got->debugctl | ~RECORDING;
    if (freezes && choice_of(CHOICE_RSM_ENABLES) != VALUE_RESTORED &&
        !(pmu_all_counters() & ~got->control))
        last->control = got->control;
}

static struct states states_of(struct test_context *t, const struct left_alone *run)
{
    struct states states = {run->before.registers, run->before.registers, unreadable(t)};

    if (run->writes)
        write_effect(&states.last, &run->write);
    if (run->has_debug_exception) /* it clears both: F9.5 */
        states.last.debugctl &= ~(uint64_t)(DEBUGCTL_LBR | DEBUGCTL_BTF);
    if (run->may_have_smi)
        resume(&states.last, &run->after.registers);
    return states;
}

/* What may have changed is as it is found. */
static struct facility expected_of_run(const struct left_alone *run, const struct states *states)
{
    const struct facility *got = &run->after.registers;
    struct facility expected = states->last;
    uint64_t counters = counting(run, states), open = status_open(run, states);

    open_frozen(&expected, got, open);
    expected.status = (expected.status & ~open) | (got->status & open);
    if (open)
        expected.lvt = got->lvt;
    open_counters(&expected, got, counters, open);
    return expected;
}

/* The two indices are the processor's; the routine of the interrupt writes them too. */
static void check_area(struct test_context *t, const struct left_alone *run, bool is_on)
{
    struct ds_management_area expected = run->before.area;
    const struct ds_management_area *got = &run->after.area;

    if (is_on || run->was_interrupted) {
        expected.bts_index = got->bts_index;
        expected.pebs_index = got->pebs_index;
    }
    if (run->is_area_open || __builtin_memcmp(got, &expected, sizeof expected) == 0)
        return;
    FIND(t, STRAY_WRITE, "the buffer management area changed, though %s",
         is_on ? "only an index may" : "nothing was on");
    test_breaks(t, "DS-8");
}

static void check_stack(struct test_context *t, const struct left_alone *run,
                        const struct states *states)
{
    uint64_t debugctl = states->first.debugctl | states->last.debugctl;

    if (debugctl & (DEBUGCTL_LBR | DEBUGCTL_TR) || run->may_lose_stack ||
        run->before.stack == run->after.stack)
        return;
    FIND(t, LBR_EXTRA, "the LBR stack changed although LBR and TR are clear");
    test_breaks(t, "LBR-1");
}

static bool expect_same(struct test_context *t, enum finding_kind kind, const char *where,
                        uint64_t got, uint64_t before)
{
    const struct finding finding = {.kind = kind, .where = where, .expected = before, .got = got};

    return got == before ||
           test_find_as(t, &finding, "%s went from %#lx to %#lx", where, before, got);
}

/* It changes by exceptions and interrupts alone (F8.30). */
static void check_last_exception(struct test_context *t, const struct left_alone *run)
{
    const struct ler *before = &run->before.last_exception, *after = &run->after.last_exception;
    const char *where = "the last-exception record";
    bool held;

    if (run->has_event || run->was_interrupted || run->may_have_smi || run->may_lose_stack)
        return;
    held = expect_same(t, FINDING_LER_FROM, where, after->from, before->from);
    held &= expect_same(t, FINDING_LER_TO, where, after->to, before->to);
    if (!held)
        test_breaks(t, "LER-1");
}

static void check_misc_enable(struct test_context *t, const struct left_alone *run)
{
    if (run->may_have_smi || (run->writes && run->write.number == IA32_MISC_ENABLE))
        return;
    if (!expect_same(t, FINDING_MSR_VALUE, "IA32_MISC_ENABLE", run->after.misc_enable,
                     run->before.misc_enable))
        test_breaks(t, "DS-2");
}

void left_alone_check(struct test_context *t, const struct left_alone *run)
{
    const struct states states = states_of(t, run);
    const struct facility expected = expected_of_run(run, &states);

    if (__builtin_memcmp(&run->after.registers, &expected, sizeof expected) != 0)
        facility_expect(t, &run->after.registers, &expected);
    check_area(t, run, is_on(&states));
    check_stack(t, run, &states);
    check_last_exception(t, run);
    check_misc_enable(t, run);
}
