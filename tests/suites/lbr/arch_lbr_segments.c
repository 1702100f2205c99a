/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do architectural last-branch records have the base of the code segment in their addresses where
 * CPUID.1CH:EAX[31] says so, and not elsewhere (F20.2)? In 64-bit code the two are the same.
 */
#include "arch/cpu/traps/descriptors.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/report/test.h"
#include "tests/spec/observe.h"
#include "tests/spec/lbr_check.h"

#define JUMPS         3 /* fewer than the smallest stack has room for, with those that lead there */
#define NEAR_BRANCHES 6 /* of workload_based_near: one of each kind */

/* Both ends in the segment: what of its base is in an address that leads in or out is not asked. */
static bool is_inside(const struct transfer *transfer)
{
    return transfer->from_ring == 3 && transfer->to_ring == 3;
}

static struct transfer as_recorded(const struct transfer *transfer)
{
    uint64_t base = lbr_arch()->linear ? 0 : USER_CODE32_BASE;
    struct transfer recorded = *transfer;

    recorded.from -= base;
    recorded.to -= base;
    return recorded;
}

static bool is_there(const struct observation *seen, const struct transfer *wanted)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t count = lbr_entries_of(&seen->lbr.after, entries);

    for (size_t i = 0; i < count; i++)
        if (lbr_is_transfer(&entries[i], wanted))
            return true;
    return false;
}

/* Returns how many of them lie in the segment. */
static size_t check(struct test_context *t, const struct program *program)
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .hold_off_interrupts = true};
    struct observation seen;
    size_t inside = 0;

    if (!observe(t, program, &run, &seen))
        return 0;
    for (size_t i = 0; i < program->count && !test_has_failed(t); i++) {
        const struct transfer wanted = as_recorded(&program->truth[i]);

        inside += is_inside(&program->truth[i]);
        if (is_inside(&program->truth[i]))
            EXPECT(t, LBR_FROM, is_there(&seen, &wanted),
                   "no entry %#lx -> %#lx of %s, with CPUID.1CH:EAX[31] = %u and a segment from "
                   "%#x on",
                   wanted.from, wanted.to, transfer_kind_name(wanted.kind), lbr_arch()->linear,
                   (unsigned)USER_CODE32_BASE);
    }
    return inside;
}

TEST(arch_lbr, addresses_have_the_base_as_enumerated, CLAIMS("ALBR-2"), NEEDS(ARCH_LBR))
{
    size_t jumps = check(t, program_of_sled(SLED_BASED, program_least(SLED_BASED) + JUMPS));
    size_t of_each_kind = check(t, program_of_workload(&workload_based_near));

    if (test_has_failed(t))
        return;
    EXPECT_EQUAL(t, SETUP, "jumps inside of the segment", jumps, JUMPS);
    EXPECT_EQUAL(t, SETUP, "near branches inside of the segment", of_each_kind, NEAR_BRANCHES);
}
