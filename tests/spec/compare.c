/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/compare.h"

#include "arch/trace/debugctl.h"
#include "kernel/report/context.h"
#include "tests/spec/align.h"
#include "tests/spec/choices/transfer_choices.h"
#include "tests/spec/kept_steps.h"

static struct kept_steps kept; /* of the comparison that is going on */

/* A trace beside what it must hold. */
struct pair {
    struct test_context *t;
    const struct expected *expected;
    size_t expected_first, expected_count; /* which of them */
    const struct bts_record *records;      /* got */
    size_t count;
    bool differs;                    /* in something */
    bool explained;                  /* every difference so far */
    size_t last_missing, last_extra; /* SIZE_MAX: none */
};

static const struct expected_record *expected_of_number(const struct pair *pair, size_t number)
{
    return &pair->expected->records[pair->expected_first + number];
}

static const struct transfer *transfer_of(const struct pair *pair, size_t number)
{
    return &expected_of_number(pair, number)->transfer;
}

/* --- what is alike --- */

static bool is_from(const struct transfer *expected, uint64_t from)
{
    enum choice_value reading = from_reading(CHOICE_FROM, expected);

    if (reading != VALUE_NEXT && from == expected->from)
        return true;
    return reading != VALUE_INSTRUCTION && from == expected->from_next;
}

/* As far as it is known. */
static uint64_t expected_from(const struct transfer *expected)
{
    return from_reading(CHOICE_FROM, expected) == VALUE_NEXT ? expected->from_next : expected->from;
}

static enum likeness like(const void *both, size_t expected, size_t got)
{
    const struct pair *pair = both;
    const struct transfer *transfer = transfer_of(pair, expected);
    const struct bts_record *record = &pair->records[got];
    bool from = is_from(transfer, record->from), to = record->to == transfer->to;

    return from && to ? ALIKE : from || to ? ALIKE_HALF : ALIKE_NOT;
}

static enum presence presence(const void *both, size_t expected)
{
    const struct pair *pair = both;
    const struct expected_record *record = expected_of_number(pair, expected);

    if (!record->open)
        return PRESENCE_MUST;
    switch (is_stored(record->debugctl, &record->transfer)) {
    case YES:
        return PRESENCE_MUST;
    case NO:
        return PRESENCE_MUST_NOT;
    default:
        return PRESENCE_MAY;
    }
}

/* --- what is learnt: only from a record that agrees but for what an erratum explains, or from one
 * whose absence is sure --- */

/* A FROM that the record before has too may be that one's, and teaches nothing. */
static bool repeats_from(const struct pair *pair, size_t got)
{
    return got > 0 && pair->records[got].from == pair->records[got - 1].from;
}

static void learn_presence(const struct pair *pair, size_t expected, bool stored)
{
    const struct expected_record *record = expected_of_number(pair, expected);

    if (presence(pair, expected) == PRESENCE_MAY)
        is_stored_learn(pair->t, record->debugctl, &record->transfer, stored);
}

static void learn_same(const struct pair *pair, const struct step *step)
{
    const struct transfer *transfer = transfer_of(pair, step->expected);

    learn_presence(pair, step->expected, true);
    if (from_reading(CHOICE_FROM, transfer) == VALUE_UNKNOWN && !repeats_from(pair, step->got))
        choice_learn(pair->t, CHOICE_FROM,
                     pair->records[step->got].from == transfer->from ? VALUE_INSTRUCTION
                                                                     : VALUE_NEXT,
                     transfer->kind);
}

static void learn_absent(const struct pair *pair, const struct step *step)
{
    if (step->sure)
        learn_presence(pair, step->expected, false);
}

/* --- what is found --- */

void transfer_name(struct finding *finding, const struct transfer *transfer)
{
    finding->where = transfer_kind_name(transfer->kind);
    finding->is_of_transfer = true;
    finding->from_ring = transfer->from_ring;
    finding->to_ring = transfer->to_ring;
}

