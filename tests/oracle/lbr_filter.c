/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/lbr_filter.h"

#include "arch/trace/lbr.h"
#include "tests/oracle/lbr_readings.h"

/* The bit that suppresses the kind. */
static const uint16_t class_bit[TRANSFER_KINDS] = {
    [TRANSFER_JMP] = LBR_SELECT_NEAR_REL_JMP,
    [TRANSFER_JMP_INDIRECT] = LBR_SELECT_NEAR_IND_JMP,
    [TRANSFER_JCC] = LBR_SELECT_JCC,
    [TRANSFER_LOOP] = LBR_SELECT_JCC,
    [TRANSFER_JRCXZ] = LBR_SELECT_JCC,
    [TRANSFER_CALL] = LBR_SELECT_NEAR_REL_CALL,
    [TRANSFER_CALL_INDIRECT] = LBR_SELECT_NEAR_IND_CALL,
    [TRANSFER_RET] = LBR_SELECT_NEAR_RET,
    [TRANSFER_INT] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_IRET] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_SYSCALL] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_SYSRET] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_INTERRUPT] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_EXCEPTION] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_FAR_JMP] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_FAR_CALL] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_FAR_RET] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_INT3] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_INTO] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_INT1] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_DEBUG] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_SYSENTER] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_SYSEXIT] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_ABORT] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_CODE_BREAK] = LBR_SELECT_FAR_BRANCH,
    [TRANSFER_DATA_BREAK] = LBR_SELECT_FAR_BRANCH,
};

static bool class_is_open(uint32_t kind)
{
    return kind == TRANSFER_LOOP || kind == TRANSFER_JRCXZ || kind == TRANSFER_INTERRUPT ||
           kind == TRANSFER_EXCEPTION || kind == TRANSFER_INT3 || kind == TRANSFER_INTO ||
           kind == TRANSFER_ABORT;
}

static enum lbr_verdict by_reading(uint64_t bit, uint32_t kind)
{
    switch (lbr_reading_of_filter(bit, kind)) {
    case LBR_RECORDED:
        return LBR_RECORDS;
    case LBR_SUPPRESSED:
        return LBR_SUPPRESSES;
    default:
        return LBR_OPEN;
    }
}

static enum lbr_verdict by_class(uint64_t select, const struct transfer *transfer)
{
    if (!(select & class_bit[transfer->kind]))
        return LBR_RECORDS;
    if (!class_is_open(transfer->kind))
        return LBR_SUPPRESSES;
    return by_reading(class_bit[transfer->kind], transfer->kind);
}

static enum lbr_verdict by_ring(uint64_t select, const struct transfer *transfer)
{
    uint64_t bits = select & (LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0);
    uint64_t from = transfer->from_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0;
    uint64_t to = transfer->to_ring ? LBR_SELECT_CPL_NEQ_0 : LBR_SELECT_CPL_EQ_0;

    if (!(bits & (from | to)))
        return LBR_RECORDS;
    if (bits & from && bits & to) /* whichever ring decides */
        return LBR_SUPPRESSES;
    return by_reading(bits, transfer->kind);
}

enum lbr_verdict lbr_filter_judge(uint64_t select, const struct transfer *transfer,
                                  uint64_t *open_bit)
{
    enum lbr_verdict class = by_class(select, transfer), ring = by_ring(select, transfer);

    if (class == LBR_SUPPRESSES || ring == LBR_SUPPRESSES)
        return LBR_SUPPRESSES;
    if (class == LBR_OPEN && ring == LBR_OPEN) /* nothing can be learnt of either */
        *open_bit = 0;
    else if (class == LBR_OPEN)
        *open_bit = class_bit[transfer->kind];
    else
        *open_bit = select & (LBR_SELECT_CPL_EQ_0 | LBR_SELECT_CPL_NEQ_0);
    return class == LBR_OPEN || ring == LBR_OPEN ? LBR_OPEN : LBR_RECORDS;
}
