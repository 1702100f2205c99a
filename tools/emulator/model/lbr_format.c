// SPDX-License-Identifier: GPL-2.0-or-later
#include "lbr_format.h"

#include "family.h"
#include "perf_capabilities.h"

/* Formats 1 and 2 hold addresses alone, linear or EIP: the same with flat segments. */
enum format {
    FORMAT_32_BIT = 0,
    FORMAT_LINEAR = 1,
    FORMAT_MISPRED = 3,
    FORMAT_MISPRED_TSX = 4,
    FORMAT_INFO_TSX = 5,
    FORMAT_CYCLES_IN_TO = 6,
    FORMAT_INFO = 7,
};

#define MISPRED     (1ull << 63)
#define TSX_BITS    (3ull << 61)
#define CYCLES_MOST 0xffffull
#define TO_ADDRESS  0xffffffffffffull

static unsigned format_of(const struct ds_cpu *cpu)
{
    /* Without the register no format is enumerated, and entries are bare addresses. */
    return cpu->profile.pdcm ? perf_capabilities(cpu) & PERF_CAPABILITIES_LBR_FORMAT
                             : FORMAT_LINEAR;
}

/* The entries' format: some processors have one flag more than format 1 says. */
static unsigned layout_of(const struct ds_cpu *cpu)
{
    unsigned format = format_of(cpu);

    return format == FORMAT_LINEAR && family_of(&cpu->profile)->lbr_linear_mispred ? FORMAT_MISPRED
                                                                                   : format;
}

bool lbr_format_is_linear(const struct ds_cpu *cpu)
{
    unsigned format = format_of(cpu);

    return format == FORMAT_LINEAR || format == FORMAT_CYCLES_IN_TO;
}

bool lbr_format_has_info(const struct ds_cpu *cpu)
{
    unsigned format = format_of(cpu);

    return format == FORMAT_INFO_TSX || format == FORMAT_INFO;
}

unsigned lbr_format_from_flags(const struct ds_cpu *cpu)
{
    switch (layout_of(cpu)) {
    case FORMAT_MISPRED:
    case FORMAT_CYCLES_IN_TO:
        return 1;
    case FORMAT_MISPRED_TSX:
        return 3;
    default:
        return 0;
    }
}

unsigned lbr_format_to_flags(const struct ds_cpu *cpu)
{
    return format_of(cpu) == FORMAT_CYCLES_IN_TO ? 16 : 0;
}

struct lbr_entry lbr_format_entry(const struct ds_cpu *cpu, uint64_t from, uint64_t to,
                                  bool mispredicted, uint64_t cycles)
{
    struct lbr_entry entry = {from, to, 0};
    uint64_t flag = mispredicted ? MISPRED : 0;

    cycles = cycles < CYCLES_MOST ? cycles : CYCLES_MOST;
    switch (layout_of(cpu)) {
    case FORMAT_32_BIT:
        entry.from = (uint32_t)from;
        entry.to = (uint32_t)to;
        break;
    case FORMAT_MISPRED:
        entry.from = (from & ~MISPRED) | flag;
        break;
    case FORMAT_MISPRED_TSX:
        entry.from = (from & ~(MISPRED | TSX_BITS)) | flag;
        break;
    case FORMAT_CYCLES_IN_TO:
        entry.from = (from & ~MISPRED) | flag;
        entry.to = (to & TO_ADDRESS) | cycles << 48;
        break;
    case FORMAT_INFO_TSX:
    case FORMAT_INFO:
        entry.info = flag | cycles;
        break;
    }
    return entry;
}