void transfer_held(struct test_context *t, enum finding_kind kind, const struct transfer *transfer)
{
    struct finding check = {.kind = kind};

    transfer_name(&check, transfer);
    test_held(t, &check);
}

void transfer_in_trace(struct trace_step *step, const struct transfer *transfer)
{
    step->kind = transfer_kind_name(transfer->kind);
    step->from_ring = transfer->from_ring;
    step->to_ring = transfer->to_ring;
}

/* The transfer of the program that a record is of, expected or not; NULL if there is none. */
static const struct transfer *truth_of(const struct pair *pair, size_t got)
{
    const struct program *program = pair->expected->program;
    const struct bts_record *record = &pair->records[got];

    for (size_t i = 0; program && i < program->count; i++)
        if (record->to == program->truth[i].to && is_from(&program->truth[i], record->from))
            return &program->truth[i];
    return NULL;
}

static void find(struct pair *pair, const struct step *step, struct finding *finding)
{
    finding->slot = step->got;
    if (step->got > 0)
        finding->previous = pair->records[step->got - 1].from;
    finding->first = step->got == 0;
    if (step->kind != STEP_EXTRA) {
        const struct expected_record *record = expected_of_number(pair, step->expected);

        transfer_name(finding, &record->transfer);
        finding->under |= record->under;
    } else if (truth_of(pair, step->got)) {
        transfer_name(finding, truth_of(pair, step->got));
    }
    pair->differs = true;
    pair->explained &= test_find(pair->t, finding);
}

static void find_altered(struct pair *pair, const struct step *step)
{
    const struct transfer *transfer = transfer_of(pair, step->expected);
    const struct bts_record *record = &pair->records[step->got];
    bool by_from = record->to == transfer->to;

    find(pair, step,
         &(struct finding){.kind = by_from ? FINDING_RECORD_FROM : FINDING_RECORD_TO,
                           .expected = by_from ? expected_from(transfer) : transfer->to,
                           .got = by_from ? record->from : record->to});
    if (!pair->explained)
        test_breaks(pair->t, "BTS-2");
    else if (by_from)
        learn_presence(pair, step->expected, true);
}

/* One that is missing here and one too many near by, both the same, are one in the wrong place. */
static bool is_displaced(const struct pair *pair, size_t expected, size_t got)
{
    return expected != SIZE_MAX && got != SIZE_MAX && like(pair, expected, got) == ALIKE;
}

static void find_missing(struct pair *pair, const struct step *step)
{
    const struct transfer *transfer = transfer_of(pair, step->expected);
    struct finding finding = {
        .kind = FINDING_RECORD_MISSING, .expected = transfer->from, .expected_to = transfer->to};

    if (is_displaced(pair, step->expected, pair->last_extra))
        finding = (struct finding){
            .kind = FINDING_RECORD_ORDER, .expected = step->expected, .got = pair->last_extra};
    pair->last_missing = step->expected;
    find(pair, step, &finding);
    if (!pair->explained)
        test_breaks(pair->t, "BTS-1");
}

static void find_extra(struct pair *pair, const struct step *step)
{
    const struct bts_record *record = &pair->records[step->got];
    struct finding finding = {
        .kind = FINDING_RECORD_EXTRA, .got = record->from, .got_to = record->to};

    if (is_displaced(pair, pair->last_missing, step->got))
        finding = (struct finding){
            .kind = FINDING_RECORD_ORDER, .expected = pair->last_missing, .got = step->got};
    pair->last_extra = step->got;
    find(pair, step, &finding);
}

/* --- what is right --- */

static bool is_there(const struct pair *pair, const struct transfer *transfer)
{
    for (size_t i = 0; pair->last_extra != SIZE_MAX && i < pair->count; i++)
        if (pair->records[i].to == transfer->to && is_from(transfer, pair->records[i].from))
            return true;
    return false;
}

