/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inventory number is read only where it is enumerated and enabled, and nothing is unlocked. */
#include "arch/cpu/identity/ppin.h"

#include <stdbool.h>

#include "arch/cpu/ground/exception.h"
#include "tests/host/unit/check.h"

#define PLATFORM_INFO 0xceu
#define CONTROL       0x4eu
#define NUMBER        0x4fu
#define INVENTORY     0x0123456789abcdefull

/* One processor: what it enumerates, and what its registers hold; UINT64_MAX: they raise #GP. */
struct processor {
    const char *what;
    uint32_t max_leaf, max_subleaf, flag;
    uint64_t platform, control, number;
    enum ppin expected;
};

static const struct processor *here;
static unsigned reads_of_number;

struct cpuid_result {
    uint32_t eax, ebx, ecx, edx;
};

static struct cpuid_result insn_cpuid(uint32_t leaf, uint32_t subleaf)
{
    struct cpuid_result r = {0};

    if (leaf == 0)
        r.eax = here->max_leaf;
    else if (leaf == 7 && subleaf == 0)
        r.eax = here->max_subleaf;
    else if (leaf == 7 && subleaf == 1)
        r.ebx = here->flag;
    return r;
}

/* The file under test, with the instruction above instead of the processor's. */
#define ARCH_CPU_GROUND_INSN_H
#include "arch/cpu/identity/ppin.c"

struct exception rdmsr_safe(uint32_t number, uint64_t *value)
{
    uint64_t held = number == PLATFORM_INFO ? here->platform
                    : number == CONTROL     ? here->control
                    : number == NUMBER      ? here->number
                                            : UINT64_MAX;

    reads_of_number += number == NUMBER;
    if (held == UINT64_MAX)
        return (struct exception){.vector = 13};
    *value = held;
    return (struct exception){.vector = EXCEPTION_NO_VECTOR};
}

static const struct processor processors[] = {
    {"a client", 0x16, 0, 0, 0x80000000, UINT64_MAX, UINT64_MAX, PPIN_ABSENT},
    {"Core 2, without MSR_PLATFORM_INFO", 10, 0, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX,
     PPIN_ABSENT},
    {"stock emulation, where registers read 0", 0xd, 0, 0, 0, 0, 0, PPIN_ABSENT},
    {"a server, by the bit", 0x16, 0, 0, 1u << 23, 2, INVENTORY, PPIN_READ},
    {"a newer one, by the flag", 0x20, 1, 1, UINT64_MAX, 2, INVENTORY, PPIN_READ},
    {"the flag of a subleaf that is not there", 0x20, 0, 1, 0, 2, INVENTORY, PPIN_ABSENT},
    {"the flag of a leaf that is not there", 6, 1, 1, 0, 2, INVENTORY, PPIN_ABSENT},
    {"enabled and locked", 0x16, 0, 0, 1u << 23, 3, INVENTORY, PPIN_READ},
    {"locked", 0x16, 0, 0, 1u << 23, 1, UINT64_MAX, PPIN_OFF},
    {"neither", 0x16, 0, 0, 1u << 23, 0, UINT64_MAX, PPIN_OFF},
    {"enabled, yet it cannot be read", 0x16, 0, 0, 1u << 23, 2, UINT64_MAX, PPIN_OFF},
    {"a hypervisor that hides it", 0x16, 0, 0, 1u << 23, UINT64_MAX, UINT64_MAX, PPIN_ABSENT},
};

int main(void)
{
    for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++) {
        uint64_t number = 0;
        enum ppin found;

        here = &processors[i];
        reads_of_number = 0;
        found = ppin_read(&number);
        CHECK(found == here->expected, "%s: %d", here->what, found);
        CHECK((number == INVENTORY) == (found == PPIN_READ), "%s: 0x%llx", here->what,
              (unsigned long long)number);
        CHECK(reads_of_number == 0 || (here->control != UINT64_MAX && here->control & 2),
              "%s: read although it is not enabled", here->what);
    }
    return check_result();
}
