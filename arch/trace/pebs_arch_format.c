/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/pebs_format.h"

#define HEADER_BYTES        16u
#define BASIC_BYTES         48u
#define AUX_BYTES           64u
#define GPRS_BYTES          160u
#define VECTOR_HEADER_BYTES 16u
#define XMM_BYTES           256u
#define LBR_HEADER_BYTES    48u
#define LBR_BYTES           24u

#define SIZE_MASK    0xffffu
#define MODE_64_BITS (1u << 30)
#define CONTINUED    (1u << 31)

#define LATENCY_VALID (1u << 16)

/* What is left of a fragment, or of the bytes; a group that does not fit makes it bad. */
struct cursor {
    const char *at;
    size_t left;
    bool bad;
};

static const uint64_t nothing[XMM_BYTES / 8];

/* The next so many bytes: zeros where there are not as many. */
static const void *take(struct cursor *cursor, size_t length)
{
    const char *at = cursor->at;

    if (length > cursor->left) {
        cursor->bad = true;
        return nothing;
    }
    cursor->at += length;
    cursor->left -= length;
    return at;
}

static uint64_t field(const void *bytes, size_t offset)
{
    return *(const volatile uint64_t *)((const char *)bytes + offset);
}

unsigned pebs_arch_lbr_entries(unsigned code, unsigned depth)
{
    unsigned entries = code == 1 ? 8 : code == 2 ? 16 : code == 3 ? depth : 0;

    return entries < PEBS_LBR_ENTRIES_MAX ? entries : PEBS_LBR_ENTRIES_MAX;
}

static void take_basic(struct cursor *cursor, struct pebs_arch_record *record)
{
    const void *bytes = take(cursor, BASIC_BYTES);
    struct pebs_record *common = &record->common;
    uint64_t latency = field(bytes, 0x18);

    common->has_eventing_ip = common->has_applicable = common->has_tsc = true;
    common->eventing_ip = field(bytes, 0);
    common->applicable = field(bytes, 8);
    common->tsc = field(bytes, 0x10);
    record->has_latency = latency & LATENCY_VALID;
    common->retire_latency = latency & 0xffff;
}

static void take_aux(struct cursor *cursor, struct pebs_record *common)
{
    const void *bytes = take(cursor, AUX_BYTES);

    common->has_memory = true;
    common->address = field(bytes, 0);
    common->data_source = field(bytes, 0x28);
    common->latency = field(bytes, 0x30);
    common->transaction = field(bytes, 0x38);
}

static void take_gprs(struct cursor *cursor, struct pebs_record *common)
{
    pebs_format_decode_gprs(take(cursor, GPRS_BYTES), common);
}

static void take_xmm(struct cursor *cursor, struct pebs_record *common)
{
    const void *bytes;

    take(cursor, VECTOR_HEADER_BYTES);
    bytes = take(cursor, XMM_BYTES);
    common->has_xmm = true;
    for (unsigned i = 0; i < 16; i++)
        for (unsigned half = 0; half < 2; half++)
            common->xmm[i][half] = field(bytes, 16 * i + 8 * half);
}

static void take_lbrs(struct cursor *cursor, unsigned entries, struct pebs_arch_record *record)
{
    const void *header = take(cursor, LBR_HEADER_BYTES);

    record->lbr_control = field(header, 8);
    record->lbr_depth = field(header, 0x10);
    record->last_exception = (struct lbr_raw){
        .from = field(header, 0x18), .to = field(header, 0x20), .info = field(header, 0x28)};
    record->common.lbr_count = entries;
    for (unsigned i = 0; i < entries; i++) {
        const void *entry = take(cursor, LBR_BYTES);

        record->common.lbr[i].from = field(entry, 0);
        record->common.lbr[i].to = field(entry, 8);
        record->common.lbr[i].info = field(entry, 0x10);
    }
}

/* The header is told first how long the values are. */
static void take_counters(struct cursor *cursor, struct pebs_record *common)
{
    const struct cursor start = *cursor;
    size_t length;

    take(cursor, PEBS_COUNTERS_HEADER_BYTES);
    if (cursor->bad)
        return;
    length = pebs_format_counters_size(start.at);
    *cursor = start;
    take(cursor, length);
    if (!cursor->bad)
        pebs_format_decode_counters(start.at, common);
}

/* In the order of F22.35; a vector group but XMM is one that nobody has asked for. */
static void take_groups(struct cursor *cursor, uint64_t groups, unsigned depth,
                        struct pebs_arch_record *record)
{
    if (groups & PEBS_ARCH_BASIC)
        take_basic(cursor, record);
    if (groups & PEBS_ARCH_AUX)
        take_aux(cursor, &record->common);
    if (groups & PEBS_ARCH_GPRS)
        take_gprs(cursor, &record->common);
    if (groups & PEBS_ARCH_VECTORS & ~PEBS_ARCH_XMM)
        cursor->bad = true;
    if (groups & PEBS_ARCH_XMM)
        take_xmm(cursor, &record->common);
    if (groups & PEBS_ARCH_LBRS(3))
        take_lbrs(cursor, pebs_arch_lbr_entries(groups >> 40 & 3, depth), record);
    if (groups & PEBS_ARCH_COUNTERS)
        take_counters(cursor, &record->common);
}

/* One fragment at the start of the bytes. Whether another one of the record follows, in more. */
static bool take_fragment(struct cursor *bytes, unsigned depth, struct pebs_arch_record *record,
                          bool *more)
{
    struct cursor fragment = *bytes;
    uint64_t header = field(take(&fragment, HEADER_BYTES), 0), groups = header & PEBS_ARCH_GROUPS;
    size_t size = header & SIZE_MASK;

    if (fragment.bad || size < HEADER_BYTES || size > bytes->left)
        return false;
    fragment.left = size - HEADER_BYTES;
    if (!record->fragments++)
        record->is_64_bits = header & MODE_64_BITS;
    take_groups(&fragment, groups, depth, record);
    record->groups |= groups;
    record->whole &= !fragment.bad;
    record->padding += fragment.left;
    record->common.size += size;
    take(bytes, size);
    *more = header & CONTINUED || !(header >> 16); /* one with only a size is followed by another */
    return true;
}

bool pebs_arch_format_decode(const void *bytes, size_t length, unsigned depth,
                             struct pebs_arch_record *record)
{
    struct cursor cursor = {bytes, length, false};
    bool more = true;

    __builtin_memset(record, 0, sizeof *record);
    record->whole = true;
    while (more)
        if (!take_fragment(&cursor, depth, record, &more))
            return false;
    record->whole &= !!(record->groups & PEBS_ARCH_BASIC);
    return true;
}