/* Transfers of which no record must be there, and none is. */
static void hold_left_out(const struct pair *pair)
{
    const struct program *program = pair->expected->program;

    if (!program || program_write(program).before != SIZE_MAX ||
        pair->expected_count < pair->expected->count)
        return;
    for (size_t i = 0; i < program->count; i++)
        if (is_stored(pair->expected->debugctl, &program->truth[i]) == NO &&
            !is_there(pair, &program->truth[i]))
            transfer_held(pair->t, FINDING_RECORD_EXTRA, &program->truth[i]);
}

static void take_step(void *context, const struct step *step)
{
    struct pair *pair = context;

    kept_add(&kept, step);
    switch (step->kind) {
    case STEP_SAME:
        transfer_held(pair->t, FINDING_RECORD_MISSING, transfer_of(pair, step->expected));
        learn_same(pair, step);
        break;
    case STEP_ABSENT:
        learn_absent(pair, step);
        break;
    case STEP_ALTERED:
        find_altered(pair, step);
        break;
    case STEP_MISSING:
        find_missing(pair, step);
        break;
    default:
        find_extra(pair, step);
        break;
    }
}

/* --- for the log --- */

static void read_step(const void *from, size_t number, struct trace_step *out)
{
    const struct pair *pair = from;
    const struct step *step = kept_step(&kept, number);
    const struct bts_record *record;

    out->mark = kept_mark(step->kind);
    if (step->kind != STEP_EXTRA) {
        out->expected_from = expected_from(transfer_of(pair, step->expected));
        out->expected_to = transfer_of(pair, step->expected)->to;
        transfer_in_trace(out, transfer_of(pair, step->expected));
    } else if (truth_of(pair, step->got)) {
        transfer_in_trace(out, truth_of(pair, step->got));
    }
    out->from = out->expected_from;
    out->to = out->expected_to;
    if (step->kind == STEP_MISSING || step->kind == STEP_ABSENT)
        return;
    record = &pair->records[step->got];
    out->from = record->from;
    out->to = record->to;
    out->flags = record->flags;
}

static void keep_trace(const struct pair *pair)
{
    struct trace_head head = {.source = "bts",
                              .is_compared = true,
                              .steps = kept.count,
                              .got = pair->count,
                              .expected = pair->expected_count,
                              .first = kept_first(&kept),
                              .shown = kept_shown(&kept)};

    if (head.shown > 0) {
        head.got_first = kept_step(&kept, 0)->got;
        head.expected_first = kept_step(&kept, 0)->expected;
    }
    test_trace(pair->t, &head, read_step, pair);
}

enum comparison compare_some(struct test_context *t, const struct expected *expected, size_t first,
                             size_t end, const struct bts_record *got, size_t got_count)
{
    struct pair pair = {
        .t = t,
        .expected = expected,
        .expected_first = first,
        .expected_count = end - first,
        .records = got,
        .count = got_count,
        .explained = true,
        .last_missing = SIZE_MAX,
        .last_extra = SIZE_MAX,
    };
    const struct sequences sequences = {
        .expected = pair.expected_count,
        .got = got_count,
        .like = like,
        .presence = presence,
        .both = &pair,
    };

    test_compared(t, got_count);
    kept_begin(&kept);
    align(&sequences, take_step, &pair);
    hold_left_out(&pair);
    if (test_keeps_trace(t))
        keep_trace(&pair);
    return !pair.differs ? ALIKE_ALL : pair.explained ? ALIKE_EXPLAINED : UNLIKE;
}

enum comparison compare_records(struct test_context *t, const struct expected *expected,
                                const struct bts_record *got, size_t got_count)
{
    return compare_some(t, expected, 0, expected->count, got, got_count);
}

enum comparison compare_circular(struct test_context *t, const struct expected *expected,
                                 const struct bts_record *slots, size_t capacity)
{
    static struct bts_record newest[BTS_RECORDS_MAX + 1];
    size_t first = expected->count > capacity ? expected->count - capacity : 0;

    for (size_t i = first; i < expected->count; i++)
        newest[i - first] = slots[i % capacity];
    return compare_some(t, expected, first, expected->count, newest, expected->count - first);
}
