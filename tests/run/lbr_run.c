/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/run/lbr_run.h"

#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "tests/run/landings.h"
#include "tests/oracle/lbr_filter.h"
#include "tests/oracle/transfer_choices.h"

#define CORE_DEPTH    4   /* entries: no other processor with 64-bit mode has so few (F8.1) */
#define ROOMY_RECORDS 256 /* more than the program has transfers */

static bool same_address(struct test_context *t, const struct lbr_entry *entry, uint64_t got,
                         uint64_t expected)
{
    bool cut = entry->upper_half_absent && got == (uint32_t)expected && expected >> 32;
    enum choice_value width = cut ? VALUE_32_BITS : VALUE_64_BITS;

    if (!cut && got != expected)
        return false;
    if (!entry->upper_half_absent || !(expected >> 32)) /* both widths look alike */
        return true;
    if (choice_of(CHOICE_LBR_WIDTH) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_LBR_WIDTH, width);
    return choice_of(CHOICE_LBR_WIDTH) == width;
}

/* A kind with two readings of FROM: either, but always the same one. */
static bool same_from(struct test_context *t, const struct lbr_entry *entry,
                      const struct transfer *expected)
{
    enum choice_value known = from_choice(CHOICE_LBR_FROM, expected->kind);
    enum choice_value reading = VALUE_INSTRUCTION;

    if (!same_address(t, entry, entry->from, expected->from)) {
        if (!expected->from_next || !same_address(t, entry, entry->from, expected->from_next))
            return false;
        reading = VALUE_NEXT;
    }
    if (!expected->from_next)
        return true;
    if (known == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_LBR_FROM, reading, expected->kind);
    return known == VALUE_UNKNOWN || known == reading;
}

static bool same(struct test_context *t, const struct lbr_entry *entry,
                 const struct transfer *expected)
{
    return same_address(t, entry, entry->to, expected->to) && same_from(t, entry, expected);
}

static void report(struct test_context *t, const struct lbr_entry *entries, size_t depth, size_t at,
                   const struct transfer *expected)
{
    size_t first = at > 3 ? at - 3 : 0;

    FIND(t, LBR_FROM, "LBR entry %zu (newest first): expected %pS -> %pS (%s), got %pS -> %pS", at,
         (void *)expected->from, (void *)expected->to, transfer_kind_name(expected->kind),
         (void *)entries[at].from, (void *)entries[at].to);
    for (size_t i = first; i < depth && i < at + 4; i++)
        test_note(t, "  %s entry %zu: %pS -> %pS", i == at ? ">" : " ", i, (void *)entries[i].from,
                  (void *)entries[i].to);
}

/* One comparison on its way from the newest entry to the oldest. */
struct walk {
    uint64_t select;
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t depth;
    size_t recorded; /* transfers found recorded so far, those that were overwritten too */
    bool unsettled;  /* how many were recorded cannot be told */
};

/* False after a test_fail(). */
static bool walk_transfer(struct test_context *t, struct walk *walk,
                          const struct transfer *transfer)
{
    const struct lbr_entry *entry = &walk->entries[walk->recorded];
    bool visible = walk->recorded < walk->depth;
    uint64_t open_bit = 0;
    bool matches;

    switch (lbr_filter_judge(walk->select, transfer, &open_bit)) {
    case LBR_SUPPRESSES:
        return true;
    case LBR_OPEN:
        matches = visible && same(t, entry, transfer);
        walk->unsettled |= !visible;
        if (visible && open_bit)
            lbr_filter_learn(t, open_bit, transfer, matches);
        walk->recorded += matches;
        return true;
    case LBR_RECORDS:
        break;
    }
    if (visible && !same(t, entry, transfer)) {
        report(t, walk->entries, walk->depth, walk->recorded, transfer);
        return false;
    }
    walk->recorded++;
    return true;
}

static bool raw_equal(const struct lbr_raw *a, const struct lbr_raw *b)
{
    bool info = lbr_info_register() != 0;

    return a->from == b->from && a->to == b->to && (!info || a->info == b->info);
}

/* Entries that nothing was recorded into: as they were before. */
static bool check_untouched(struct test_context *t, const struct walk *walk,
                            const struct lbr_result *result)
{
    for (size_t age = walk->recorded; age < walk->depth; age++) {
        size_t slot = (result->after.top_of_stack - age) % walk->depth;

        if (!raw_equal(&result->before.raw[slot], &result->after.raw[slot])) {
            FIND(t, LBR_EXTRA,
                 "LBR entry %zu (newest first) changed to %pS -> %pS, more than the %zu "
                 "expected",
                 age, (void *)walk->entries[age].from, (void *)walk->entries[age].to,
                 walk->recorded);
            return false;
        }
    }
    return true;
}

/* From the newest entry and the last transfer backwards. */
static bool walk_back(struct test_context *t, struct walk *walk, const struct transfer *truth,
                      size_t count, const struct lbr_result *result)
{
    walk->depth = lbr_entries_of(&result->after, walk->entries);
    for (size_t i = count; i-- > 0;)
        if (!walk_transfer(t, walk, &truth[i]))
            return false;
    return true;
}

bool lbr_compare_newest(struct test_context *t, const struct transfer *truth, size_t count,
                        const struct lbr_result *result)
{
    struct walk walk = {.select = 0};

    return walk_back(t, &walk, truth, count, result);
}

bool lbr_compare(struct test_context *t, const struct transfer *truth, size_t count,
                 uint64_t select, const struct lbr_result *result)
{
    struct walk walk = {.select = select};

    if (!walk_back(t, &walk, truth, count, result))
        return false;
    if (walk.unsettled)
        return true;
    return check_untouched(t, &walk, result) &&
           EXPECT_EQUAL(t, LBR_TOS, "top of stack", result->after.top_of_stack % walk.depth,
                        (result->before.top_of_stack + walk.recorded) % walk.depth);
}

bool lbr_check(struct test_context *t, const struct program *program, const struct run *run)
{
    struct seen seen;

    return run_program(t, program, run, &seen) &&
           EXPECT_EQUAL(t, MSR_VALUE, "IA32_DEBUGCTL at the end", seen.debugctl_end,
                        run->debugctl) &&
           lbr_compare(t, program->truth, program->count, run->select, &seen.lbr);
}

bool lbr_same(const struct lbr_snapshot *a, const struct lbr_snapshot *b)
{
    for (size_t i = 0; i < lbr_depth(); i++)
        if (!raw_equal(&a->raw[i], &b->raw[i]))
            return false;
    return a->top_of_stack == b->top_of_stack;
}

static void learn_tr(struct test_context *t, uint64_t bts)
{
    const struct run how = {
        .debugctl = DEBUGCTL_TR | bts,
        .layout = {.records = bts ? ROOMY_RECORDS : 0, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = true,
    };
    struct seen seen;

    if (run_program(t, program_of_workload(&workload_near_branches), &how, &seen))
        choice_learn(t, CHOICE_TR_FEEDS_LBR,
                     lbr_same(&seen.lbr.before, &seen.lbr.after) ? VALUE_NO : VALUE_YES, bts != 0);
}

bool lbr_tr_feeds(struct test_context *t, uint64_t debugctl)
{
    uint64_t bts = debugctl & DEBUGCTL_BTS;

    if (choice_of(CHOICE_TR_FEEDS_LBR, bts != 0) == VALUE_UNKNOWN)
        learn_tr(t, bts);
    return choice_of(CHOICE_TR_FEEDS_LBR, bts != 0) == VALUE_YES;
}

bool lbr_is_undefined_with_tr(void)
{
    return lbr_depth() <= CORE_DEPTH;
}
