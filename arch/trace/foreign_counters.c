/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/foreign_counters.h"

#include "arch/cpu/smp/hold.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"

#define PMC3 (1ull << 3)

uint64_t foreign_counters(void)
{
    return trace_features()->foreign | (tsx_abort_refused() ? PMC3 : 0);
}

/* The adaptive bit of the counter, too (F3.48). */
uint64_t foreign_fields_of(unsigned number)
{
    return FIXED_CTR_CTRL_FIELD_OF(number) | FIXED_CTR_CTRL_FIELD_OF(number + FOREIGN_FIXED_LOOKED);
}

uint64_t foreign_fixed_fields(void)
{
    uint64_t fields = 0;

    for (unsigned i = 0; i < FOREIGN_FIXED_LOOKED; i++)
        fields |=
            trace_features()->foreign >> (FOREIGN_FIXED_SHIFT + i) & 1 ? foreign_fields_of(i) : 0;
    return fields;
}
