/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/lbr_arch.h"

#include <stddef.h>

/* Of INFO (F20.21). */
#define INFO_MISPREDICTED 0x8000000000000000ull
#define INFO_TRANSACTIONS 0x6000000000000000ull
#define INFO_TYPE         0x0f00000000000000ull
#define INFO_EVENTS       0x000000ff00000000ull
#define INFO_CYCLES       0x100000000000ffffull

struct lbr_leaf lbr_leaf_decode(struct cpuid_result leaf)
{
    return (struct lbr_leaf){
        .depths = (uint8_t)leaf.eax,
        .lost_when_deep = leaf.eax >> 30 & 1,
        .linear = leaf.eax >> 31,
        .filters_rings = leaf.ebx & 1,
        .filters_kinds = leaf.ebx >> 1 & 1,
        .has_call_stack = leaf.ebx >> 2 & 1,
        .has_misprediction = leaf.ecx & 1,
        .has_cycles = leaf.ecx >> 1 & 1,
        .has_type = leaf.ecx >> 2 & 1,
        .event_counters = leaf.ecx >> 16 & 15,
    };
}

/* Up to LBR_DEPTH_MAX. */
static unsigned usable_depths(const struct lbr_leaf *leaf)
{
    return leaf->depths & ((1u << LBR_DEPTH_MAX / LBR_DEPTH_STEP) - 1);
}

unsigned lbr_leaf_largest(const struct lbr_leaf *leaf)
{
    unsigned depths = usable_depths(leaf);

    return depths ? LBR_DEPTH_STEP * (32 - (unsigned)__builtin_clz(depths)) : 0;
}

unsigned lbr_leaf_smallest(const struct lbr_leaf *leaf)
{
    unsigned depths = usable_depths(leaf);

    return depths ? LBR_DEPTH_STEP * (1 + (unsigned)__builtin_ctz(depths)) : 0;
}

bool lbr_leaf_has_depth(const struct lbr_leaf *leaf, uint64_t depth)
{
    return depth && depth % LBR_DEPTH_STEP == 0 && depth <= lbr_leaf_largest(leaf) &&
           leaf->depths >> (depth / LBR_DEPTH_STEP - 1) & 1;
}

/* The one leaves out, the other lets in (F8.20, F20.14). */
static const struct pair {
    uint32_t left_out, included;
} pairs[] = {
    {LBR_SELECT_CPL_EQ_0, LBR_CTL_OS},
    {LBR_SELECT_CPL_NEQ_0, LBR_CTL_USR},
    {LBR_SELECT_JCC, LBR_CTL_JCC},
    {LBR_SELECT_NEAR_REL_CALL, LBR_CTL_NEAR_REL_CALL},
    {LBR_SELECT_NEAR_IND_CALL, LBR_CTL_NEAR_IND_CALL},
    {LBR_SELECT_NEAR_RET, LBR_CTL_NEAR_RET},
    {LBR_SELECT_NEAR_IND_JMP, LBR_CTL_NEAR_IND_JMP},
    {LBR_SELECT_NEAR_REL_JMP, LBR_CTL_NEAR_REL_JMP},
    {LBR_SELECT_FAR_BRANCH, LBR_CTL_OTHER_BRANCH},
};

static uint64_t filters_of(const struct lbr_leaf *leaf)
{
    return (leaf->filters_rings ? LBR_CTL_RINGS : 0) | (leaf->filters_kinds ? LBR_CTL_KINDS : 0);
}

uint64_t lbr_leaf_filter(const struct lbr_leaf *leaf, uint64_t left_out)
{
    uint64_t control = left_out & LBR_SELECT_EN_CALLSTACK ? LBR_CTL_CALL_STACK : 0;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (!(left_out & pairs[i].left_out))
            control |= pairs[i].included & filters_of(leaf);
    return control;
}

uint64_t lbr_leaf_left_out(const struct lbr_leaf *leaf, uint64_t control)
{
    uint64_t left_out = control & LBR_CTL_CALL_STACK ? LBR_SELECT_EN_CALLSTACK : 0;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (~control & pairs[i].included & filters_of(leaf))
            left_out |= pairs[i].left_out;
    return left_out;
}

uint64_t lbr_leaf_info(const struct lbr_leaf *leaf, bool transactions)
{
    return (leaf->has_misprediction ? INFO_MISPREDICTED : 0) |
           (transactions ? INFO_TRANSACTIONS : 0) | (leaf->has_cycles ? INFO_CYCLES : 0) |
           (leaf->has_type ? INFO_TYPE : 0) | (leaf->event_counters ? INFO_EVENTS : 0);
}

uint64_t lbr_leaf_last_exception_info(const struct lbr_leaf *leaf, bool transactions)
{
    return lbr_leaf_info(leaf, transactions) & ~(INFO_CYCLES | INFO_EVENTS);
}
