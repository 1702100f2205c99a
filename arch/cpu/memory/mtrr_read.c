/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/identity.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/memory/mtrr.h"

#define CPUID_MTRR   12u   /* 01H:EDX */
#define CAP_VARIABLE 0xffu /* of IA32_MTRRCAP: how many ranges */

static bool read(uint32_t number, uint64_t *value)
{
    return !exception_happened(rdmsr_safe(number, value));
}

bool mtrr_read(struct mtrrs *out)
{
    uint64_t capabilities;
    if (!cpuid_bit_value((struct cpuid_bit){1, CPUID_EDX, CPUID_MTRR}) ||
        !read(IA32_MTRRCAP, &capabilities) || !read(IA32_MTRR_DEF_TYPE, &out->default_type))
        return false;
    out->count = capabilities & CAP_VARIABLE;
    if (out->count > MTRR_RANGES_MAX)
        return false;
    for (unsigned i = 0; i < out->count; i++)
        if (!read(IA32_MTRR_PHYSBASE0 + 2 * i, &out->ranges[i].base) ||
            !read(IA32_MTRR_PHYSBASE0 + 2 * i + 1, &out->ranges[i].mask))
            return false;
    return true;
}
