/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/mtrr.h"
#include "arch/cpu/ground/msr.h"
#include "arch/cpu/identity/identity.h"

#define TYPE    0xffu
#define ENABLED (1u << 11)
#define VALID   (1u << 11)
#define FIELD   0x000ffffffffff000ull /* of base and mask, as far as there are physical addresses */

static bool is_type(uint64_t type)
{
    return type <= MEMORY_WRITE_BACK && type != 2 && type != 3;
}

/* Two ranges over one byte. */
static enum memory_type combine(enum memory_type a, enum memory_type b)
{
    if (a == b)
        return a;
    if (a == MEMORY_UNCACHEABLE || b == MEMORY_UNCACHEABLE)
        return MEMORY_UNCACHEABLE;
    bool cached = (a == MEMORY_WRITE_BACK || a == MEMORY_WRITE_THROUGH) &&
                  (b == MEMORY_WRITE_BACK || b == MEMORY_WRITE_THROUGH);
    return cached ? MEMORY_WRITE_THROUGH : MEMORY_TYPE_UNDEFINED;
}

static bool holds(uint64_t base, uint64_t mask, uint64_t address)
{
    return (mask & VALID) && ((base ^ address) & mask & FIELD) == 0;
}

enum memory_type mtrr_type(const struct mtrrs *mtrrs, uint64_t address)
{
    bool found = false;
    enum memory_type type = MEMORY_TYPE_UNDEFINED;
    if (!(mtrrs->default_type & ENABLED))
        return MEMORY_UNCACHEABLE;
    for (unsigned i = 0; i < mtrrs->count; i++) {
        uint64_t number = mtrrs->ranges[i].base & TYPE;
        if (!holds(mtrrs->ranges[i].base, mtrrs->ranges[i].mask, address))
            continue;
        enum memory_type own = is_type(number) ? (enum memory_type)number : MEMORY_TYPE_UNDEFINED;
        type = found ? combine(type, own) : own;
        found = true;
    }
    if (found)
        return type;
    return is_type(mtrrs->default_type & TYPE) ? (enum memory_type)(mtrrs->default_type & TYPE)
                                               : MEMORY_TYPE_UNDEFINED;
}

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
