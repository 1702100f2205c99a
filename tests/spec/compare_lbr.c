/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/compare_lbr.h"

#include "kernel/report/context.h"
#include "tests/spec/align.h"
#include "tests/spec/compare.h"
#include "tests/spec/kept_steps.h"
#include "tests/spec/lbr_entry.h"

#define NEAR_JUMPS ((uint64_t)(LBR_SELECT_NEAR_REL_JMP | LBR_SELECT_NEAR_IND_JMP))

static struct kept_steps kept; /* of the comparison that is going on */

/* The stack, newest entry first, beside the truth, last transfer first. */
struct pair {
    struct test_context *t;
    const struct transfer *truth;
    size_t count;
    uint64_t selects[2]; /* the second one from transfer number `change` on */
    size_t change;
    const struct lbr_result *result;
    bool newest_alone;
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth;
    size_t recorded;        /* entries that a transfer was found in */
    bool explained, is_off; /* is_off: entries are missing, or too many */
};

static const struct transfer *transfer_of(const struct pair *pair, size_t number)
{
    return &pair->truth[pair->count - 1 - number];
}

static uint64_t select_of(const struct pair *pair, size_t number)
{
    return pair->selects[pair->count - 1 - number >= pair->change];
}

static enum likeness like(const void *both, size_t expected, size_t got)
{
    const struct pair *pair = both;

    return lbr_entry_like(select_of(pair, expected), &pair->entries[got],
                          transfer_of(pair, expected));
}

static enum presence presence(const void *both, size_t expected)
{
    const struct pair *pair = both;

    return lbr_entry_presence(select_of(pair, expected), transfer_of(pair, expected));
}

bool lbr_raw_equal(const struct lbr_raw *a, const struct lbr_raw *b)
{
    bool info = lbr_info_register() != 0;

    return a->from == b->from && a->to == b->to && (!info || a->info == b->info);
}

/* Entries of an architectural stack move on with each that is recorded (F20.10); how many were, the
 * comparison is still to find. */
static bool has_moved_on(const struct pair *pair, size_t got)
{
    for (size_t recorded = 0; recorded <= got; recorded++)
        if (lbr_raw_equal(&pair->result->before.raw[got - recorded], &pair->result->after.raw[got]))
            return true;
    return false;
}

static bool is_old(const void *both, size_t got)
{
    const struct pair *pair = both;
    size_t slot = lbr_slot(&pair->result->after, got);

    if (pair->newest_alone)
        return true;
    if (lbr_stack()->architectural)
        return has_moved_on(pair, got);
    return lbr_raw_equal(&pair->result->before.raw[slot], &pair->result->after.raw[slot]);
}

/* --- what is found --- */

static unsigned circumstances(const struct pair *pair, size_t expected)
{
    uint32_t kind = transfer_of(pair, expected)->kind;
    unsigned under = 0;

    if (kind == TRANSFER_CALL || kind == TRANSFER_CALL_INDIRECT)
        under |= UNDER(CALL);
    if (select_of(pair, expected) & NEAR_JUMPS)
        under |= UNDER(NO_JUMPS);
    if (kind == TRANSFER_ABORT)
        under |= UNDER(ABORT);
    if (expected > 0 && transfer_of(pair, expected - 1)->kind == TRANSFER_ABORT)
        under |= UNDER(BEFORE_ABORT);
    return under;
}

static void find(struct pair *pair, const struct step *step, struct finding *finding)
{
    bool has_older = step->got + 1 < pair->depth;

    finding->slot = step->got;
    finding->first = !has_older;
    finding->previous = has_older ? pair->entries[step->got + 1].from : 0;
    if (step->kind != STEP_EXTRA) {
        transfer_name(finding, transfer_of(pair, step->expected));
        finding->under = circumstances(pair, step->expected);
    }
    pair->explained &= test_find(pair->t, finding);
}

static void find_altered(struct pair *pair, const struct step *step)
{
    const struct transfer *transfer = transfer_of(pair, step->expected);
    const struct lbr_entry *entry = &pair->entries[step->got];
    bool by_from = lbr_entry_is_to(entry, transfer);

    find(pair, step,
         &(struct finding){.kind = by_from ? FINDING_LBR_FROM : FINDING_LBR_TO,
                           .expected =
                               by_from ? lbr_entry_from(select_of(pair, step->expected), transfer)
                                       : transfer->to,
                           .got = by_from ? entry->from : entry->to});
}

static void find_missing(struct pair *pair, const struct step *step)
{
    const struct transfer *transfer = transfer_of(pair, step->expected);

    pair->is_off = true;
    find(pair, step,
         &(struct finding){
             .kind = FINDING_LBR_MISSING, .expected = transfer->from, .expected_to = transfer->to});
}

static void find_extra(struct pair *pair, const struct step *step)
{
    const struct lbr_entry *entry = &pair->entries[step->got];

    pair->is_off = true;
    find(pair, step,
         &(struct finding){.kind = FINDING_LBR_EXTRA, .got = entry->from, .got_to = entry->to});
}

