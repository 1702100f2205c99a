/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/spec/mode.h"

#include "arch/cpu/smp/hold.h"
#include "arch/trace/debugctl.h"

#define TR      DEBUGCTL_TR
#define BTS     DEBUGCTL_BTS
#define OFF_OS  DEBUGCTL_BTS_OFF_OS
#define OFF_USR DEBUGCTL_BTS_OFF_USR
#define BTINT   DEBUGCTL_BTINT
#define ALL     DEBUGCTL_TABLE_17_6

/* Table 17-6, row by row (F2.31). */
const struct mode_row mode_rows[MODE_ROWS] = {
    {"T17-6.1", TR, 0, false, false, "messages off"},
    {"T17-6.2", TR | BTS, TR, false, false, "messages, not stored"},
    {"T17-6.3", ALL, TR | BTS, true, false, "all stored, circular"},
    {"T17-6.4", ALL, TR | BTS | OFF_OS, true, false, "CPL > 0 stored, circular"},
    {"T17-6.5", ALL, TR | BTS | OFF_USR, true, false, "CPL = 0 stored, circular"},
    {"T17-6.6", ALL & ~BTINT, TR | BTS | OFF_OS | OFF_USR, false, false, "messages, not stored"},
    {"T17-6.7", ALL, TR | BTS | BTINT, true, true, "all stored, interrupt"},
    {"T17-6.8", ALL, TR | BTS | OFF_OS | BTINT, true, true, "CPL > 0 stored, interrupt"},
    {"T17-6.9", ALL, TR | BTS | OFF_USR | BTINT, true, true, "CPL = 0 stored, interrupt"},
};

static bool is_in_row(const struct mode_row *row, uint64_t debugctl)
{
    return (debugctl & row->care) == row->value;
}

/* A setting is in one row alone, mostly in that of the one before. */
const struct mode_row *mode_row_of(uint64_t debugctl)
{
    static const struct mode_row *last = mode_rows;

    if (is_in_row(last, debugctl))
        return last;
    for (size_t i = 0; i < MODE_ROWS; i++)
        if (is_in_row(&mode_rows[i], debugctl))
            return last = &mode_rows[i];
    return NULL;
}

unsigned mode_count_rows(uint64_t debugctl)
{
    unsigned count = 0;

    for (size_t i = 0; i < MODE_ROWS; i++)
        count += is_in_row(&mode_rows[i], debugctl);
    return count;
}

/* A debug exception (F4.7), and XBEGIN where it leads to its fallback at once: whether that is a
 * transfer at all nothing says (F25.30). */
static bool is_open(const struct transfer *transfer)
{
    return transfer_is(transfer->kind, TRANSFER_IS_DEBUG) ||
           (transfer->kind == TRANSFER_ABORT && transactions_always_abort());
}

enum maybe mode_judge(uint64_t debugctl, const struct transfer *transfer)
{
    uint64_t off = transfer->from_ring == 0 ? OFF_OS : OFF_USR;

    if (!mode_row_of(debugctl)->stores)
        return NO;
    if (!(debugctl & (OFF_OS | OFF_USR)))
        return is_open(transfer) ? MAYBE : YES;
    if (transfer_crosses(transfer))
        return MAYBE;
    if (debugctl & off)
        return NO;
    return is_open(transfer) ? MAYBE : YES;
}
