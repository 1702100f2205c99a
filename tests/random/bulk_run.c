/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/random/bulk_run.h"

#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "kernel/machine/time.h"
#include "tests/random/bulk_compare.h"
#include "tests/random/generated_program.h"
#include "tests/random/random_numbers.h"
#include "tests/run/retry.h"
#include "tests/spec/choices/limit.h"
#include "tests/spec/compare.h"
#include "tests/spec/expected.h"
#include "tests/spec/observe.h"

#define RECORD (DEBUGCTL_TR | DEBUGCTL_BTS)

/* Two buffers in the buffer memory, with a record of poison between them. */
#define BUFFER_RECORDS (BTS_RECORDS_MAX / 2 - 1)
#define EXPLAINED_MAX  8u   /* differences, of a program */
#define ROOM           500u /* behind the threshold: the interrupt takes a while to come */

_Static_assert(BULK_BUFFER_RECORDS_MAX + ROOM <= BUFFER_RECORDS, "the interrupt may be late");

/* One program on its way. */
static struct {
    struct bts_layout buffers[2];
    unsigned buffer; /* in use */
    uint64_t interrupts;
    struct bulk_compare compare;
} bulk;

static struct bulk_circle circle;
static size_t circle_index; /* that was found */

static struct bts_record rest[BTS_RECORDS_MAX + 1];
static struct pmi_event events[16];
static void turn(const struct pmi_event *event);
static struct pmi_log log = {
    .records = rest,
    .record_capacity = COUNT_OF(rest),
    .events = events,
    .event_capacity = COUNT_OF(events),
    .observe = turn,
};

/* In the interrupt's routine, TR is clear: nothing is recorded, and the full buffer is ours. */
static void turn(const struct pmi_event *event)
{
    const struct bts_record *records = bts_records();

    bulk.interrupts++;
    if (event->index > BUFFER_RECORDS + 1)
        bulk_compare_bad_index(&bulk.compare, event->index);
    else
        bulk_compare_interrupt(&bulk.compare, event, records);
    bulk.buffer ^= 1;
    bts_switch(&bulk.buffers[bulk.buffer]);
    if (event->index)
        log.event_count = 1; /* no storm: the program goes on in between */
}

/* --- one run, from a state --- */

static struct run run_of_a_pass(const struct bulk_settings *settings)
{
    return (struct run){
        .debugctl = RECORD | settings->off_bits,
        .layout = {.records = PROGRAM_TRANSFERS_MAX, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
    };
}

static struct run run_of(const struct bulk_settings *settings)
{
    struct run run = run_of_a_pass(settings);

    run.once = true;
    run.layout.records = settings->buffer_records;
    if (settings->circular)
        return run;
    run.debugctl |= DEBUGCTL_BTINT;
    run.layout = bulk.buffers[0];
    run.policy = PMI_SERVE;
    run.log = &log;
    return run;
}

static void lay_out(const struct bulk_settings *settings)
{
    for (unsigned i = 0; i < 2; i++)
        bulk.buffers[i] =
            (struct bts_layout){.records = BUFFER_RECORDS,
                                .threshold = settings->buffer_records,
                                .base_offset = i * (BUFFER_RECORDS + 1) * BTS_RECORD_SIZE};
    bulk.buffer = 0;
}

static bool expect_nothing_beside(struct test_context *t, const struct bulk_settings *settings)
{
    size_t end = BUFFER_RECORDS * BTS_RECORD_SIZE;

    if (settings->circular)
        return expect_no_stray_write(t, settings->buffer_records);
    bts_switch(&bulk.buffers[0]);
    if (!bts_bytes_are_poison(end, end + BTS_RECORD_SIZE)) {
        FIND(t, STRAY_WRITE, "written to although out of bounds: what lies between the buffers");
        return false;
    }
    return expect_no_stray_write(t, 2 * BUFFER_RECORDS + 1);
}

static void compare_end(struct test_context *t, const struct bulk_settings *settings,
                        const struct observation *seen)
{
    size_t capacity;

    if (settings->circular) {
        capacity = limit_capacity(t, settings->buffer_records, false);
        bulk_compare_circular(&bulk.compare, seen->records, capacity, &circle);
        bulk.compare.difference.found |= seen->index % capacity != circle.index;
        circle_index = seen->index % capacity;
        EXPECT_COUNT(t, PMI, "interrupts", seen->interrupts, 0);
    } else {
        bulk_compare_records(&bulk.compare, seen->records, seen->count);
        bulk_compare_end(&bulk.compare);
    }
}

/* False when it could not be done; what was seen is in bulk.compare. */
static bool run_from(struct test_context *t, const struct bulk_settings *settings,
                     const struct generated *generated, const struct generated_state *state)
{
    const struct program *program = generated_passes(t, state);
    struct run run;
    struct observation seen;

    if (!program)
        return false;
    lay_out(settings);
    run = run_of(settings);
    bulk_compare_begin(&bulk.compare, generated, state, run.debugctl);
    if (!run_program(t, program, &run, &seen))
        return false;
    observe_left_alone(t, &run, &seen);
    compare_end(t, settings, &seen);
    return bulk.compare.difference.found || expect_nothing_beside(t, settings);
}

/* --- what was wrong --- */

static struct finding finding_of(const struct bulk_difference *d, uint64_t debugctl)
{
    bool is_to = d->kind == FINDING_RECORD_TO, is_index = d->kind == FINDING_INDEX;
    bool missing = d->kind == FINDING_RECORD_MISSING;

