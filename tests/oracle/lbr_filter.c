/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/oracle/lbr_filter.h"

#include "arch/trace/lbr.h"
#include "tests/oracle/lbr_readings.h"

/* The bit that suppresses the kind. */
static const uint16_t class_bit[TRANSFER_KINDS] = {
#define TRANSFER(kind, number, name, select, ...) [TRANSFER_##kind] = LBR_SELECT_##select,
#include "tests/workloads/transfers.def"
#undef TRANSFER
};

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
    if (!transfer_is(transfer->kind, TRANSFER_IS_OPEN_CLASS))
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
