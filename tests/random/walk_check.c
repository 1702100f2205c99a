/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/walk_check.h"

#include "arch/cpu/features.h"
#include "arch/trace/debugctl.h"
#include "tests/oracle/choices.h"
#include "tests/oracle/compare.h"
#include "tests/oracle/compare_lbr.h"
#include "tests/oracle/lbr_check.h"
#include "tests/oracle/lbr_filter.h"
#include "tests/oracle/mode.h"
#include "tests/run/counting.h"

#define FROZEN (PERF_GLOBAL_STATUS_LBR_FRZ | PERF_GLOBAL_STATUS_CTR_FRZ)

static void breaks_unless(struct walk_judge *j, bool held, const char *claim)
{
    if (!held)
        test_breaks(j->t, claim);
}

static const char *freeze_claim(const struct reference *r, bool lbr)
{
    if (lbr)
        return r->lbr_streamlined == NO ? "FRZ-2" : "FRZ-5";
    return r->streamlined ? "FRZ-8" : "FRZ-6";
}

/* --- registers --- */

static void check_value(struct walk_judge *j, const char *what, uint64_t got, uint64_t expected,
                        const char *claim)
{
    breaks_unless(j, EXPECT_EQUAL(j->t, MSR_VALUE, what, got, expected), claim);
}

static void check_debugctl(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t got = j->job.seen.debugctl, expected = r->debugctl;

    bool in_doubt = r->lbr_cleared == MAYBE || (r->freeze_in_doubt && r->lbr_streamlined != YES);

    if (r->lbr_cleared == YES)
        expected &= ~(uint64_t)DEBUGCTL_LBR;
    if (in_doubt && expected & DEBUGCTL_LBR)
        expected = (expected & ~(uint64_t)DEBUGCTL_LBR) | (got & DEBUGCTL_LBR);
    check_value(j, "IA32_DEBUGCTL", got, expected,
                (got ^ expected) & DEBUGCTL_LBR ? freeze_claim(r, true)
                                                : mode_row_of(expected)->claim);
}

static void check_control(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t got = j->job.seen.control;

    bool in_doubt = r->control_cleared == MAYBE || (r->freeze_in_doubt && !r->streamlined);

    if (!r->has_global || (in_doubt && got == 0))
        return;
    check_value(j, "IA32_PERF_GLOBAL_CTRL", got, r->control_cleared == YES ? 0 : r->control,
                freeze_claim(r, false));
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
    uint64_t bit = pmu_global_bit(c->counter), got = j->job.seen.status & bit;
    char name[16];

    if (r->status_open & bit || got == (r->status & bit) || (!got && r->freeze_in_doubt))
        return; /* what is frozen does not wrap */
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

static void check_status(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t frozen = r->freeze_in_doubt ? 0 : FROZEN;
    uint64_t mask = pmu_status_mask() & frozen & ~r->status_open;
    uint64_t got = j->job.seen.status & mask, expected = r->status & mask;

    for (unsigned i = 0; i < r->counter_count; i++)
        check_overflow_bit(j, &r->counters[i]);
    if (r->has_global)
        check_value(j, "LBR_Frz and CTR_Frz", got, expected,
                    freeze_claim(r, (got ^ expected) & PERF_GLOBAL_STATUS_LBR_FRZ));
}

static void check_event_select(struct walk_judge *j, unsigned number)
{
    const struct reference_counter *c = &j->reference.counters[number];
    uint64_t got = j->job.seen.event_select[number];
    uint64_t expected = c->flags ? pmu_event_select(c->event, c->flags) : 0;

    if (got == expected)
        return;
    test_find_as(j->t,
                 &(struct finding){.kind = FINDING_MSR_VALUE,
                                   .expected = expected,
                                   .got = got,
                                   .under = circumstances(&j->reference, c)},
                 "IA32_PERFEVTSEL%u is 0x%lx, not 0x%lx", c->counter.number, got, expected);
    test_breaks(j->t, "FRZ-9");
}

static void check_fixed_registers(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    const struct walk_seen *seen = &j->job.seen;
    uint64_t fixed = 0;

    EXPECT_EQUAL(j->t, MSR_VALUE, "IA32_DEBUGCTL after 0 was written", seen->debugctl_off, 0);
    check_value(j, "IA32_DS_AREA", seen->ds_area, j->job.area_address[r->area], "DS-1");
    if (feature_present(FEATURE_LBR_SELECT))
        check_value(j, "MSR_LBR_SELECT", seen->select, r->select, "LBR-1");
    if (feature_present(FEATURE_PEBS))
        check_value(j, "IA32_PEBS_ENABLE", seen->pebs_enable, r->pebs_enable, "ISR-5");
    for (unsigned i = 0; i < r->counter_count; i++) {
        const struct reference_counter *c = &r->counters[i];

        if (c->counter.fixed)
            fixed |= c->flags ? pmu_fixed_field(c->counter.number, c->flags) : 0;
        else
            check_event_select(j, i);
    }
    if (!r->counter_count)
        return;
    EXPECT_EQUAL(j->t, MSR_VALUE, "IA32_PERF_GLOBAL_CTRL after 0 was written", seen->control_off,
                 0);
    check_value(j, "IA32_FIXED_CTR_CTRL", seen->fixed_control, fixed, "FRZ-10");
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
                              .under = walk_circumstances(r, seen->status)},
            seen->pending ? "an interrupt is pending that nothing asked for"
                          : "no interrupt is pending, though one was asked for");
        test_breaks(j->t, seen->pending ? "BTS-4" : "BTS-5");
    }
    if (r->lvt_masked != MAYBE && r->pending != MAYBE)
        breaks_unless(j,
                      EXPECT_EQUAL(j->t, PMI_LVT, "mask bit of the LVT performance entry",
                                   seen->lvt_masked, r->lvt_masked == YES),
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
    uint64_t counted = (j->job.seen.value[number] - start) & mask;
    uint64_t low = r->freeze_in_doubt ? 0 : c->low - start, high = c->high - start;
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
                          ? freeze_claim(r, false)
                      : c->counter.fixed ? "FRZ-10"
                                         : "FRZ-9");
}