/* BR_TYPE of the near branches; all others have a number from LBR_TYPE_OTHER on (F20.22). */
static const uint8_t types[TRANSFER_KINDS] = {
    [TRANSFER_JCC] = LBR_TYPE_JCC,
    [TRANSFER_JMP_INDIRECT] = LBR_TYPE_NEAR_IND_JMP,
    [TRANSFER_JMP] = LBR_TYPE_NEAR_REL_JMP,
    [TRANSFER_CALL_INDIRECT] = LBR_TYPE_NEAR_IND_CALL,
    [TRANSFER_CALL] = LBR_TYPE_NEAR_REL_CALL,
    [TRANSFER_RET] = LBR_TYPE_NEAR_RET,
};

/* Of what kind LOOP and JRCXZ are, and an abort, is not said. */
static bool has_known_type(uint32_t kind)
{
    return !transfer_is(kind, TRANSFER_IS_OPEN_CLASS) || transfer_is(kind, TRANSFER_IS_DELIVERY);
}

bool lbr_type_fits(uint32_t kind, unsigned type)
{
    if (!has_known_type(kind))
        return true;
    return transfer_is(kind, TRANSFER_IS_NEAR) ? type == types[kind] : type >= LBR_TYPE_OTHER;
}

static void check_type(struct pair *pair, const struct step *step)
{
    uint32_t kind = transfer_of(pair, step->expected)->kind;
    const struct lbr_entry *entry = &pair->entries[step->got];
    bool near = transfer_is(kind, TRANSFER_IS_NEAR);

    if (!entry->has_type || !has_known_type(kind))
        return;
    test_checked_claim(pair->t, "ALBR-5");
    if (lbr_type_fits(kind, entry->type))
        return;
    pair->explained &= test_find_as(
        pair->t,
        &(struct finding){.kind = FINDING_LBR_FLAGS,
                          .where = transfer_kind_name(kind),
                          .expected = near ? types[kind] : LBR_TYPE_OTHER,
                          .got = entry->type},
        "entry %zu, %s, has BR_TYPE %u, expected %s%u", step->got, transfer_kind_name(kind),
        entry->type, near ? "" : "at least ", near ? types[kind] : LBR_TYPE_OTHER);
    test_breaks(pair->t, "ALBR-5");
}

/* No program here runs in a transaction but the one that an abort ends (F8.14). */
static void check_transaction(struct pair *pair, const struct step *step)
{
    const char *kind = transfer_kind_name(transfer_of(pair, step->expected)->kind);
    const struct lbr_entry *entry = &pair->entries[step->got];
    unsigned flags = (entry->transaction_abort ? 1u : 0) | (entry->in_transaction ? 2u : 0);

    if (!flags || transfer_of(pair, step->expected)->kind == TRANSFER_ABORT)
        return;
    pair->explained &= test_find_as(
        pair->t, &(struct finding){.kind = FINDING_LBR_FLAGS, .where = kind, .got = flags},
        "entry %zu, %s, has TSX_ABORT = %u, IN_TX = %u", step->got, kind, flags & 1, flags >> 1);
}

static void take_step(void *context, const struct step *step)
{
    struct pair *pair = context;

    if (step->kind != STEP_ABSENT && step->kind != STEP_OLD)
        kept_add(&kept, step);
    switch (step->kind) {
    case STEP_SAME:
        transfer_held(pair->t, FINDING_LBR_MISSING, transfer_of(pair, step->expected));
        lbr_entry_learn(pair->t, select_of(pair, step->expected), &pair->entries[step->got],
                        transfer_of(pair, step->expected));
        check_type(pair, step);
        check_transaction(pair, step);
        pair->recorded++;
        break;
    case STEP_ALTERED:
        find_altered(pair, step);
        pair->recorded++;
        break;
    case STEP_ABSENT:
        transfer_held(pair->t, FINDING_LBR_EXTRA, transfer_of(pair, step->expected));
        if (step->sure)
            lbr_entry_learn_absent(pair->t, select_of(pair, step->expected),
                                   transfer_of(pair, step->expected));
        break;
    case STEP_MISSING:
        find_missing(pair, step);
        break;
    case STEP_EXTRA:
        find_extra(pair, step);
        break;
    default:
        break;
    }
}

/* --- for the log, oldest first --- */

static uint64_t flags_of(const struct lbr_entry *entry)
{
    return (entry->mispredicted ? TRACE_MISPREDICTED : 0) |
           (entry->in_transaction ? TRACE_IN_TRANSACTION : 0) |
           (entry->transaction_abort ? TRACE_ABORTED : 0);
}

