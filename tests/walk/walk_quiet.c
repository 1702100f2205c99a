/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/walk/walk_quiet.h"

#include "arch/cpu/identity/features.h"
#include "arch/trace/pebs.h"

/* Everything of an area and its buffer is poison, but the fields. No record of sampling has room:
 * index and maximum are the same (F3.65). */
void walk_quiet_lay_out(struct walk_judge *j, const struct walk_step *s)
{
    unsigned number = s->number[0] % REFERENCE_AREAS;
    struct store *area = &j->reference.areas[number];
    struct walk_zone *zone = &j->job.zones[number];
    uint64_t records = 1 + s->number[1] % WALK_RECORDS; /* one, and a byte, at least: F3.24 */

    __builtin_memset(zone, 0xa5, sizeof *zone);
    j->job.area_address[number] = (uint64_t)zone->area + s->number[3] * sizeof(uint64_t);
    area->base = (uint64_t)zone->buffer + s->number[3] % 16 * sizeof(uint32_t);
    area->maximum = area->base + records * BTS_RECORD_SIZE + s->number[2] % BTS_RECORD_SIZE;
    if (area->maximum < area->base + BTS_RECORD_SIZE + 1)
        area->maximum = area->base + BTS_RECORD_SIZE + 1;
    area->index = area->base + s->number[4] % records * BTS_RECORD_SIZE;
    area->threshold = area->base + s->value;
    area->reached = false;
    *(struct ds_management_area *)j->job.area_address[number] = (struct ds_management_area){
        .bts_buffer_base = area->base,
        .bts_index = area->index,
        .bts_absolute_maximum = area->maximum,
        .bts_interrupt_threshold = area->threshold,
        .pebs_buffer_base = (uint64_t)zone->buffer,
        .pebs_index = (uint64_t)zone->buffer,
        .pebs_absolute_maximum = (uint64_t)zone->buffer,
        .pebs_interrupt_threshold = (uint64_t)zone->buffer + sizeof zone->buffer,
    };
}

static void set_index(struct walk_judge *j, uint32_t records)
{
    struct store *area = &j->reference.areas[j->reference.area];
    uint64_t room = (area->maximum - area->base) / BTS_RECORD_SIZE;

    area->index = area->base + records % (room ? room : 1) * BTS_RECORD_SIZE;
    area->reached = false;
    walk_area(&j->job)->bts_index = area->index;
}

static void set_threshold(struct walk_judge *j, uint64_t bytes)
{
    struct store *area = &j->reference.areas[j->reference.area];

    area->threshold = area->index + bytes;
    area->reached = false;
    walk_area(&j->job)->bts_interrupt_threshold = area->threshold;
}

static enum pmu_event event_of(struct counter counter, uint32_t number)
{
    if (counter.fixed)
        return pmu_fixed_event(counter.number);
    return number && pmu_event_available(PMU_BRANCHES) ? PMU_BRANCHES : PMU_INSTRUCTIONS;
}

/* Without full-width writes a value is 32 bits, sign-extended (F6.22). */
static uint64_t start_value(struct counter counter, uint64_t distance)
{
    if (!counter.fixed && !feature_present(FEATURE_FULL_WIDTH_WRITES))
        distance &= INT32_MAX;
    return -distance & pmu_counter_mask(counter);
}

static void set_counter(struct walk_judge *j, const struct walk_step *s, unsigned number)
{
    struct reference *r = &j->reference;
    struct reference_counter *c = &r->counters[number];

    c->event = event_of(c->counter, s->number[1]);
    c->flags = c->event < PMU_EVENT_COUNT ? s->number[2] : 0;
    if (!(c->flags & (COUNTER_OS | COUNTER_USR)))
        c->flags = 0;
    c->low = c->high = j->start[number] = start_value(c->counter, s->value);
    r->pebs_enable &= ~pmu_global_bit(c->counter);
}

/* One, or two alike, which wrap at the same event. */
static void set_counters(struct walk_judge *j, const struct walk_step *s)
{
    unsigned count = j->reference.counter_count;

    if (!count)
        return;
    set_counter(j, s, s->number[0] % count);
    if (s->number[3])
        set_counter(j, s, s->number[3] % count);
}

/* Of counters that count nothing: what the others store is not this walk's business. */
static uint64_t pebs_of(const struct reference *r, uint64_t value)
{
    value = feature_present(FEATURE_PEBS) ? value & pebs_counters() : 0;
    for (unsigned i = 0; i < r->counter_count; i++)
        if (r->counters[i].flags)
            value &= ~pmu_global_bit(r->counters[i].counter);
    return value;
}

static void tell_quiet_step(struct walk_judge *j, const struct walk_step *s)
{
    struct reference *r = &j->reference;

    switch (s->kind) {
    case WALK_LAYOUT:
        walk_quiet_lay_out(j, s);
        break;
    case WALK_AREA:
        r->area ^= 1;
        break;
    case WALK_INDEX:
        set_index(j, s->number[0]);
        break;
    case WALK_THRESHOLD:
        set_threshold(j, s->value);
        break;
    case WALK_SELECT:
        r->select = feature_present(FEATURE_LBR_SELECT) ? s->value : 0;
        break;
    case WALK_COUNTER:
        set_counters(j, s);
        break;
    case WALK_PEBS:
        r->pebs_enable = pebs_of(r, s->value);
        break;
    case WALK_UNMASK:
        reference_unmask(r);
        break;
    case WALK_MASK:
        r->lvt_masked = YES;
        break;
    default:
        break;
    }
}

/* What this step may change beside the reference. */
static void forget_what_changes(struct walk_judge *j, const struct walk_step *s)
{
    if (s->kind == WALK_LBR_CLEAR)
        j->reference.lbr_unknown = true;
    if (s->kind == WALK_LAYOUT || s->kind == WALK_INDEX || s->kind == WALK_THRESHOLD)
        __builtin_memcpy(j->zones, j->job.zones, sizeof j->zones);
}

/* The interrupt that was pending is taken, and that is all. */
static void check_taken(struct walk_judge *j, enum maybe pending)
{
    size_t got = j->job.seen.interrupts;

    if (pending != MAYBE && got != (pending == YES)) {
        test_find_as(j->t,
                     &(struct finding){.kind = got ? FINDING_PMI_EXTRA : FINDING_PMI_MISSING,
                                       .expected = pending == YES,
                                       .got = got,
                                       .under = walk_circumstances(
                                           &j->reference, j->job.seen.off.registers.status)},
                     "%zu interrupts were taken, not %u", got, pending == YES);
        test_breaks(j->t, got ? "BTS-4" : "BTS-5");
    }
    for (size_t i = 0; i < got && i < WALK_EVENTS; i++)
        EXPECT(j->t, PMI_LVT,
               j->job.seen.events[i].lvt_masked || j->reference.unmasked_while_pending,
               "the interrupt left the LVT performance entry unmasked");
}

void walk_quiet_prepare(struct walk_judge *j, const struct walk_step *s)
{
    reference_begin_step(&j->reference);
    tell_quiet_step(j, s);
    j->pending = j->reference.pending;
    j->job.step = s;
    j->job.wants_interrupt = false;
}

void walk_quiet_judge(struct walk_judge *j)
{
    if (j->job.step->kind == WALK_TAKE) {
        check_taken(j, j->pending);
        if (j->job.seen.interrupts)
            reference_take(&j->reference);
        if (j->job.step->number[0])
            reference_unmask(&j->reference);
    }
    forget_what_changes(j, j->job.step);
    walk_check(j, false);
}