static void check_counters(struct walk_judge *j)
{
    if (!j->job.seen.smi)
        for (unsigned i = 0; i < j->reference.counter_count; i++)
            check_counter(j, i);
}

/* --- the stack of last branches --- */

static struct transfer lbr_truth[REFERENCE_TRANSFERS_MAX];

static bool passes_select(const struct reference *r, const struct transfer *transfer)
{
    uint64_t open_bit;

    return lbr_filter_judge(r->select, transfer, &open_bit) == LBR_RECORDS;
}

static bool is_open(const struct reference *r, const struct transfer *transfer)
{
    uint64_t open_bit;

    return lbr_filter_judge(r->select, transfer, &open_bit) == LBR_OPEN;
}

static bool is_entry(const struct lbr_entry *entry, const struct transfer *transfer)
{
    uint64_t mask = entry->upper_half_absent ? UINT32_MAX : UINT64_MAX;
    bool from = entry->from == (transfer->from & mask) ||
                (transfer->from_next && entry->from == (transfer->from_next & mask));

    return from && entry->to == (transfer->to & mask);
}

/* Would the newest of these have left the top of stack and the newest entry that are there? */
static bool explains(const struct reference *r, const struct lbr_result *result, size_t count)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&result->after, entries), recorded = 0, newest = 0;

    for (size_t i = 0; i < count; i++)
        if (passes_select(r, &lbr_truth[i])) {
            newest = i;
            recorded++;
        }
    if ((result->before.top_of_stack + recorded - result->after.top_of_stack) % depth)
        return false;
    return !recorded || is_entry(&entries[0], &lbr_truth[newest]);
}

/* Where a freeze may have come anywhere, it came where the top of stack says. False: nowhere. */
static bool find_freeze(const struct reference *r, const struct lbr_result *result, size_t surely,
                        size_t *count)
{
    while (!explains(r, result, *count))
        if (--*count < surely || *count == SIZE_MAX)
            return false;
    return true;
}

enum truth { TRUTH_UNKNOWN, TRUTH_KNOWN, TRUTH_BY_FREEZE, TRUTH_CONTRADICTED };

/* The transfers that the stack must hold, in order; with a freeze on the way, as many of them as
 * explain what is there. */