    return (struct finding){
        .kind = d->kind,
        .where = d->expected.kind < TRANSFER_KINDS ? transfer_kind_name(d->expected.kind) : NULL,
        .is_of_transfer = d->expected.kind < TRANSFER_KINDS,
        .from_ring = d->expected.from_ring,
        .to_ring = d->expected.to_ring,
        .slot = d->number,
        .expected = is_to ? d->expected.to : d->expected.from,
        .expected_to = d->expected.to,
        .got = is_to ? d->got.to : d->got.from,
        .got_to = missing ? 0 : d->got.to,
        .previous = d->previous,
        .first = !d->previous,
        .under = is_index ? 0 : expected_under(debugctl, &d->expected, d->after_crossing),
    };
}

static enum trace_mark mark_of(enum finding_kind kind)
{
    switch (kind) {
    case FINDING_RECORD_FROM:
    case FINDING_RECORD_TO:
        return TRACE_ALTERED;
    case FINDING_RECORD_MISSING:
        return TRACE_MISSING;
    default:
        return TRACE_EXTRA;
    }
}

/* What is broken where a record has this mark. */
static const char *const broken_claims[] = {
    [TRACE_ALTERED] = "BTS-2", [TRACE_MISSING] = "BTS-1", [TRACE_EXTRA] = NULL};

static void read_difference(const struct bulk_difference *d, struct trace_step *step)
{
    bool missing = step->mark == TRACE_MISSING;

    step->from = missing ? d->expected.from : d->got.from;
    step->to = missing ? d->expected.to : d->got.to;
    step->flags = d->got.flags;
    step->expected_from = d->expected.from;
    step->expected_to = d->expected.to;
    if (step->mark == TRACE_EXTRA)
        return;
    step->kind = transfer_kind_name(d->expected.kind);
    step->from_ring = d->expected.from_ring;
    step->to_ring = d->expected.to_ring;
}

/* Right ones, the difference, and what came behind it: of that nothing was asked. */
static void read_around(const void *from, size_t number, struct trace_step *step)
{
    const struct bulk_compare *c = from;
    const struct bulk_around *around = &c->around;
    const struct bts_record *record;

    step->mark = number < around->before ? TRACE_SAME : TRACE_ALONE;
    if (number == around->before) {
        step->mark = mark_of(c->difference.kind);
        read_difference(&c->difference, step);
        return;
    }
    if (number > around->before && c->difference.kind == FINDING_RECORD_MISSING)
        number--;
    record = &around->records[number];
    step->from = record->from;
    step->to = record->to;
    step->flags = record->flags;
}

static void keep_trace(struct test_context *t)
{
    const struct bulk_compare *c = &bulk.compare;
    size_t before = c->around.before, number = c->difference.number;
    size_t missing = c->difference.kind == FINDING_RECORD_MISSING;

    if (!c->around.count)
        return;
    test_trace(t,
               &(struct trace_head){.source = "bts",
                                    .steps = number - before + c->around.count + missing,
                                    .got = number - before + c->around.count,
                                    .first = number - before,
                                    .got_first = number - before,
                                    .expected_first = number - before,
                                    .shown = c->around.count + missing},
               read_around, c);
}

/* That pass once more and nothing else: as short as a program that fails can be. */
static void run_alone(struct test_context *t, const struct bulk_settings *settings,
                      const struct bulk_difference *d)
{
    const struct run run = run_of_a_pass(settings);
    struct generated_state state = d->state;
    const struct program *program;

    state.passes = 1;
    program = generated_passes(t, &state);
    if (!program)
        return;
    if (observe_run(t, program, &run))
        test_note(t, "that pass alone, without interrupts: its records are right");
    generated_program_note(t);
}

/* Likewise, of a circular buffer. */
static bool tell_circle(struct test_context *t, uint64_t seed, uint64_t passes)
{
    bool good = compare_records(t, &circle.expected, circle.got, circle.expected.count) != UNLIKE;

    good &= EXPECT_EQUAL(t, INDEX, "BTS index, in records", circle_index, circle.index);
    if (good)
        return true;
    test_note(t, "program of seed 0x%lx: at the end of %lu passes", seed, passes);
    test_replays_from(t, seed);
    return false;
}

/* Whether an erratum explains it. */
static bool tell(struct test_context *t, const struct bulk_settings *settings, uint64_t seed,
                 uint64_t passes)
{
    const struct bulk_difference d = bulk.compare.difference;
    const struct finding finding = finding_of(&d, settings->off_bits);
    const char *claim = broken_claims[mark_of(d.kind)];

    test_note(t, "program of seed 0x%lx: record %lu of the run, in pass %lu of %lu:", seed,
              d.number, d.pass, passes);
    test_note(t, "expected %s %pS -> %pS, got %pS -> %pS", transfer_kind_name(d.expected.kind),
              (void *)d.expected.from, (void *)d.expected.to, (void *)d.got.from, (void *)d.got.to);
    if (test_find(t, &finding))
        return true;
    if (claim)
        test_breaks(t, claim);
    keep_trace(t);
    test_replays_from(t, seed);
    run_alone(t, settings, &d);
    return false;
}

/* --- a program --- */

static struct generated_state any_state(uint64_t seed)
{
    struct random_numbers numbers = random_seeded(seed ^ ~0ull >> 1);
    struct generated_state state = {.mixer = random_next(&numbers), .passes = 1};