static void read_step(const void *from, size_t number, struct trace_step *out)
{
    const struct pair *pair = from;
    const struct step *step = kept_step(&kept, kept_shown(&kept) - 1 - number);
    const struct lbr_entry *entry;

    out->mark = kept_mark(step->kind);
    if (step->kind != STEP_EXTRA) {
        const struct transfer *transfer = transfer_of(pair, step->expected);

        out->from = out->expected_from = lbr_entry_from(select_of(pair, step->expected), transfer);
        out->to = out->expected_to = transfer->to;
        transfer_in_trace(out, transfer);
    }
    if (step->kind == STEP_MISSING)
        return;
    entry = &pair->entries[step->got];
    out->from = entry->from;
    out->to = entry->to;
    out->flags = flags_of(entry);
}

/* Steps that have no room are the oldest; so far back nobody counts. */
static void keep_trace(const struct pair *pair)
{
    struct trace_head head = {.source = "lbr",
                              .is_compared = true,
                              .steps = kept.count,
                              .first = kept.count - kept_shown(&kept) - kept_first(&kept),
                              .shown = kept_shown(&kept)};

    for (size_t i = 0; i < head.shown; i++) {
        head.got += kept_step(&kept, i)->kind != STEP_MISSING;
        head.expected += kept_step(&kept, i)->kind != STEP_EXTRA;
    }
    test_trace(pair->t, &head, read_step, pair);
}

static size_t compare(struct pair *pair)
{
    const struct sequences sequences = {
        .expected = pair->count,
        .got = pair->depth,
        .open_end = true,
        .like = like,
        .presence = presence,
        .is_old = is_old,
        .both = pair,
    };
    size_t passed;

    pair->explained = true;
    test_compared(pair->t, pair->depth);
    kept_begin(&kept);
    passed = align(&sequences, take_step, pair);
    if (test_keeps_trace(pair->t))
        keep_trace(pair);
    return passed;
}

/* With those that were recorded, and overwritten since; false where that is unknown. */
static bool count_overwritten(struct pair *pair, size_t passed)
{
    for (size_t i = passed; i < pair->count; i++) {
        if (presence(pair, i) == PRESENCE_MAY)
            return false;
        pair->recorded += presence(pair, i) == PRESENCE_MUST;
    }
    return !pair->is_off;
}

static bool expect_top_of_stack(const struct pair *pair)
{
    const struct lbr_result *result = pair->result;

    return EXPECT_EQUAL(pair->t, LBR_TOS, "top of stack", result->after.top_of_stack % pair->depth,
                        (result->before.top_of_stack + pair->recorded) % pair->depth);
}

/* What was there is as many entries further on, and as it was (F20.10). */
static bool expect_moved_on(const struct pair *pair)
{
    const struct lbr_raw *before = pair->result->before.raw, *after = pair->result->after.raw;

    for (size_t i = pair->recorded; i < pair->depth; i++)
        if (!EXPECT(pair->t, LBR_TOS, lbr_raw_equal(&after[i], &before[i - pair->recorded]),
                    "entry %zu, %#lx -> %#lx, is not what entry %zu was before %zu were recorded, "
                    "%#lx -> %#lx",
                    i, after[i].from, after[i].to, i - pair->recorded, pair->recorded,
                    before[i - pair->recorded].from, before[i - pair->recorded].to))
            return false;
    return true;
}

/* What architectural ones promise of their entries is a claim of its own. */
static bool name_claim(const struct pair *pair, bool held)
{
    const char *claim = pair->selects[0] | pair->selects[1] ? "ALBR-3" : "ALBR-2";

    if (lbr_stack()->architectural && held)
        test_checked_claim(pair->t, claim);
    else if (lbr_stack()->architectural)
        test_breaks(pair->t, claim);
    return held;
}

bool lbr_compare_newest(struct test_context *t, const struct transfer *truth, size_t count,
                        const struct lbr_result *result)
{
    struct pair pair = {
        .t = t, .truth = truth, .count = count, .result = result, .newest_alone = true};

    pair.depth = lbr_entries_of(&result->after, pair.entries);
    compare(&pair);
    return name_claim(&pair, pair.explained);
}

bool lbr_compare_across(struct test_context *t, const struct transfer *truth, size_t count,
                        size_t change, const uint64_t selects[2], const struct lbr_result *result)
{
    struct pair pair = {.t = t,
                        .truth = truth,
                        .count = count,
                        .selects = {selects[0], selects[1]},
                        .change = change,
                        .result = result};

    pair.depth = lbr_entries_of(&result->after, pair.entries);
    if (count_overwritten(&pair, compare(&pair)))
        pair.explained &=
            lbr_stack()->architectural ? expect_moved_on(&pair) : expect_top_of_stack(&pair);
    return name_claim(&pair, pair.explained);
}

bool lbr_compare(struct test_context *t, const struct transfer *truth, size_t count,
                 uint64_t select, const struct lbr_result *result)
{
    const uint64_t selects[] = {select, select};

    return lbr_compare_across(t, truth, count, count, selects, result);
}
