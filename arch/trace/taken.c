/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/trace/taken.h"

#include "arch/cpu/smp/force_abort.h"
#include "arch/cpu/ground/msr.h"
#include "arch/trace/features.h"

#define PMC3 (1ull << 3)

uint64_t taken_counters(void)
{
    return trace_features()->taken | (force_abort_refused() ? PMC3 : 0);
}

/* The adaptive bit of the counter, too (F3.48). */
uint64_t taken_fields_of(unsigned number)
{
    return FIXED_CTR_CTRL_FIELD_OF(number) | FIXED_CTR_CTRL_FIELD_OF(number + TAKEN_FIXED_LOOKED);
}

uint64_t taken_fixed_fields(void)
{
    uint64_t fields = 0;

    for (unsigned i = 0; i < TAKEN_FIXED_LOOKED; i++)
        fields |= trace_features()->taken >> (TAKEN_FIXED_SHIFT + i) & 1 ? taken_fields_of(i) : 0;
    return fields;
}
