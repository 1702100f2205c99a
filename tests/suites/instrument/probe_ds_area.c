/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DS-1: which addresses does IA32_DS_AREA take? Canonical ones, and no others (F3.1). Between the
 * 48 bits of four-level paging and what CPUID offers for five levels the facts do not say which of
 * both widths counts: all or none of those are taken.
 */
#include "arch/cpu/identity/features.h"
#include "arch/cpu/ground/msr.h"
#include "kernel/report/test.h"
#include "tests/spec/choices/write_outcome.h"

#define WIDTH_OF_FOUR_LEVELS 48u
#define STEP                 8u /* whether the area may lie off a qword is left open */

static bool is_canonical(uint64_t address, unsigned width)
{
    return (uint64_t)((int64_t)(address << (64 - width)) >> (64 - width)) == address;
}

/* Which of the addresses between both widths was taken and which refused; 0: none yet. */
struct between {
    uint64_t taken, refused;
};

static void check_address(struct test_context *t, uint64_t address, struct between *between)
{
    enum write_outcome outcome = write_and_look(t, "IA32_DS_AREA", IA32_DS_AREA, address);

    if (is_canonical(address, WIDTH_OF_FOUR_LEVELS))
        EXPECT(t, MSR_REFUSES, outcome == WRITE_STUCK,
               "writing %#lx, which is canonical, to IA32_DS_AREA: %s", address,
               write_outcome_text(outcome));
    else if (is_canonical(address, cpu_features()->identity.linear_address_bits))
        *(outcome == WRITE_STUCK ? &between->taken : &between->refused) = address;
    else
        EXPECT(t, MSR_ACCEPTS, outcome == WRITE_FAULTED,
               "writing %#lx, which is not canonical, to IA32_DS_AREA: %s, expected #GP", address,
               write_outcome_text(outcome));
}

/* Each power of two, its negative, and what is next to them: both sides of every boundary. */
TEST(probe, ds_area_takes_all_canonical_addresses_alone, CLAIMS("DS-1"), NEEDS(DS))
{
    struct between between = {0};

    for (unsigned bit = 4; bit < 64; bit++)
        for (uint64_t beside = 0; beside < 3; beside++) {
            uint64_t address = (1ull << bit) + (beside - 1) * STEP;

            check_address(t, address, &between);
            check_address(t, -address, &between);
        }
    EXPECT(t, MSR_VALUE, !between.taken || !between.refused,
           "IA32_DS_AREA takes %#lx and refuses %#lx: both are canonical for %u bits alone",
           between.taken, between.refused, cpu_features()->identity.linear_address_bits);
    wrmsr_safe(IA32_DS_AREA, 0);
}
