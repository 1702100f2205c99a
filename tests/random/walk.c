/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Step after step: told to the reference, done by the processor, compared. */
#include "tests/random/walk.h"

#include "arch/cpu/apic.h"
#include "arch/cpu/features.h"
#include "arch/cpu/msr.h"
#include "arch/trace/debugctl.h"
#include "tests/oracle/freeze_check.h"
#include "tests/oracle/lbr_check.h"
#include "tests/random/walk_check.h"
#include "tests/random/walk_path.h"
#include "tests/run/other_processor.h"

static struct walk_judge judge;

static bool run_on(struct test_context *t, unsigned processor, processor_function function)
{
    if (processor)
        return other_run(t, processor, function, &judge.job);
    function(&judge.job);
    return true;
}

/* --- what is written while all is off --- */

static struct ds_management_area *area_at(uint64_t address)
{
    return (struct ds_management_area *)address;
}

/* Everything of an area and its buffer is poison, but the fields. No record of sampling has room:
 * index and maximum are the same (F3.65). */
static void lay_out(struct walk_judge *j, const struct walk_step *s)
{
    unsigned number = s->number[0] % REFERENCE_AREAS;
    struct reference_area *area = &j->reference.areas[number];
    struct walk_zone *zone = &j->job.zones[number];
    struct ds_management_area *fields;
    uint64_t records = 1 + s->number[1] % WALK_RECORDS; /* one, and a byte, at least: F3.24 */

    __builtin_memset(zone, 0xa5, sizeof *zone);
    j->job.area_address[number] = (uint64_t)zone->area + s->number[3] * sizeof(uint64_t);
    fields = area_at(j->job.area_address[number]);
    area->base = (uint64_t)zone->buffer + s->number[3] % 16 * sizeof(uint32_t);
    area->maximum = area->base + records * BTS_RECORD_SIZE + s->number[2] % BTS_RECORD_SIZE;
    if (area->maximum < area->base + BTS_RECORD_SIZE + 1)
        area->maximum = area->base + BTS_RECORD_SIZE + 1;
    area->index = area->base + s->number[4] % records * BTS_RECORD_SIZE;
    area->threshold = area->base + s->value;
    area->reached = false;
    *fields = (struct ds_management_area){
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
    struct reference_area *area = &j->reference.areas[j->reference.area];
    uint64_t room = (area->maximum - area->base) / BTS_RECORD_SIZE;

    area->index = area->base + records % (room ? room : 1) * BTS_RECORD_SIZE;
    area->reached = false;
    area_at(j->job.area_address[j->reference.area])->bts_index = area->index;
}

static void set_threshold(struct walk_judge *j, uint64_t bytes)
{
    struct reference_area *area = &j->reference.areas[j->reference.area];

    area->threshold = area->base + bytes;
    area->reached = false;
    area_at(j->job.area_address[j->reference.area])->bts_interrupt_threshold = area->threshold;
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

static void set_counter(struct walk_judge *j, const struct walk_step *s)
{
    struct reference *r = &j->reference;
    unsigned number;
    struct reference_counter *c;

    if (!r->counter_count)
        return;
    number = s->number[0] % r->counter_count;
    c = &r->counters[number];
    c->event = event_of(c->counter, s->number[1]);
    c->flags = c->event < PMU_EVENT_COUNT ? s->number[2] : 0;
    if (!(c->flags & (COUNTER_OS | COUNTER_USR)))
        c->flags = 0;
    c->low = c->high = j->start[number] = start_value(c->counter, s->value);
    r->pebs_enable &= ~pmu_global_bit(c->counter);
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
        lay_out(j, s);
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
        set_counter(j, s);
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

    if (pending != MAYBE && !EXPECT_COUNT(j->t, PMI, "interrupts", got, pending == YES))
        test_breaks(j->t, pending == YES ? "BTS-5" : "BTS-4");
    for (size_t i = 0; i < got && i < WALK_EVENTS; i++)
        EXPECT(j->t, PMI_LVT,
               j->job.seen.events[i].lvt_masked || j->reference.unmasked_while_pending,
               "the interrupt left the LVT performance entry unmasked");
}

static bool do_quiet_step(struct walk_judge *j, const struct walk_step *s, unsigned processor)
{
    enum maybe pending;

    reference_begin_step(&j->reference);
    tell_quiet_step(j, s);
    pending = j->reference.pending;
    j->job.step = s;
    j->job.wants_interrupt = false;
    if (!run_on(j->t, processor, walk_apply))
        return false;
    if (s->kind == WALK_TAKE) {
        check_taken(j, pending);
        if (j->job.seen.interrupts)
            reference_take(&j->reference);
    }
    forget_what_changes(j, s);
    walk_check(j, false);
    return true;
}

/* --- while it is on --- */

static bool do_burst(struct walk_judge *j, const struct walk_step *steps, size_t count,
                     unsigned processor)
{
    path_begin(&j->reference, j->job.operations);
    for (size_t i = 0; i < count; i++)
        path_add(&steps[i]);
    j->job.landings = path_end();
    j->job.step = NULL;
    j->job.interrupts_open = steps[0].open;
    /* Told first without interrupts: whether one must come decides how long is waited. */
    j->job.wants_interrupt = path_wants_interrupt();
    if (!run_on(j->t, processor, walk_apply))
        return false;
    path_tell(j->t, &j->job.seen);
    walk_check(j, true);
    return true;
}

/* --- the whole walk --- */

static void learn_choices(struct test_context *t)
{
    struct reference *r = &judge.reference;

    for (unsigned bts = 0; bts < 2 && feature_present(FEATURE_LBR); bts++)
        if (!lbr_is_undefined_with_tr())
            r->tr_feeds[bts] = lbr_tr_feeds(t, bts ? DEBUGCTL_BTS : 0) ? YES : NO;
}

static void describe_processor(struct test_context *t)
{
    struct reference *r = &judge.reference;
    struct counter list[WALK_COUNTERS];

    judge = (struct walk_judge){.t = t};
    r->has_global = feature_present(FEATURE_PERFMON2);
    r->streamlined = feature_present(FEATURE_PERFMON4);
    r->lbr_streamlined = freeze_lbr_flavour() == VALUE_UNKNOWN       ? MAYBE
                         : freeze_lbr_flavour() == VALUE_STREAMLINED ? YES
                                                                     : NO;
    r->lbr_undefined_with_tr = lbr_is_undefined_with_tr();
    r->counter_count = walk_counters(list);
    for (unsigned i = 0; i < r->counter_count; i++)
        r->counters[i].counter = list[i];
    learn_choices(t);
}

static bool begin(struct test_context *t, unsigned processor)
{
    static const struct walk_step first = {
        .kind = WALK_LAYOUT, .number = {0, 19, 0, 0, 0}, .value = 21 * BTS_RECORD_SIZE};
    struct walk_step second = first;

    describe_processor(t);
    judge.job.reference = &judge.reference;
    second.number[0] = 1;
    if (!run_on(t, processor, walk_open))
        return false;
    if (judge.job.wrong) {
        test_fail(t, "the DS save area was not programmed: %s", judge.job.wrong);
        return false;
    }
    lay_out(&judge, &second);
    __builtin_memcpy(judge.zones, judge.job.zones, sizeof judge.zones);
    lbr_capture(&judge.lbr);
    return do_quiet_step(&judge, &first, processor);
}

static void end(struct test_context *t, unsigned processor)
{
    if (!run_on(t, processor, walk_close))
        return;
    if (judge.job.wrong) {
        FIND(t, STRAY_WRITE, "written to although out of bounds: %s", judge.job.wrong);
        test_breaks(t, "BTS-8");
    }
}

/* How many steps from this one on are done at once. */
static size_t burst_length(const struct walk *walk, size_t at)
{
    size_t count = 1;

    if (!walk_is_live(&walk->steps[at]))
        return 0;
    while (at + count < walk->count && walk->steps[at + count].joined &&
           walk_is_live(&walk->steps[at + count]) &&
           path_has_room(&walk->steps[at], count, &walk->steps[at + count]))
        count++;
    return count;
}

size_t walk_do(struct test_context *t, const struct walk *walk, unsigned processor)
{
    size_t at = 0, burst;
    bool goes_on = begin(t, processor);

    while (goes_on && at < walk->count && !test_has_failed(t)) {
        burst = burst_length(walk, at);
        if (burst)
            goes_on = do_burst(&judge, &walk->steps[at], burst, processor);
        else
            goes_on = do_quiet_step(&judge, &walk->steps[at], processor);
        at += burst ? burst : 1;
    }
    end(t, processor);
    return at;
}
