// SPDX-License-Identifier: GPL-2.0-or-later
/* Cuts linear addresses to the width of the present mode, and tells which are canonical. */
#ifndef LINEAR_H
#define LINEAR_H

#include "debug_store.h"

/* Outside IA-32e mode the upper half of every linear address is zero (F4.16). */
static inline uint64_t linear_address(const struct ds_cpu *cpu, uint64_t address)
{
    return cpu->long_mode_active ? address : (uint32_t)address;
}

/* Are the highest implemented bit and all bits above it equal (F3.1)? */
static inline bool linear_is_canonical(const struct ds_profile *profile, uint64_t address)
{
    unsigned width = profile->linear_width ? profile->linear_width : 48;
    uint64_t upper = address >> (width - 1);

    return upper == 0 || upper == ~0ull >> (width - 1);
}

#endif
