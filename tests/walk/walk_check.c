/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/walk_check.h"

#include "arch/trace/debugctl.h"
#include "tests/run/counting.h"
#include "tests/spec/facility_check.h"
#include "tests/spec/mode.h"

#define FROZEN (PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ)

void walk_breaks_unless(struct walk_judge *j, bool held, const char *claim)
{
    if (!held)
        test_breaks(j->t, claim);
}

const char *walk_freeze_claim(const struct reference *r, bool lbr)
{
    if (lbr)
        return r->lbr_streamlined == NO ? "FRZ-2" : "FRZ-5";
    return r->streamlined ? "FRZ-8" : "FRZ-6";
}

/* --- registers --- */

/* Behind the finding of a freeze that nothing asked for: by a counter that must not interrupt? */
static void blame_silent_overflow(struct walk_judge *j)
{
    for (unsigned i = 0; i < j->reference.counter_count; i++) {
        const struct reference_counter *c = &j->reference.counters[i];

        if (c->flags && !(c->flags & COUNTER_PMI) && c->wrapped_high)
            test_breaks(j->t, c->counter.fixed ? "FRZ-10" : "FRZ-9");
    }
}

static void check_debugctl(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t got = j->job.seen.debugctl, expected = r->debugctl;

    if (r->lbr_cleared == YES || (r->lbr_cleared == MAYBE && !(got & DEBUGCTL_LBR)))
        expected &= ~(uint64_t)DEBUGCTL_LBR;
    if (got != expected) {
        test_find_as(j->t,
                     &(struct finding){.kind = FINDING_MSR_VALUE,
                                       .where = "IA32_DEBUGCTL",
                                       .expected = expected,
                                       .got = got,
                                       .under = r->lbr_cleared == YES ? UNDER(FREEZE_LBRS) : 0},
                     "IA32_DEBUGCTL is 0x%lx, not 0x%lx", got, expected);
        test_breaks(j->t, (got ^ expected) & DEBUGCTL_LBR ? walk_freeze_claim(r, true)
                                                          : mode_row_of(expected)->claim);
    }
    if (expected & ~got & DEBUGCTL_LBR)
        blame_silent_overflow(j);
}

static void check_control(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t got = j->job.seen.control;

    if (!r->has_global || (r->control_cleared == MAYBE && got == 0))
        return;
    walk_breaks_unless(j,
                       EXPECT_EQUAL(j->t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL", got,
                                    r->control_cleared == YES ? 0 : r->control),
                       walk_freeze_claim(r, false));
    if (!got && r->control && r->control_cleared == NO)
        blame_silent_overflow(j);
}

