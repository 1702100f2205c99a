/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do CPUID.15H and CPUID.16H give the rate of the TSC, and nothing where they do not tell? How far
 * are two TSCs apart, of which one may have wrapped around? */
#include "arch/cpu/identity/tsc_rate.h"
#include "tests/host/unit/check.h"
#include "arch/cpu/identity/features.h"

static void check_rows(void)
{
    static const struct {
        const char *what;
        uint32_t family, model, denominator, numerator, crystal, base;
        uint64_t hertz;
    } rows[] = {
        {"neither leaf", 6, 0x3c, 0, 0, 0, 0, 0},
        {"crystal told", 6, 0x97, 2, 168, 38400000, 3200, 3225600000},
        {"crystal by model", 6, 0x5e, 2, 284, 0, 3400, 3408000000},
        {"Goldmont, without 16H", 6, 0x5c, 3, 171, 0, 0, 1094400000},
        {"a crystal nobody knows: the base frequency", 6, 0x55, 2, 168, 0, 2100, 2100000000},
        {"a crystal nobody knows, and no 16H", 6, 0x55, 2, 168, 0, 0, 0},
        {"no ratio: the base frequency", 6, 0x5e, 0, 0, 0, 3400, 3400000000},
        {"a ratio without denominator", 6, 0x5e, 0, 284, 24000000, 3400, 3400000000},
        {"no Intel of family 6", 0x17, 0x5e, 2, 284, 0, 0, 0},
        {"reserved bits above the base frequency", 6, 0x55, 0, 0, 0, 0x50834, 2100000000},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cpu_identity identity = {
            .vendor = "GenuineIntel", .family = rows[i].family, .model = rows[i].model};
        uint64_t hertz = tsc_rate(&identity,
                                  (struct cpuid_result){.eax = rows[i].denominator,
                                                        .ebx = rows[i].numerator,
                                                        .ecx = rows[i].crystal},
                                  (struct cpuid_result){.eax = rows[i].base});
        CHECK(hertz == rows[i].hertz, "%s: %llu", rows[i].what, (unsigned long long)hertz);
    }
}

static void check_highest_leaf(void)
{
    cpu_features()->identity.max_leaf = 0x14;
    CHECK(tsc_rate_of_this() == 0, "leaves above the highest one are read");
}

static void check_apart(void)
{
    static const struct {
        uint64_t before, there, after;
        int64_t ahead;
    } rows[] = {
        {1000, 1000, 2000, 0},
        {1000, 2000, 2000, 0},
        {1000, 2001, 2000, 1},
        {1000, 999, 2000, -1},
        {1000, 1 << 20, 2000, (1 << 20) - 2000},
        {UINT64_MAX - 9, 5, 10, 0},
        {10, UINT64_MAX - 9, 20, -20},
        {UINT64_MAX - 9, 90, 10, 80},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ahead = tsc_ahead(rows[i].before, rows[i].there, rows[i].after);
        CHECK(ahead == rows[i].ahead, "row %zu: %lld", i, (long long)ahead);
    }
}

int main(void)
{
    check_rows();
    check_apart();
    check_highest_leaf();
    return check_result();
}
