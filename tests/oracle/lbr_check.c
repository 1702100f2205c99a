/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/lbr_check.h"

#include "arch/trace/bts.h"
#include "arch/trace/debugctl.h"
#include "tests/run/entry_points.h"
#include "tests/spec/observe.h"
#include "tests/spec/transfer_choices.h"

#define CORE_DEPTH    4   /* entries: no other processor with 64-bit mode has so few (F8.1) */
#define ROOMY_RECORDS 256 /* more than the program has transfers */

const char *lbr_claim(const char *of_model, const char *architectural)
{
    return feature_present(FEATURE_ARCH_LBR) ? architectural : of_model;
}

bool lbr_check(struct test_context *t, const struct program *program, const struct run *run)
{
    struct observation seen;

    return observe(t, program, run, &seen) &&
           lbr_compare(t, program->truth, program->count, run->select, &seen.lbr);
}

bool lbr_same(const struct lbr_snapshot *a, const struct lbr_snapshot *b)
{
    for (size_t i = 0; i < lbr_depth(); i++)
        if (!lbr_raw_equal(&a->raw[i], &b->raw[i]))
            return false;
    return a->top_of_stack == b->top_of_stack;
}

bool lbr_is_transfer(const struct lbr_entry *entry, const struct transfer *transfer)
{
    uint64_t mask = entry->upper_half_absent ? UINT32_MAX : UINT64_MAX;

    return entry->from == (transfer->from & mask) && entry->to == (transfer->to & mask);
}

size_t lbr_position_in(const struct program *program, const struct lbr_entry *entry)
{
    size_t position = 0;

    while (position < program->count && !lbr_is_transfer(entry, &program->truth[position]))
        position++;
    return position;
}

static void learn_tr(struct test_context *t, uint64_t bts)
{
    const struct run how = {
        .debugctl = DEBUGCTL_TR | bts,
        .layout = {.records = bts ? ROOMY_RECORDS : 0, .threshold = BTS_NO_THRESHOLD},
        .policy = PMI_COUNT,
        .lbr = true,
    };
    struct observation seen;

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