/* What errata speak of beside a counter. */
static unsigned circumstances(const struct reference *r, const struct reference_counter *c)
{
    unsigned under = counting_circumstances(c->counter), rings = COUNTER_OS | COUNTER_USR;

    if (c->event == PMU_INSTRUCTIONS)
        under |= UNDER(INSTRUCTIONS);
    if ((c->flags & rings) != rings)
        under |= UNDER(FILTERED);
    if (r->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        under |= UNDER(FREEZE_COUNTERS);
    return under;
}

unsigned walk_circumstances(const struct reference *r, uint64_t status)
{
    unsigned under = 0, several = 0;

    for (unsigned i = 0; i < r->counter_count; i++) {
        const struct reference_counter *c = &r->counters[i];
        bool wrapped = (status | r->status | r->status_open) & pmu_global_bit(c->counter);

        if (wrapped && c->flags & COUNTER_PMI && several++)
            under |= UNDER(SEVERAL);
        if (wrapped && c->flags & COUNTER_PMI)
            under |= circumstances(r, c);
    }
    return under;
}

static void check_overflow_bit(struct walk_judge *j, const struct reference_counter *c)
{
    const struct reference *r = &j->reference;
    uint64_t bit = pmu_global_bit(c->counter), got = j->job.seen.off.registers.status & bit;
    char name[16];

    if (r->status_open & bit || got == (r->status & bit))
        return;
    pmu_counter_name(c->counter, name, sizeof name);
    test_find_as(j->t,
                 &(struct finding){.kind = got ? FINDING_OVERFLOW_EXTRA : FINDING_OVERFLOW_MISSING,
                                   .expected = r->status & bit,
                                   .got = got,
                                   .under = circumstances(r, c)},
                 "overflow bit of %s in IA32_PERF_GLOBAL_STATUS %s", name,
                 got ? "is set" : "is clear");
    test_breaks(j->t, "ISR-3");
}

/* The freeze bits, and what the burst found set before its end; overflow bits are checked one by
 * one, and others may be set (D 15). */
static uint64_t status_of(const struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t judged = pmu_status_mask() & FROZEN & ~r->status_open;

    return (j->job.seen.off.registers.status & ~judged) | (r->status & judged) | j->job.seen.status;
}

static void expect_counter(struct facility *expected, const struct reference_counter *c,
                           const struct facility *got)
{
    unsigned number = c->counter.number;

    if (c->counter.fixed) {
        expected->fixed[number] = got->fixed[number];
        expected->fixed_control &= ~pmu_fixed_field_mask(number);
        expected->fixed_control |= pmu_fixed_field(number, c->flags);
    } else {
        expected->general[number] = got->general[number];
        expected->event_select[number] = c->flags ? pmu_event_select(c->event, c->flags) : 0;
    }
}

/* While all is off. What a walk does not write is as it was. */
static struct facility expected_off(const struct walk_judge *j)
{
    const struct facility *got = &j->job.seen.off.registers;
    const struct reference *r = &j->reference;
    struct facility expected = j->off.registers;

    expected.debugctl = expected.control = 0;
    expected.ds_area = j->job.area_address[r->area];
    expected.select = r->select;
    expected.pebs_enable = r->pebs_enable;
    expected.status = status_of(j);
    expected.lvt = (expected.lvt & ~APIC_LVT_MASKED) | (got->lvt & APIC_LVT_MASKED);
    for (unsigned i = 0; i < r->counter_count; i++)
        expect_counter(&expected, &r->counters[i], got);
    return expected;
}

static void check_registers(struct walk_judge *j)
{
    const struct facility expected = expected_off(j), *got = &j->job.seen.off.registers;

    for (unsigned i = 0; i < j->reference.counter_count; i++)
        check_overflow_bit(j, &j->reference.counters[i]);
    walk_breaks_unless(j,
                       EXPECT_EQUAL(j->t, MSR_VALUE, "IA32_MISC_ENABLE",
                                    j->job.seen.off.misc_enable, j->off.misc_enable),
                       "DS-2");
    facility_expect(j->t, got, &expected);
    if (__builtin_memcmp(got->event_select, expected.event_select, sizeof got->event_select) != 0)
        test_breaks(j->t, "FRZ-9");
    if (got->fixed_control != expected.fixed_control)
        test_breaks(j->t, "FRZ-10");
    if (got->status & ~expected.status)
        blame_silent_overflow(j);
}

/* --- the interrupt --- */

static void check_interrupt(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    const struct walk_seen *seen = &j->job.seen;

    if (r->pending != MAYBE && (r->pending == YES) != seen->pending) {
        test_find_as(
            j->t,
            &(struct finding){.kind = seen->pending ? FINDING_PMI_EXTRA : FINDING_PMI_MISSING,
                              .expected = r->pending == YES,
                              .got = seen->pending,
                              .under = walk_circumstances(r, seen->off.registers.status)},
            seen->pending ? "an interrupt is pending that nothing asked for"
                          : "no interrupt is pending, though one was asked for");
        test_breaks(j->t, seen->pending ? "BTS-4" : "BTS-5");
    }
    if (r->lvt_masked != MAYBE && r->pending != MAYBE)
        walk_breaks_unless(j,
                           EXPECT_EQUAL(j->t, PMI_LVT, "mask bit of the LVT performance entry",
                                        (seen->off.registers.lvt & APIC_LVT_MASKED) != 0,
                                        r->lvt_masked == YES),
                           "BTS-5");
}

/* --- counters --- */

/* One that goes on although it is frozen is another kind of finding. */
static enum finding_kind kind_of_count(const struct reference *r, bool high)
{
    bool frozen = r->counters_frozen != NO || r->control_cleared != NO;

    if (high)
        return frozen ? FINDING_FREEZE_COUNTERS : FINDING_COUNT_HIGH;
    return FINDING_COUNT_LOW;
}

static void check_counter(struct walk_judge *j, unsigned number)
{
    const struct reference *r = &j->reference;
    const struct reference_counter *c = &r->counters[number];
    uint64_t mask = pmu_counter_mask(c->counter), start = j->start[number];
    uint64_t counted = (facility_counter(&j->job.seen.off.registers, c->counter) - start) & mask;
    uint64_t low = c->low - start, high = c->high - start;
    char name[16];

    low = low > COUNT_SLACK ? low - COUNT_SLACK : 0;
    high = high ? high + COUNT_SLACK : 0;
    test_compared(j->t, 1);
    if (counted >= low && counted <= high)
        return;
    pmu_counter_name(c->counter, name, sizeof name);
    test_find_as(j->t,
                 &(struct finding){.kind = kind_of_count(r, counted > high),
                                   .expected = counted > high ? high : low,
                                   .got = counted,
                                   .under = circumstances(r, c)},
                 "%s counted %lu, expected %lu to %lu", name, counted, low, high);
    test_breaks(j->t, kind_of_count(r, counted > high) == FINDING_FREEZE_COUNTERS
                          ? walk_freeze_claim(r, false)
                      : c->counter.fixed ? "FRZ-10"
                                         : "FRZ-9");
}

static void check_counters(struct walk_judge *j)
{
    if (!j->job.seen.smi)
        for (unsigned i = 0; i < j->reference.counter_count; i++)
            check_counter(j, i);
}

/* --- all of it --- */

static void adopt(struct walk_judge *j, bool burst)
{
    struct reference *r = &j->reference;
    const struct walk_seen *seen = &j->job.seen;
    const struct facility *now = &seen->off.registers;

    if (burst) {
        r->debugctl = seen->debugctl;
        r->control = r->has_global ? seen->control : 0;
    }
    r->status = now->status;
    r->pending = seen->pending ? YES : NO;
    r->unmasked_while_pending &= seen->pending;
    r->lvt_masked = now->lvt & APIC_LVT_MASKED ? YES : NO;
    for (unsigned i = 0; i < r->counter_count; i++) {
        j->start[i] = facility_counter(now, r->counters[i].counter);
        r->counters[i].low = r->counters[i].high = j->start[i];
    }
    j->lbr = seen->lbr;
    j->off = seen->off;
}

void walk_check(struct walk_judge *judge, bool burst)
{
    if (burst) {
        check_debugctl(judge);
        check_control(judge);
    }
    check_registers(judge);
    check_interrupt(judge);
    check_counters(judge);
    walk_check_lbr(judge);
    walk_check_store(judge);
    adopt(judge, burst);
}