static enum truth find_truth(const struct reference *r, const struct lbr_result *result,
                             size_t *count)
{
    size_t surely = 0;

    *count = 0;
    for (size_t i = 0; i < r->event_count; i++) {
        if (r->events[i].in_lbr == NO)
            continue;
        if (r->events[i].in_lbr == YES && *count > surely)
            return TRUTH_UNKNOWN;
        if (is_open(r, &r->events[i].transfer))
            return TRUTH_UNKNOWN;
        lbr_truth[(*count)++] = r->events[i].transfer;
        surely += r->events[i].in_lbr == YES;
    }
    if (*count == surely)
        return TRUTH_KNOWN;
    return find_freeze(r, result, surely, count) ? TRUTH_BY_FREEZE : TRUTH_CONTRADICTED;
}

/* The transfer behind that of the newest entry but one: what the newest should be. */
static const struct transfer *expected_newest(const struct lbr_entry *before)
{
    size_t i = 0;

    while (i + 1 < REFERENCE_TRANSFERS_MAX && !is_entry(before, &lbr_truth[i]))
        i++;
    return i + 1 < REFERENCE_TRANSFERS_MAX ? &lbr_truth[i + 1] : &lbr_truth[0];
}

/* The stack of an interrupt that freezes it is none of its past states (FRZ-2, FRZ-5). */
static void find_not_frozen(struct walk_judge *j, const struct lbr_snapshot *after)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    const struct transfer *newest;
    bool twice;

    lbr_entries_of(after, entries);
    newest = expected_newest(&entries[1]);
    twice = entries[0].from == entries[1].from && entries[0].to == entries[1].to;
    test_find_as(j->t,
                 &(struct finding){.kind = FINDING_FREEZE_LBR,
                                   .where = "newest entry",
                                   .expected = newest->from,
                                   .expected_to = newest->to,
                                   .got = entries[0].from,
                                   .got_to = entries[0].to,
                                   .previous = entries[1].from,
                                   .under = UNDER(FREEZE_LBRS) | (twice ? UNDER(TWICE) : 0)},
                 "newest entry %pS -> %pS is not where an interrupt can have frozen the stack",
                 (void *)entries[0].from, (void *)entries[0].to);
    test_breaks(j->t, freeze_claim(&j->reference, true));
}

static void check_lbr_kept(struct walk_judge *j, const struct lbr_result *result)
{
    const struct reference *r = &j->reference;
    bool frozen = r->lbr_frozen == YES || r->lbr_cleared == YES;

    if (lbr_same(&result->before, &result->after))
        return;
    test_find_as(j->t,
                 &(struct finding){.kind = frozen ? FINDING_FREEZE_LBR : FINDING_LBR_EXTRA,
                                   .bare = true,
                                   .under = frozen ? UNDER(FREEZE_LBRS) : 0},
                 "the LBR stack has changed, top of stack %lu before, %lu now",
                 result->before.top_of_stack, result->after.top_of_stack);
    test_breaks(j->t, frozen ? freeze_claim(r, true) : "LBR-1");
}

static void check_lbr(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    struct lbr_result result = {.before = j->lbr, .after = j->job.seen.lbr};
    enum truth known;
    size_t count;

    if (!lbr_depth() || r->lbr_unknown)
        return;
    known = find_truth(r, &result, &count);
    if (known == TRUTH_CONTRADICTED)
        find_not_frozen(j, &result.after);
    else if (known != TRUTH_UNKNOWN && count)
        breaks_unless(j, lbr_compare(j->t, lbr_truth, count, r->select, &result), "LBR-1");
    else if (known != TRUTH_UNKNOWN)
        check_lbr_kept(j, &result);
}

/* --- the branch trace store --- */

static struct expected expected;
static struct bts_record got[EXPECTED_MAX];

#define SLOTS (WALK_BUFFER_BYTES / BTS_RECORD_SIZE + 1)

/* The last event that was stored in each slot. */
static size_t last_in[SLOTS];

static size_t *last_in_slot_of(const struct reference *r, const struct reference_event *event)
{
    return &last_in[(event->place - r->areas[r->area].base) / BTS_RECORD_SIZE % SLOTS];
}

static bool crosses(const struct reference_event *event)
{
    return (event->transfer.from_ring == 0) != (event->transfer.to_ring == 0);
}

/* What must lie in the buffer, in time order, and what does; both as they stand in known memory
 * from then on. */
