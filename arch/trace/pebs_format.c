/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/pebs_format.h"

#define FIXED_FORMATS 4u

/* Bytes of each group of an adaptive record (F3.46). */
#define BASIC_BYTES  32u
#define MEMORY_BYTES 32u
#define GPRS_BYTES   144u
#define XMM_BYTES    256u
#define LBR_BYTES    24u

/* Of the group of counters: its header, then a quadword a counter (F22.8). */
#define METRICS_BYTES 16u

/* What of a record's first quadword is its configuration: less where it has a retire latency, too
 * (F22.11). */
#define CONFIG_MASK       ((1ull << 48) - 1)
#define TIMED_CONFIG_MASK 0xffffffffull

/* Of records of formats 0 to 3 (F3.40). */
static const uint16_t fixed_sizes[FIXED_FORMATS] = {0x90, 0xb0, 0xc0, 0xc8};

const char *const gpr_names[GPR_COUNT] = {
    "RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI",
    "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15",
};

/* Which register stands where, from the first register field on (F3.42, F3.46, F3.47). */
static const uint8_t fixed_order[GPR_COUNT] = {
    GPR_RAX, GPR_RBX,    GPR_RCX,    GPR_RDX,    GPR_RSI,    GPR_RDI,    GPR_RBP,    GPR_RSP,
    GPR_R8,  GPR_R8 + 1, GPR_R8 + 2, GPR_R8 + 3, GPR_R8 + 4, GPR_R8 + 5, GPR_R8 + 6, GPR_R8 + 7,
};
static const uint8_t adaptive_order[GPR_COUNT] = {
    GPR_RAX, GPR_RCX,    GPR_RDX,    GPR_RBX,    GPR_RSP,    GPR_RBP,    GPR_RSI,    GPR_RDI,
    GPR_R8,  GPR_R8 + 1, GPR_R8 + 2, GPR_R8 + 3, GPR_R8 + 4, GPR_R8 + 5, GPR_R8 + 6, GPR_R8 + 7,
};

static unsigned lbr_entries(uint64_t data_config)
{
    if (!(data_config & PEBS_DATA_LBRS))
        return 0;
    return (data_config >> 24 & (PEBS_LBR_ENTRIES_MAX - 1)) + 1;
}

static bool has_counters(unsigned format, uint64_t data_config)
{
    return format >= PEBS_FORMAT_COUNTERS && data_config & (PEBS_DATA_COUNTERS | PEBS_DATA_METRICS);
}

static unsigned values_of(uint64_t masks)
{
    unsigned values = 0;

    for (; masks; masks &= masks - 1)
        values++;
    return values;
}

static size_t counters_size(unsigned format, uint64_t data_config)
{
    uint64_t masks = data_config & PEBS_DATA_COUNTERS ? data_config >> 32 & 0xffffff : 0;

    if (!has_counters(format, data_config))
        return 0;
    return PEBS_COUNTERS_HEADER_BYTES + 8 * (size_t)values_of(masks) +
           (data_config & PEBS_DATA_METRICS ? METRICS_BYTES : 0);
}

size_t pebs_format_size(unsigned format, uint64_t data_config)
{
    if (format < FIXED_FORMATS)
        return fixed_sizes[format];
    if (format >= PEBS_FORMATS)
        return 0;
    return BASIC_BYTES + (data_config & PEBS_DATA_MEMORY ? MEMORY_BYTES : 0) +
           (data_config & PEBS_DATA_GPRS ? GPRS_BYTES : 0) +
           (data_config & PEBS_DATA_XMM ? XMM_BYTES : 0) + lbr_entries(data_config) * LBR_BYTES +
           counters_size(format, data_config);
}

uint64_t pebs_format_said(const struct pebs_kind *kind, uint64_t data_config)
{
    bool is_short = kind->timed || kind->format >= PEBS_FORMAT_COUNTERS;

    return data_config & (is_short ? TIMED_CONFIG_MASK : CONFIG_MASK);
}

/* The quadword at so many bytes. The buffer may be changing while it is read. */
static uint64_t field(const void *bytes, size_t offset)
{
    return *(const volatile uint64_t *)((const char *)bytes + offset);
}

/* Flags, IP and, in their order, the general registers: what both kinds of record have. */
static void decode_state(const void *bytes, const uint8_t *order, bool registers,
                         struct pebs_record *record)
{
    record->has_state_ip = true;
    record->flags = field(bytes, 0);
    record->ip = field(bytes, 8);
    record->has_gprs = registers;
    for (unsigned i = 0; registers && i < GPR_COUNT; i++)
        record->gpr[order[i]] = field(bytes, 0x10 + 8 * i);
}

static void decode_memory(const void *bytes, struct pebs_record *record)
{
    record->has_memory = true;
    record->address = field(bytes, 0);
    record->data_source = field(bytes, 8);
    record->latency = field(bytes, 0x10);
}

static void decode_fixed(unsigned format, const void *bytes, bool registers,
                         struct pebs_record *record)
{
    const char *start = bytes;

