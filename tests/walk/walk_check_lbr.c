/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stack of last branches after a step of a walk. */
#include "tests/walk/walk_check.h"

#include "tests/spec/compare_lbr.h"
#include "tests/spec/lbr_check.h"
#include "tests/spec/lbr_entry.h"

static struct transfer lbr_truth[REFERENCE_TRANSFERS_MAX];

static bool is_entry(const struct reference *r, const struct lbr_entry *entry,
                     const struct transfer *transfer)
{
    return lbr_entry_like(r->select, entry, transfer) == ALIKE;
}

/* Entries by their age, 0 the newest: from `first` on, `count` of them. */
struct span {
    size_t first, count;
};

static bool is_in(struct span span, size_t age)
{
    return age >= span.first && age - span.first < span.count;
}

/* The architectural stack has no top but what it holds. */
static bool has_top(const struct lbr_result *result, size_t recorded)
{
    uint64_t moved = result->after.top_of_stack - result->before.top_of_stack;

    return lbr_stack()->architectural || (moved - recorded) % lbr_depth() == 0;
}

/* Are the entries of this span that are behind so many new ones still the old ones? */
static bool has_old_ones(const struct lbr_result *result, size_t recorded, struct span span)
{
    struct lbr_entry before[LBR_DEPTH_MAX], after[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&result->before, before);

    lbr_entries_of(&result->after, after);
    for (size_t age = recorded; age < depth; age++)
        if (is_in(span, age) && (after[age].from != before[age - recorded].from ||
                                 after[age].to != before[age - recorded].to))
            return false;
    return true;
}

/* Would the first `count` transfers have left the top of stack, and the entries of this span, that
 * are there? */
static bool explains(const struct reference *r, const struct lbr_result *result, size_t count,
                     struct span span)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth = lbr_entries_of(&result->after, entries), recorded = 0;

    for (size_t i = count; i-- > 0;) {
        if (lbr_entry_presence(r->select, &lbr_truth[i]) != PRESENCE_MUST)
            continue;
        if (is_in(span, recorded) && recorded < depth &&
            !is_entry(r, &entries[recorded], &lbr_truth[i]))
            return false;
        recorded++;
    }
    return depth && has_top(result, recorded) && has_old_ones(result, recorded, span);
}

static bool find_freeze_by(const struct reference *r, const struct lbr_result *result,
                           size_t surely, size_t newest, size_t *count)
{
    for (size_t cut = *count + 1; cut-- > surely;)
        if (explains(r, result, cut, (struct span){.count = newest})) {
            *count = cut;
            return true;
        }
    return false;
}

/* Where a freeze may have come anywhere, it came where the whole stack says; if that is nowhere,
 * where its top does, and the comparison tells what is wrong with the rest. False: nowhere. */
static bool find_freeze(const struct reference *r, const struct lbr_result *result, size_t surely,
                        size_t *count)
{
    return find_freeze_by(r, result, surely, LBR_DEPTH_MAX, count) ||
           find_freeze_by(r, result, surely, 1, count);
}

/* Of a stack that may be frozen, is the newest entry alone another one than it must be? */
static bool newest_is_wrong(const struct reference *r, const struct lbr_result *result,
                            size_t count)
{
    const struct span newest = {.count = 1}, others = {.first = 1, .count = LBR_DEPTH_MAX};
    bool frozen = r->lbr_frozen != NO || r->lbr_cleared != NO;

    return frozen && !explains(r, result, count, newest) && explains(r, result, count, others);
}

enum truth { TRUTH_UNKNOWN, TRUTH_KNOWN, TRUTH_CONTRADICTED };

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
        if (lbr_entry_presence(r->select, &r->events[i].transfer) == PRESENCE_MAY)
            return TRUTH_UNKNOWN;
        lbr_truth[(*count)++] = r->events[i].transfer;
        surely += r->events[i].in_lbr == YES;
    }
    if (*count == surely)
        return newest_is_wrong(r, result, *count) ? TRUTH_CONTRADICTED : TRUTH_KNOWN;
    return find_freeze(r, result, surely, count) ? TRUTH_KNOWN : TRUTH_CONTRADICTED;
}

/* The transfer behind that of the newest entry but one: what the newest should be. */
static const struct transfer *expected_newest(const struct reference *r,
                                              const struct lbr_entry *before)
{
    size_t i = 0;

    while (i + 1 < REFERENCE_TRANSFERS_MAX && !is_entry(r, before, &lbr_truth[i]))
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
    newest = expected_newest(&j->reference, &entries[1]);
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
    test_breaks(j->t, walk_freeze_claim(&j->reference, true));
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
    test_breaks(j->t, frozen ? walk_freeze_claim(r, true) : "LBR-1");
}

void walk_check_lbr(struct walk_judge *j)
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
        walk_breaks_unless(j, lbr_compare(j->t, lbr_truth, count, r->select, &result), "LBR-1");
    else if (known != TRUTH_UNKNOWN)
        check_lbr_kept(j, &result);
}
