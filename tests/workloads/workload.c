/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/workloads/workload.h"

/* A number that stands in two rows, or beyond the last, does not build. */
static const struct {
    const char *name;
    unsigned properties;
} kinds[TRANSFER_KINDS] = {
#define TRANSFER(kind, number, name, select, properties) [TRANSFER_##kind] = {name, properties},
#include "tests/workloads/transfers.def"
#undef TRANSFER
};

const char *transfer_kind_name(uint32_t kind)
{
    return kind < TRANSFER_KINDS ? kinds[kind].name : "unknown transfer";
}

bool transfer_is(uint32_t kind, unsigned properties)
{
    return kind < TRANSFER_KINDS && kinds[kind].properties & properties;
}

bool transfer_crosses(const struct transfer *transfer)
{
    return (transfer->from_ring == 0) != (transfer->to_ring == 0);
}

#define CALL_BYTES 5 /* a direct near CALL, but for that of 16-bit code */

bool transfer_calls_next(const struct transfer *transfer)
{
    return transfer->kind == TRANSFER_CALL && transfer->to == transfer->from + CALL_BYTES;
}