static size_t collect_records(struct walk_judge *j)
{
    const struct reference *r = &j->reference;
    uint64_t memory = (uint64_t)j->job.zones;
    size_t count = 0;

    for (size_t i = 0; i < r->event_count; i++)
        if (r->events[i].stored == YES)
            *last_in_slot_of(r, &r->events[i]) = i;
    for (size_t i = 0; i < r->event_count; i++) {
        const struct reference_event *event = &r->events[i];

        if (event->stored != YES || *last_in_slot_of(r, event) != i)
            continue;
        expected.records[count] = (struct expected_record){
            .transfer = event->transfer,
            .under =
                expected_under(event->debugctl, &event->transfer, i && crosses(&r->events[i - 1])),
        };
        got[count++] = *(const struct bts_record *)event->place;
        __builtin_memcpy((uint8_t *)j->zones + (event->place - memory), (const void *)event->place,
                         BTS_RECORD_SIZE);
    }
    expected.count = count;
    return count;
}

static struct ds_management_area *known_area(struct walk_judge *j, unsigned number)
{
    uint64_t offset = j->job.area_address[number] - (uint64_t)j->job.zones;

    return (struct ds_management_area *)((uint8_t *)j->zones + offset);
}

static void check_index(struct walk_judge *j)
{
    const struct reference_area *area = &j->reference.areas[j->reference.area];
    struct ds_management_area *known = known_area(j, j->reference.area);
    const volatile struct ds_management_area *now =
        (const volatile struct ds_management_area *)j->job.area_address[j->reference.area];

    known->bts_index = now->bts_index;
    breaks_unless(j,
                  EXPECT_EQUAL(j->t, INDEX, "BTS index, in bytes from the base",
                               now->bts_index - area->base, area->index - area->base),
                  mode_row_of(j->reference.debugctl)->claim);
}

/* Nothing but the records and the index has changed. */
static void check_memory(struct walk_judge *j)
{
    const uint8_t *now = (const uint8_t *)j->job.zones, *before = (const uint8_t *)j->zones;

    for (size_t i = 0; i < sizeof j->zones; i++)
        if (now[i] != before[i]) {
            FIND(j->t, STRAY_WRITE, "byte %zu of area %zu or its buffer was written to",
                 i % sizeof(struct walk_zone), i / sizeof(struct walk_zone));
            test_breaks(j->t, "BTS-8");
            return;
        }
}

static void adopt_memory(struct walk_judge *j)
{
    __builtin_memcpy(j->zones, j->job.zones, sizeof j->zones);
    j->reference.areas[j->reference.area].index = known_area(j, j->reference.area)->bts_index;
}

static void check_store(struct walk_judge *j)
{
    struct reference *r = &j->reference;
    size_t count;

    if (r->bts_unknown) {
        adopt_memory(j);
        return;
    }
    count = collect_records(j);
    if (count)
        breaks_unless(j, compare_records(j->t, &expected, r->debugctl, got, count),
                      mode_row_of(r->debugctl)->claim);
    check_index(j);
    if (__builtin_memcmp(j->zones, j->job.zones, sizeof j->zones) != 0)
        check_memory(j);
    adopt_memory(j);
}

/* --- all of it --- */

static void adopt(struct walk_judge *j, bool burst)
{
    struct reference *r = &j->reference;
    const struct walk_seen *seen = &j->job.seen;

    if (burst) {
        r->debugctl = seen->debugctl;
        r->control = r->has_global ? seen->control : 0;
    }
    r->status = seen->status;
    r->pending = seen->pending ? YES : NO;
    r->unmasked_while_pending &= seen->pending;
    r->lvt_masked = seen->lvt_masked ? YES : NO;
    for (unsigned i = 0; i < r->counter_count; i++) {
        j->start[i] = seen->value[i];
        r->counters[i].low = r->counters[i].high = seen->value[i];
    }
    j->lbr = seen->lbr;
}

void walk_check(struct walk_judge *judge, bool burst)
{
    if (burst) {
        check_debugctl(judge);
        check_control(judge);
    }
    check_status(judge);
    check_fixed_registers(judge);
    check_interrupt(judge);
    check_counters(judge);
    check_lbr(judge);
    check_store(judge);
    adopt(judge, burst);
}
