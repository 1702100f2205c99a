/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/tsc_rate.h"
#include "arch/cpu/identity/models.h"

#define LEAF_CRYSTAL   0x15u /* EAX, EBX: denominator and numerator; ECX: Hz of the crystal */
#define LEAF_FREQUENCY 0x16u /* EAX[15:0]: base frequency in MHz */
#define FREQUENCY      0xffffu
#define MEGAHERTZ      1000000u

/* For CPUID.15H:ECX = 0. Skylake-X uses 16H, because its crystals differ. */
static const uint32_t crystals[CORES] = {
    [CORE_SKYLAKE] = 24000000,
    [CORE_KABY_LAKE] = 24000000,
    [CORE_GOLDMONT] = 19200000,
    [CORE_DENVERTON] = 25000000,
};

uint64_t tsc_rate(const struct cpu_identity *identity, struct cpuid_result leaf15,
                  struct cpuid_result leaf16)
{
    uint64_t crystal = leaf15.ecx != 0 ? leaf15.ecx : crystals[core_of(identity)];
    if (leaf15.eax != 0 && leaf15.ebx != 0 && crystal != 0)
        return crystal * leaf15.ebx / leaf15.eax;
    return (uint64_t)(leaf16.eax & FREQUENCY) * MEGAHERTZ;
}

static struct cpuid_result leaf_or_zeros(uint32_t leaf)
{
    if (leaf > cpu_features()->identity.max_leaf)
        return (struct cpuid_result){0};
    return insn_cpuid(leaf, 0);
}

uint64_t tsc_rate_of_this(void)
{
    return tsc_rate(&cpu_features()->identity, leaf_or_zeros(LEAF_CRYSTAL),
                    leaf_or_zeros(LEAF_FREQUENCY));
}

int64_t tsc_ahead(uint64_t before, uint64_t there, uint64_t after)
{
    if ((int64_t)(there - after) > 0)
        return (int64_t)(there - after);
    return (int64_t)(there - before) < 0 ? (int64_t)(there - before) : 0;
}
