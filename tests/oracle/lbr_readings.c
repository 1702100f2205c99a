/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/lbr_readings.h"

#include "arch/trace/debugctl.h"
#include "arch/trace/lbr.h"

#define SELECT_BITS 9

static const char *const bit_names[SELECT_BITS] = {
    "CPL_EQ_0", "CPL_NEQ_0",    "JCC",          "NEAR_REL_CALL", "NEAR_IND_CALL",
    "NEAR_RET", "NEAR_IND_JMP", "NEAR_REL_JMP", "FAR_BRANCH",
};

static enum lbr_reading filters[SELECT_BITS][TRANSFER_KINDS];
static enum lbr_reading_from from_readings[TRANSFER_KINDS];
static enum lbr_reading_width width_reading;

static unsigned number_of(uint64_t bit)
{
    return (unsigned)__builtin_ctzll(bit) % SELECT_BITS;
}

enum lbr_reading lbr_reading_of_filter(uint64_t bit, uint32_t kind)
{
    return filters[number_of(bit)][kind];
}

void lbr_reading_learn_filter(struct test_context *t, uint64_t bit, uint32_t kind, bool recorded)
{
    filters[number_of(bit)][kind] = recorded ? LBR_RECORDED : LBR_SUPPRESSED;
    test_observe(t, "MSR_LBR_SELECT.%s %s %s%s", bit_names[number_of(bit)],
                 recorded ? "lets pass" : "suppresses",
                 bit & (LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0) ? "the ring change by " : "",
                 transfer_kind_name(kind));
}

enum lbr_reading_from lbr_reading_of_from(uint32_t kind)
{
    bool follows_int = kind == TRANSFER_INT3 || kind == TRANSFER_INTO;

    if (follows_int && from_readings[TRANSFER_INT] == LBR_FROM_INSTRUCTION)
        return LBR_FROM_INSTRUCTION;
    return from_readings[kind];
}

void lbr_reading_learn_from(struct test_context *t, uint32_t kind, enum lbr_reading_from reading)
{
    const char *next =
        kind == TRANSFER_ABORT ? "beginning of the transaction" : "instruction after it";

    from_readings[kind] = reading;
    test_observe(t, "in the LBR stack FROM of %s is the %s", transfer_kind_name(kind),
                 reading == LBR_FROM_INSTRUCTION ? "instruction itself" : next);
}

enum lbr_reading_width lbr_reading_of_width(void)
{
    return width_reading;
}

void lbr_reading_learn_width(struct test_context *t, enum lbr_reading_width reading)
{
    width_reading = reading;
    test_observe(t, "LBR format 0 or none enumerated: the stack keeps %u address bits",
                 reading == LBR_WIDTH_32 ? 32 : 64);
}

static enum lbr_reading_tr tr_readings[2]; /* BTS clear, BTS set */

enum lbr_reading_tr lbr_reading_of_tr(uint64_t debugctl)
{
    return tr_readings[!!(debugctl & DEBUGCTL_BTS)];
}

void lbr_reading_learn_tr(struct test_context *t, uint64_t debugctl, enum lbr_reading_tr reading)
{
    bool bts = debugctl & DEBUGCTL_BTS;

    tr_readings[bts] = reading;
    test_observe(t, "with %s set and LBR clear the LBR stack %s", bts ? "TR and BTS" : "TR",
                 reading == LBR_TR_STANDS_STILL ? "stands still" : "goes on being updated");
}
