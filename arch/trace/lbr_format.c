/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr_format.h"

#include <stddef.h>

#define BIT(number) (1ull << (number))

/* What a format keeps where, beside the addresses. */
struct layout {
    bool flags_in_from; /* misprediction in FROM[63] */
    bool tsx_in_from;   /* and FROM[62] in transaction, FROM[61] abort */
    bool info;          /* MSR_LBR_INFO: misprediction in bit 63, cycles in 15:0 */
    bool tsx_in_info;   /* bits 62 and 61 of it */
    bool cycles_in_to;  /* TO[63:48] */
    bool may_be_32_bits;
    bool architectural; /* INFO with more in it: whether cycles are valid, BR_TYPE, events */
};

static const struct layout layouts[LBR_FORMATS] = {
    [LBR_FORMAT_32] = {.may_be_32_bits = true},
    [LBR_FORMAT_LINEAR] = {},
    [LBR_FORMAT_EIP] = {},
    [LBR_FORMAT_EIP_FLAGS] = {.flags_in_from = true},
    [LBR_FORMAT_EIP_FLAGS_TSX] = {.flags_in_from = true, .tsx_in_from = true},
    [LBR_FORMAT_EIP_INFO] = {.info = true, .tsx_in_info = true},
    [LBR_FORMAT_LINEAR_CYCLES] = {.flags_in_from = true, .cycles_in_to = true},
    [LBR_FORMAT_INFO_NO_TSX] = {.info = true},
};

static const struct layout architectural = {
    .info = true, .tsx_in_info = true, .architectural = true};

static const struct layout *layout_of(enum lbr_format format)
{
    if (format == LBR_FORMAT_ARCHITECTURAL)
        return &architectural;
    return &layouts[format < LBR_FORMATS ? format : LBR_FORMAT_LINEAR];
}

/* F8.17: bit 47 fills the upper bits that flags or cycles take; the others do so themselves. */
static uint64_t extended(uint64_t value, unsigned taken)
{
    uint64_t mask = taken ? ~0ull << (64 - taken) : 0;

    return value & BIT(47) ? value | mask : value & ~mask;
}

/* How many of FROM's upper bits are flags (F8.11, F8.12, F8.15). */
static unsigned flags_of(const struct layout *layout)
{
    if (layout->tsx_in_from)
        return 3;
    return layout->flags_in_from ? 1 : 0;
}

/* INFO has more in it than other formats (F20.21). */
static void add_architectural(struct lbr_entry *entry, uint64_t info)
{
    entry->has_cycles = info & BIT(60);
    entry->has_type = true;
    entry->type = info >> 56 & 15;
    for (unsigned i = 0; i < 4; i++)
        entry->events[i] = info >> (32 + 2 * i) & 3;
}

struct lbr_entry lbr_decode(enum lbr_format format, const struct lbr_raw *raw)
{
    const struct layout *layout = layout_of(format);
    struct lbr_entry entry = {
        .from = extended(raw->from, flags_of(layout)),
        .to = extended(raw->to, layout->cycles_in_to ? 16 : 0),
        .has_misprediction = layout->flags_in_from || layout->info,
        .has_tsx = layout->tsx_in_from || layout->tsx_in_info,
        .has_cycles = layout->cycles_in_to || layout->info,
        .upper_half_absent = layout->may_be_32_bits,
    };
    uint64_t flags = layout->flags_in_from ? raw->from : raw->info;

    entry.mispredicted = entry.has_misprediction && flags & BIT(63);
    entry.in_transaction = entry.has_tsx && flags & BIT(62);
    entry.transaction_abort = entry.has_tsx && flags & BIT(61);
    if (layout->architectural)
        add_architectural(&entry, raw->info);
    if (entry.has_cycles)
        entry.cycles = (uint16_t)(layout->cycles_in_to ? raw->to >> 48 : raw->info);
    return entry;
}

struct lbr_entry lbr_decode_open_flag(const struct lbr_raw *raw)
{
    struct lbr_entry entry = lbr_decode(LBR_FORMAT_LINEAR, raw);

    entry.from = extended(raw->from, 1);
    entry.mispredicted = entry.from != raw->from;
    return entry;
}

struct lbr_entry lbr_decode_packed(uint64_t value)
{
    return (struct lbr_entry){
        .from = (uint32_t)value, .to = value >> 32, .upper_half_absent = true};
}

#define TOS          .top_of_stack = 0x1c9
#define TOS_NETBURST .top_of_stack = 0x1da
#define LER          .ler_from = 0x1dd, .ler_to = 0x1de
#define LER_REVERSED .ler_from = 0x1de, .ler_to = 0x1dd /* as printed for Pentium M: D 11 */
#define LER_NETBURST .ler_from = 0x1d7, .ler_to = 0x1d8
#define AT_40H       .from = LBR_STACK_LOW_FROM, .to = LBR_STACK_LOW_TO
#define AT_680H      .from = LBR_STACK_HIGH_FROM, .to = LBR_STACK_HIGH_TO

/* F8.1: which cores have which stack is in arch/cpu/identity/models.def. */
static const struct lbr_stack stacks[LBR_KINDS] = {
    [LBR_WILLAMETTE] = {.depth = 4, .packed = true, .from = 0x1db, TOS_NETBURST, LER_NETBURST},
    [LBR_PRESCOTT] = {.depth = 16, AT_680H, TOS_NETBURST, LER_NETBURST},
    [LBR_PENTIUM_M] = {.depth = 8, .packed = true, .from = LBR_STACK_LOW_FROM, TOS, LER_REVERSED},
    [LBR_YONAH] = {.depth = 8, .packed = true, .from = LBR_STACK_LOW_FROM, TOS, LER},
    [LBR_MEROM] = {.depth = 4, AT_40H, TOS, LER},
    [LBR_BONNELL] = {.depth = 8, AT_40H, TOS, LER},
    [LBR_SILVERMONT] = {.depth = 8, .has_select = true, .flag_is_open = true, AT_40H, TOS, LER},
    /* The format says linear, the flag is there all the same. */
    [LBR_KNIGHTS_LANDING] =
        {.depth = 8, .has_select = true, .misprediction = true, AT_680H, TOS, LER},
    [LBR_NEHALEM] = {.depth = 16, .has_select = true, .no_call_stack = true, AT_680H, TOS, LER},
    [LBR_HASWELL] = {.depth = 16, .has_select = true, AT_680H, TOS, LER},
    [LBR_SKYLAKE] = {.depth = 32, .has_select = true, .info = LBR_STACK_INFO, AT_680H, TOS, LER},
    [LBR_GOLDMONT] = {.depth = 32, .has_select = true, AT_680H, TOS, LER},
};

const struct lbr_stack *lbr_stack_of(const struct cpu_identity *identity)
{
    const struct lbr_stack *stack = &stacks[core_facts(identity)->lbr];

    return stack->depth ? stack : NULL;
}