    decode_state(bytes, fixed_order, registers, record);
    if (format >= 1)
        decode_memory(start + 0x98, record);
    if (format == 1 || format == 2) {
        record->has_global_status = true;
        record->global_status = field(bytes, 0x90);
    }
    if (format >= 2) {
        record->has_eventing_ip = true;
        record->eventing_ip = field(bytes, 0xb0);
        record->transaction = field(bytes, 0xb8);
    }
    if (format >= 3) {
        record->has_applicable = true;
        record->applicable = field(bytes, 0x90);
        record->has_tsc = true;
        record->tsc = field(bytes, 0xc0);
    }
}

static void decode_basic(const struct pebs_kind *kind, const void *bytes,
                         struct pebs_record *record)
{
    uint64_t format_size = field(bytes, 0);

    record->has_format = true;
    record->format_config = pebs_format_said(kind, format_size);
    record->format_size = format_size >> 48;
    if (kind->timed)
        record->retire_latency = format_size >> 32 & 0xffff;
    else
        record->beside_config = format_size >> 32 & 0xffff;
    record->has_eventing_ip = true;
    record->eventing_ip = field(bytes, 8);
    record->has_applicable = true;
    record->applicable = field(bytes, 0x10);
    record->has_tsc = true;
    record->tsc = field(bytes, 0x18);
}

static const char *decode_xmm(const char *at, struct pebs_record *record)
{
    record->has_xmm = true;
    for (unsigned i = 0; i < 16; i++, at += 16) {
        record->xmm[i][0] = field(at, 0);
        record->xmm[i][1] = field(at, 8);
    }
    return at;
}

static const char *decode_lbrs(const char *at, uint64_t data_config, struct pebs_record *record)
{
    record->lbr_count = lbr_entries(data_config);
    for (size_t i = 0; i < record->lbr_count; i++, at += LBR_BYTES) {
        record->lbr[i].from = field(at, 0);
        record->lbr[i].to = field(at, 8);
        record->lbr[i].info = field(at, 0x10);
    }
    return at;
}

/* One quadword for each bit of the mask, from the lowest on, to its place in the values. */
static const char *decode_values(const char *at, uint32_t mask, unsigned most, uint64_t *values)
{
    for (unsigned i = 0; i < most; i++) {
        if (!(mask >> i & 1))
            continue;
        values[i] = field(at, 0);
        at += 8;
    }
    return at;
}

static const char *decode_counters(const char *at, struct pebs_record *record)
{
    uint64_t masks = field(at, 0);

    record->has_counters = true;
    record->general_mask = (uint32_t)masks;
    record->fixed_mask = (uint32_t)(masks >> 32);
    record->metrics_word = (uint32_t)field(at, 8);
    at += PEBS_COUNTERS_HEADER_BYTES;
    at = decode_values(at, record->general_mask, PEBS_GENERAL_VALUES, record->general);
    at = decode_values(at, record->fixed_mask, PEBS_FIXED_VALUES, record->fixed);
    if (record->metrics_word != PEBS_METRICS_THERE)
        return at;
    record->slots = field(at, 0);
    record->metrics = field(at, 8);
    return at + METRICS_BYTES;
}

void pebs_format_decode_gprs(const void *bytes, struct pebs_record *record)
{
    decode_state(bytes, adaptive_order, true, record);
}

size_t pebs_format_counters_size(const void *bytes)
{
    uint64_t masks = field(bytes, 0) & 0xff0000ffff;

    return PEBS_COUNTERS_HEADER_BYTES + 8 * (size_t)values_of(masks) +
           ((uint32_t)field(bytes, 8) == PEBS_METRICS_THERE ? METRICS_BYTES : 0);
}

void pebs_format_decode_counters(const void *bytes, struct pebs_record *record)
{
    decode_counters(bytes, record);
}

/* In the order of F22.7. */
static void decode_adaptive(const struct pebs_kind *kind, const void *bytes,
                            struct pebs_record *record)
{
    const char *at = bytes;
    uint64_t groups;

    decode_basic(kind, at, record);
    groups = record->format_config;
    at += BASIC_BYTES;
    if (groups & PEBS_DATA_MEMORY) {
        decode_memory(at, record);
        record->transaction = field(at, 0x18);
        at += MEMORY_BYTES;
    }
    if (groups & PEBS_DATA_GPRS) {
        decode_state(at, adaptive_order, true, record);
        at += GPRS_BYTES;
    }
    if (groups & PEBS_DATA_XMM)
        at = decode_xmm(at, record);
    at = decode_lbrs(at, groups, record);
    if (has_counters(kind->format, groups))
        at = decode_counters(at, record);
    record->size = (size_t)(at - (const char *)bytes);
}

bool pebs_format_decode(const struct pebs_kind *kind, const void *bytes, struct pebs_record *record)
{
    __builtin_memset(record, 0, sizeof *record);
    record->size = pebs_format_size(kind->format, 0);
    if (!record->size)
        return false;
    if (kind->format >= PEBS_FORMAT_ADAPTIVE)
        decode_adaptive(kind, bytes, record);
    else
        decode_fixed(kind->format, bytes, kind->registers, record);
    return true;
}
