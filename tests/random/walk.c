/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Step after step: told to the reference, done by the processor, compared. */
#include "tests/random/walk.h"

#include "arch/cpu/features.h"
#include "arch/cpu/insn.h"
#include "arch/trace/debugctl.h"
#include "kernel/time.h"
#include "tests/oracle/freeze_check.h"
#include "tests/oracle/lbr_check.h"
#include "tests/random/walk_check.h"
#include "tests/run/other_processor.h"

#define ANSWER_MICROSECONDS 1000000

static struct walk_judge judges[2]; /* of processor 0 and the other one */

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

    area->threshold = area->index + bytes;
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
        test_find_as(
            j->t,
            &(struct finding){.kind = got ? FINDING_PMI_EXTRA : FINDING_PMI_MISSING,
                              .expected = pending == YES,
                              .got = got,
                              .under = walk_circumstances(&j->reference, j->job.seen.status)},
            "%zu interrupts were taken, not %u", got, pending == YES);
        test_breaks(j->t, got ? "BTS-4" : "BTS-5");
    }
    for (size_t i = 0; i < got && i < WALK_EVENTS; i++)
        EXPECT(j->t, PMI_LVT,
               j->job.seen.events[i].lvt_masked || j->reference.unmasked_while_pending,
               "the interrupt left the LVT performance entry unmasked");
}

static void prepare_quiet_step(struct walk_judge *j, const struct walk_step *s)
{
    reference_begin_step(&j->reference);
    tell_quiet_step(j, s);
    j->pending = j->reference.pending;
    j->job.step = s;
    j->job.wants_interrupt = false;
}

static void judge_quiet_step(struct walk_judge *j)
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

/* --- while it is on --- */

static void prepare_burst(struct walk_judge *j, const struct walk_step *steps, size_t count)
{
    path_begin(&j->path, j->job.operations);
    for (size_t i = 0; i < count; i++)
        path_add(&j->path, &steps[i]);
    path_end(&j->path);
    j->job.landings = j->path.landings;
    j->job.step = NULL;
    j->job.interrupts_open = steps[0].open;
    /* Told first without interrupts: whether one must come decides how long is waited. */
    j->job.wants_interrupt = path_wants_interrupt(&j->path);
}

static void judge_burst(struct walk_judge *j)
{
    path_tell(j->t, &j->path, &j->job.seen);
    walk_check(j, true);
}

/* How many steps from this one on are done at once; 0: it is one for which all is off. */
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

/* Returns how many steps were prepared; 0 at the end of the walk. */
static size_t prepare(struct walk_judge *j, const struct walk *walk, size_t at)
{
    size_t burst;

    if (at >= walk->count)
        return 0;
    burst = burst_length(walk, at);
    if (burst)
        prepare_burst(j, &walk->steps[at], burst);
    else
        prepare_quiet_step(j, &walk->steps[at]);
    return burst ? burst : 1;
}

static void judge(struct walk_judge *j)
{
    if (j->job.step)
        judge_quiet_step(j);
    else
        judge_burst(j);
}

/* --- on one processor or two --- */

/*
 * The other processor stays in one function with IF = 0, so that no interrupt comes between two
 * steps, and does what is posted.
 */
static processor_function posted;
static unsigned posts, answers;

static void serve(void *unused)
{
    processor_function function;

    (void)unused;
    insn_cli();
    do {
        while (__atomic_load_n(&posts, __ATOMIC_ACQUIRE) == answers)
            insn_pause();
        function = posted;
        if (function)
            function(&judges[1].job);
        __atomic_store_n(&answers, answers + 1, __ATOMIC_RELEASE);
    } while (function);
    insn_sti();
}

static void post(processor_function function)
{
    posted = function;
    __atomic_store_n(&posts, posts + 1, __ATOMIC_RELEASE);
}

/* False after a failure that says why: it met an exception, or takes too long. */
static bool answered(struct test_context *t, unsigned other)
{
    struct wait wait = time_wait(ANSWER_MICROSECONDS);

    while (__atomic_load_n(&answers, __ATOMIC_ACQUIRE) != posts)
        if (!wait_goes_on(&wait) || processor_exception(other))
            return other_wait(t, other);
        else
            insn_pause();
    return true;
}

/* What is asked of both is done at the same time. */
static bool run_both(struct test_context *t, const struct walks *walks, processor_function function,
                     const size_t steps[2])
{
    if (walks->other && steps[1])
        post(function);
    if (steps[0])
        function(&judges[0].job);
    return !walks->other || answered(t, walks->other);
}

