/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/identity/ppin.h"

#include <stdbool.h>

#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"

#define LEAF_FEATURES 0x07u
#define FEATURES_PPIN (1u << 0) /* EBX of subleaf 1 */

static bool read(uint32_t number, uint64_t *value)
{
    return !exception_happened(rdmsr_safe(number, value));
}

/* Either may say so: the flag came years after the bit (F14.18). */
static bool is_enumerated(void)
{
    uint64_t platform = 0;

    if (insn_cpuid(0, 0).eax >= LEAF_FEATURES && insn_cpuid(LEAF_FEATURES, 0).eax >= 1 &&
        (insn_cpuid(LEAF_FEATURES, 1).ebx & FEATURES_PPIN) != 0)
        return true;
    return read(MSR_PLATFORM_INFO, &platform) && (platform & PLATFORM_INFO_PPIN) != 0;
}

/* The lock forbids writes alone: an enabled number can be read behind it. */
enum ppin ppin_read(uint64_t *number)
{
    uint64_t control = 0;

    if (!is_enumerated() || !read(MSR_PPIN_CTL, &control))
        return PPIN_ABSENT;
    if ((control & PPIN_CTL_ENABLE) == 0 || !read(MSR_PPIN, number))
        return PPIN_OFF;
    return PPIN_READ;
}
