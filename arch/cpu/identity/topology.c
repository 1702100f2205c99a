/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/topology.h"
#include <stdbool.h>

#define LEAF_NEW    0x1fu
#define LEAF_OLD    0x0bu
#define LEVELS_MOST 8u /* six kinds of level exist; ends a list without end */

#define SHIFT(r)     ((r).eax & 0x1f)
#define KIND(r)      ((r).ecx >> 8 & 0xff) /* 0: there are no more levels */
#define KIND_THREADS 1u

/* Reads levels from inner to outer. Returns false if the leaf makes no sense. */
static bool read_levels(uint32_t leaf, cpuid_reader read, struct topology *out)
{
    struct cpuid_result level = read(leaf, 0);
    *out = (struct topology){.leaf = leaf, .id = level.edx};
    for (uint32_t i = 0; i < LEVELS_MOST; i++, level = read(leaf, i)) {
        if (KIND(level) == 0)
            return i > 0;
        if (SHIFT(level) < out->package_shift)
            return false;
        if (KIND(level) == KIND_THREADS)
            out->core_shift = SHIFT(level);
        out->package_shift = SHIFT(level);
    }
    return false;
}

struct topology topology_read(uint32_t max_leaf, cpuid_reader read)
{
    static const uint32_t leaves[] = {LEAF_NEW, LEAF_OLD};
    struct topology found;
    for (unsigned i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
        if (leaves[i] <= max_leaf && (read(leaves[i], 0).ebx & 0xffff) != 0 &&
            read_levels(leaves[i], read, &found))
            return found;
    return (struct topology){0};
}

enum kinship topology_kinship(const struct topology *topology, uint32_t a, uint32_t b)
{
    if (a == b)
        return KIN_SELF;
    if (topology->leaf == 0)
        return KIN_UNKNOWN;
    if (a >> topology->core_shift == b >> topology->core_shift)
        return KIN_CORE;
    return a >> topology->package_shift == b >> topology->package_shift ? KIN_PACKAGE : KIN_NONE;
}

static uint32_t low_bits(uint32_t id, uint32_t count)
{
    return id & (uint32_t)((1ull << count) - 1);
}

struct topology_place topology_place(const struct topology *topology, uint32_t id)
{
    uint32_t in_package = low_bits(id, topology->package_shift);

    return (struct topology_place){
        .package = id >> topology->package_shift,
        .core = in_package >> topology->core_shift,
        .thread = low_bits(id, topology->core_shift),
    };
}