/* --- the whole walk --- */

static void describe_processor(struct walk_judge *j, struct test_context *t, bool has_company)
{
    struct reference *r = &j->reference;
    struct counter list[WALK_COUNTERS];

    *j = (struct walk_judge){.t = t};
    j->job.reference = r;
    j->path.reference = r;
    j->path.has_company = has_company;
    r->has_global = feature_present(FEATURE_PERFMON2);
    r->streamlined = feature_present(FEATURE_PERFMON4);
    r->lbr_streamlined = freeze_lbr_flavour() == VALUE_UNKNOWN       ? MAYBE
                         : freeze_lbr_flavour() == VALUE_STREAMLINED ? YES
                                                                     : NO;
    r->lbr_undefined_with_tr = lbr_is_undefined_with_tr();
    r->counter_count = walk_counters(list);
    for (unsigned i = 0; i < r->counter_count; i++)
        r->counters[i].counter = list[i];
    for (unsigned bts = 0; bts < 2 && feature_present(FEATURE_LBR); bts++)
        if (!r->lbr_undefined_with_tr)
            r->tr_feeds[bts] = lbr_tr_feeds(t, bts ? DEBUGCTL_BTS : 0) ? YES : NO;
}

static const struct walk_step first_layouts[REFERENCE_AREAS] = {
    {.kind = WALK_LAYOUT, .number = {0, 19, 0, 0, 0}, .value = 21 * BTS_RECORD_SIZE},
    {.kind = WALK_LAYOUT, .number = {1, 19, 0, 0, 0}, .value = 21 * BTS_RECORD_SIZE},
};

static bool is_laid_out(struct walk_judge *j)
{
    if (j->job.wrong) {
        test_fail(j->t, "the DS save area was not programmed: %s", j->job.wrong);
        return false;
    }
    lay_out(j, &first_layouts[1]);
    __builtin_memcpy(j->zones, j->job.zones, sizeof j->zones);
    j->lbr = j->job.seen.lbr;
    prepare_quiet_step(j, &first_layouts[0]);
    return true;
}

static const size_t one_step[2] = {1, 1};

static bool begin(struct test_context *t, const struct walks *walks)
{
    unsigned count = walks->other ? 2 : 1;

    if (walks->other && (!other_start(t, walks->other)))
        return false;
    for (unsigned i = 0; i < count; i++)
        describe_processor(&judges[i], t, walks->other != 0);
    posts = answers = 0;
    if (walks->other && !other_begin(t, walks->other, serve, NULL))
        return false;
    if (!run_both(t, walks, walk_open, one_step))
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!is_laid_out(&judges[i]))
            return false;
    if (!run_both(t, walks, walk_apply, one_step))
        return false;
    for (unsigned i = 0; i < count; i++)
        judge(&judges[i]);
    return true;
}

static void end(struct test_context *t, const struct walks *walks)
{
    if (walks->other && !processor_is_started(walks->other))
        walk_close(&judges[0].job);
    else if (!run_both(t, walks, walk_close, one_step))
        return;
    for (unsigned i = 0; i < (walks->other ? 2 : 1); i++)
        if (judges[i].job.wrong) {
            FIND(t, STRAY_WRITE, "written to although out of bounds: %s", judges[i].job.wrong);
            test_breaks(t, "BTS-8");
        }
    if (!walks->other || !processor_is_started(walks->other))
        return;
    post(NULL);
    if (other_wait(t, walks->other))
        other_stop(t, walks->other);
}

/* One step of each, at the same time. Returns whether there was one, and it went well. */
static bool step_on(struct test_context *t, const struct walks *walks, size_t at[2])
{
    size_t steps[2] = {0, 0};

    for (unsigned i = 0; i < (walks->other ? 2 : 1); i++)
        steps[i] = prepare(&judges[i], &walks->walk[i], at[i]);
    if (!(steps[0] | steps[1]) || !run_both(t, walks, walk_apply, steps))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (steps[i])
            judge(&judges[i]);
        if (i && walks->other && test_has_failed(t))
            test_note(t, "processors 0 and %u were at their steps %zu and %zu", walks->other,
                      at[0] + steps[0], at[1] + steps[1]);
        at[i] += steps[i];
    }
    return !test_has_failed(t);
}

void walks_do(struct test_context *t, struct walks *walks)
{
    size_t at[2] = {0, 0};

    if (begin(t, walks))
        while (step_on(t, walks, at))
            ;
    end(t, walks);
    for (unsigned i = 0; i < 2 && test_has_failed(t); i++)
        walks->walk[i].count = at[i];
}