    for (size_t i = 0; i < GENERATED_REGISTERS; i++)
        state.registers[i] = random_next(&numbers);
    return state;
}

/* What a comparison must know: seen in the first pass alone. Returns that pass, or NULL. */
static const struct program *learn(struct test_context *t, const struct bulk_settings *settings,
                                   const struct generated_state *first)
{
    const struct run run = run_of_a_pass(settings);
    const struct program *program = generated_passes(t, first);
    struct observation seen;

    if (settings->circular)
        limit_capacity(t, settings->buffer_records, false);
    if (!program || test_has_failed(t))
        return NULL;
    if (!bulk_compare_is_learnt(run.debugctl) && !observe(t, program, &run, &seen))
        return NULL;
    return program;
}

static void add(struct test_context *t, struct bulk_totals *totals)
{
    test_compared(t, bulk.compare.records);
    totals->records += bulk.compare.records;
    totals->transfers += bulk.compare.transfers;
    totals->interrupts += bulk.interrupts;
    bulk.interrupts = 0;
}

/*
 * All passes. Where something came amid them that is not the program's, or an erratum explains it,
 * what was right before stays so, and they go on from the pass in which the difference is.
 */
static bool run_passes(struct test_context *t, const struct bulk_settings *settings,
                       const struct generated *generated, struct generated_state state,
                       struct bulk_totals *totals)
{
    struct retry retry = retry_begin();
    uint64_t passes = state.passes;

    for (unsigned explained = 0; explained < EXPLAINED_MAX;) {
        if (!run_from(t, settings, generated, &state))
            return false;
        add(t, totals);
        if (!bulk.compare.difference.found)
            return true;
        if (retry_if_disturbed(&retry))
            ;
        else if (settings->circular)
            return tell_circle(t, generated->seed, passes);
        else if (tell(t, settings, generated->seed, passes))
            explained++;
        else
            return false;
        if (!settings->circular)
            state = bulk.compare.difference.state;
    }
    return true;
}

static bool run_seed(struct test_context *t, const struct bulk_settings *settings, uint64_t seed,
                     uint64_t records, struct bulk_totals *totals)
{
    struct random_numbers numbers = random_seeded(~seed);
    enum generated_shape any = random_below(&numbers, GENERATED_SHAPES);
    struct generated_state state = any_state(seed);
    const struct generated *generated =
        generated_passes_open(t, settings->shape == GENERATED_SHAPES ? any : settings->shape, seed);
    const struct program *pass = generated ? learn(t, settings, &state) : NULL;
    bool good;

    if (!pass)
        return false;
    state.passes = 1 + records / pass->count;
    good = run_passes(t, settings, generated, state, totals);
    totals->programs++;
    return good && !test_has_failed(t);
}

/* A program that has begun runs to its end. */
static bool is_time_for_more(const struct bulk_settings *settings, uint64_t start)
{
    return !test_is_late() &&
           (!settings->microseconds || time_microseconds_since(start) < settings->microseconds);
}

bool bulk_run(struct test_context *t, const struct bulk_settings *wanted,
              struct bulk_totals *totals)
{
    struct bulk_settings settings = *wanted;
    uint64_t first = totals->transfers, done = 0, start = time_now();
    bool good = true;

    if (!settings.buffer_records)
        settings.buffer_records = BULK_BUFFER_RECORDS_MAX;
    for (uint64_t n = 0; good && done < settings.records && is_time_for_more(&settings, start);
         n++) {
        uint64_t left = settings.records - done, most = settings.program_records;

        good = run_seed(t, &settings, random_seed_number(settings.seed, n),
                        most && most < left ? most : left, totals);
        done = totals->transfers - first;
    }
    generated_program_close();
    return good;
}
