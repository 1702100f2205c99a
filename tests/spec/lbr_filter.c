/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/lbr_filter.h"

#include "arch/trace/lbr.h"
#include "tests/spec/choices/choices.h"

#define CPL_BITS ((uint64_t)(LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0))

/* The bit that suppresses the kind, or may. */
static const uint16_t class_bit[TRANSFER_KINDS] = {
#define TRANSFER(kind, number, name, select, ...) [TRANSFER_##kind] = LBR_SELECT_##select,
#include "tests/workloads/transfers.def"
#undef TRANSFER
};

/* IA32_LBR_CTL's OTHER_BRANCH covers interrupts and exceptions (F20.15). What LOOP and JRCXZ are
 * there, of JCC's kind or others, is open. */
static bool is_open_class(uint32_t kind)
{
    bool closed = lbr_stack()->architectural && transfer_is(kind, TRANSFER_IS_DELIVERY);

    return transfer_is(kind, TRANSFER_IS_OPEN_CLASS) && !closed;
}

/* The bits that may be the kind's. */
static uint64_t class_bits(uint32_t kind)
{
    bool may_be_other = lbr_stack()->architectural && is_open_class(kind);

    return class_bit[kind] | (may_be_other ? LBR_SELECT_FAR_BRANCH : 0);
}

static unsigned number_of(uint64_t bit)
{
    return (unsigned)__builtin_ctzll(bit);
}

/* Whether one of the CPL bits names the ring that the transfer comes from. */
static bool names_old_ring(uint64_t bit, const struct transfer *transfer)
{
    return bit == (transfer->from_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0);
}

/* Of architectural ones the manual says one thing for all kinds (F20.26); of others it says nothing
 * that must be the same for each (F8.24). */
static uint32_t judged_as(const struct transfer *transfer)
{
    if (!lbr_stack()->architectural)
        return transfer->kind;
    return transfer->to_ring > transfer->from_ring ? TRANSFER_IRET : TRANSFER_SYSCALL;
}

static enum lbr_verdict by_open_ring(uint64_t bit, const struct transfer *transfer)
{
    enum choice_value value = choice_of(CHOICE_LBR_CROSSING, number_of(bit), judged_as(transfer));

    if (value == VALUE_UNKNOWN)
        return LBR_OPEN;
    return (value == VALUE_OLD) == names_old_ring(bit, transfer) ? LBR_SUPPRESSES : LBR_RECORDS;
}

static enum lbr_verdict by_open_class(uint64_t bit, uint32_t kind)
{
    enum choice_value value = choice_of(CHOICE_LBR_CLASS, number_of(bit), kind);

    if (value == VALUE_UNKNOWN)
        return LBR_OPEN;
    return value == VALUE_YES ? LBR_SUPPRESSES : LBR_RECORDS;
}

void lbr_filter_learn(struct test_context *t, uint64_t bit, const struct transfer *transfer,
                      bool recorded)
{
    bool old = names_old_ring(bit, transfer) != recorded;

    if (bit & CPL_BITS)
        choice_learn(t, CHOICE_LBR_CROSSING, old ? VALUE_OLD : VALUE_NEW, number_of(bit),
                     judged_as(transfer));
    else
        choice_learn(t, CHOICE_LBR_CLASS, recorded ? VALUE_NO : VALUE_YES, number_of(bit),
                     transfer->kind);
}

/* *open_bit: the first that is open. Where a second one is, nothing can be learnt of either: 0. */
static enum lbr_verdict by_class(uint64_t select, const struct transfer *transfer,
                                 uint64_t *open_bit)
{
    enum lbr_verdict verdict = LBR_RECORDS;

    for (uint64_t left = select & class_bits(transfer->kind); left; left &= left - 1) {
        enum lbr_verdict by_bit = is_open_class(transfer->kind)
                                      ? by_open_class(left & -left, transfer->kind)
                                      : LBR_SUPPRESSES;

        if (by_bit == LBR_SUPPRESSES)
            return LBR_SUPPRESSES;
        if (by_bit == LBR_OPEN)
            *open_bit = verdict == LBR_OPEN ? 0 : left & -left;
        verdict = by_bit == LBR_OPEN ? LBR_OPEN : verdict;
    }
    return verdict;
}

static enum lbr_verdict by_ring(uint64_t select, const struct transfer *transfer)
{
    uint64_t bits = select & CPL_BITS;
    uint64_t from = transfer->from_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0;
    uint64_t to = transfer->to_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0;

    if (!(bits & (from | to)))
        return LBR_RECORDS;
    if (bits & from && bits & to) /* whichever ring decides */
        return LBR_SUPPRESSES;
    return by_open_ring(bits, transfer);
}

enum lbr_verdict lbr_filter_judge(uint64_t select, const struct transfer *transfer,
                                  uint64_t *open_bit)
{
    uint64_t class_bit_open = 0;
    enum lbr_verdict class = by_class(select, transfer, &class_bit_open);
    enum lbr_verdict ring = by_ring(select, transfer);

    if (class == LBR_SUPPRESSES || ring == LBR_SUPPRESSES)
        return LBR_SUPPRESSES;
    if (class == LBR_OPEN && ring == LBR_OPEN) /* nothing can be learnt of either */
        *open_bit = 0;
    else if (class == LBR_OPEN)
        *open_bit = class_bit_open;
    else
        *open_bit = select & CPL_BITS;
    return class == LBR_OPEN || ring == LBR_OPEN ? LBR_OPEN : LBR_RECORDS;
}
