/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/lbr_entry.h"

#include "arch/cpu/smp/hold.h"
#include "tests/spec/choices/transfer_choices.h"
#include "tests/spec/lbr_filter.h"

#define CALL_BYTES 5u /* a near relative CALL in 64-bit code */
#define ALL_ONES   (~0ull)

static bool is_cut(const struct lbr_entry *entry, uint64_t got, uint64_t expected)
{
    return entry->upper_half_absent && got == (uint32_t)expected && expected >> 32;
}

static bool is_address(const struct lbr_entry *entry, uint64_t got, uint64_t expected)
{
    enum choice_value width = choice_of(CHOICE_LBR_WIDTH);

    if (is_cut(entry, got, expected))
        return width != VALUE_64_BITS;
    return got == expected &&
           (!entry->upper_half_absent || !(expected >> 32) || width != VALUE_32_BITS);
}

/* Then all ones may stand in the place of FROM (F20.26). */
static bool left_filtered_ring(uint64_t select, const struct transfer *transfer)
{
    uint64_t ring = transfer->from_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0;

    return lbr_stack()->architectural && select & ring;
}

static bool is_from(uint64_t select, const struct lbr_entry *entry, const struct transfer *transfer)
{
    enum choice_value reading = from_reading(CHOICE_LBR_FROM, transfer);
    enum choice_value filtered = choice_of(CHOICE_LBR_FILTERED_FROM);

    if (left_filtered_ring(select, transfer) && entry->from == ALL_ONES)
        return filtered != VALUE_ADDRESS;
    if (left_filtered_ring(select, transfer) && filtered == VALUE_ONES)
        return false;
    if (reading != VALUE_NEXT && is_address(entry, entry->from, transfer->from))
        return true;
    return reading != VALUE_INSTRUCTION && is_address(entry, entry->from, transfer->from_next);
}

bool lbr_entry_is_to(const struct lbr_entry *entry, const struct transfer *transfer)
{
    return is_address(entry, entry->to, transfer->to);
}

enum likeness lbr_entry_like(uint64_t select, const struct lbr_entry *entry,
                             const struct transfer *transfer)
{
    bool from = is_from(select, entry, transfer), to = lbr_entry_is_to(entry, transfer);

    return from && to ? ALIKE : from || to ? ALIKE_HALF : ALIKE_NOT;
}

uint64_t lbr_entry_from(uint64_t select, const struct transfer *transfer)
{
    bool ones =
        left_filtered_ring(select, transfer) && choice_of(CHOICE_LBR_FILTERED_FROM) == VALUE_ONES;

    return ones ? ALL_ONES : transfer->from;
}

/* --- is there one? --- */

/* XBEGIN that leads to its fallback at once (F25.30). */
static bool is_forced_abort(const struct transfer *transfer)
{
    return transfer->kind == TRANSFER_ABORT && transactions_always_abort();
}

static bool is_call_of_next(const struct transfer *transfer)
{
    return transfer->kind == TRANSFER_CALL && transfer->to == transfer->from + CALL_BYTES &&
           lbr_stack()->architectural;
}

/* What says whether it is a transfer at all; CHOICE_COUNT: it is one. */
static enum choice choice_of_transfer(const struct transfer *transfer)
{
    if (is_forced_abort(transfer))
        return CHOICE_LBR_FORCED_ABORT;
    return is_call_of_next(transfer) ? CHOICE_LBR_CALL_NEXT : CHOICE_COUNT;
}

static enum presence presence_by(enum choice choice)
{
    enum choice_value value = choice == CHOICE_COUNT ? VALUE_YES : choice_of(choice);

    if (value == VALUE_UNKNOWN)
        return PRESENCE_MAY;
    return value == VALUE_YES ? PRESENCE_MUST : PRESENCE_MUST_NOT;
}

/* Most are asked for without a filter, and thousands of them. */
enum presence lbr_entry_presence(uint64_t select, const struct transfer *transfer)
{
    uint64_t open_bit;
    enum lbr_verdict verdict;

    if (!select && choice_of_transfer(transfer) == CHOICE_COUNT)
        return PRESENCE_MUST;
    verdict = lbr_filter_judge(select, transfer, &open_bit);
    if (verdict == LBR_SUPPRESSES)
        return PRESENCE_MUST_NOT;
    if (presence_by(choice_of_transfer(transfer)) != PRESENCE_MUST)
        return presence_by(choice_of_transfer(transfer));
    return verdict == LBR_OPEN ? PRESENCE_MAY : PRESENCE_MUST;
}

/* --- what is learnt --- */

/* One that may be no transfer at all tells nothing of the filter where it is absent. */
static void learn_presence(struct test_context *t, uint64_t select, const struct transfer *transfer,
                           bool recorded)
{
    uint64_t open_bit = 0;
    enum lbr_verdict verdict = lbr_filter_judge(select, transfer, &open_bit);
    enum choice choice = choice_of_transfer(transfer);
    bool tells = recorded || presence_by(choice) == PRESENCE_MUST;

    if (choice != CHOICE_COUNT && (recorded || verdict == LBR_RECORDS))
        choice_learn(t, choice, recorded ? VALUE_YES : VALUE_NO);
    if (verdict == LBR_OPEN && open_bit && tells)
        lbr_filter_learn(t, open_bit, transfer, recorded);
}

static void learn_width(struct test_context *t, const struct lbr_entry *entry, uint64_t expected)
{
    if (entry->upper_half_absent && expected >> 32 && choice_of(CHOICE_LBR_WIDTH) == VALUE_UNKNOWN)
        choice_learn(t, CHOICE_LBR_WIDTH,
                     is_cut(entry, entry->to, expected) ? VALUE_32_BITS : VALUE_64_BITS);
}

static void learn_from(struct test_context *t, uint64_t select, const struct lbr_entry *entry,
                       const struct transfer *transfer)
{
    bool instruction = is_address(entry, entry->from, transfer->from);
    bool ones = entry->from == ALL_ONES;

    if (left_filtered_ring(select, transfer))
        choice_learn(t, CHOICE_LBR_FILTERED_FROM, ones ? VALUE_ONES : VALUE_ADDRESS);
    if (from_reading(CHOICE_LBR_FROM, transfer) == VALUE_UNKNOWN && !ones)
        choice_learn(t, CHOICE_LBR_FROM, instruction ? VALUE_INSTRUCTION : VALUE_NEXT,
                     transfer->kind);
}

void lbr_entry_learn(struct test_context *t, uint64_t select, const struct lbr_entry *entry,
                     const struct transfer *transfer)
{
    learn_presence(t, select, transfer, true);
    learn_width(t, entry, transfer->to);
    learn_from(t, select, entry, transfer);
}

void lbr_entry_learn_absent(struct test_context *t, uint64_t select,
                            const struct transfer *transfer)
{
    learn_presence(t, select, transfer, false);
}
