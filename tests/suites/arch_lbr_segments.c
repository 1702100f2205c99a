/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do architectural last-branch records have the base of the code segment in their addresses where
 * CPUID.1CH:EAX[31] says so, and not elsewhere (F20.2)? In 64-bit code the two are the same.
 */
#include "arch/cpu/descriptors.h"
#include "arch/trace/debugctl.h"
#include "arch/trace/lbr_arch.h"
#include "kernel/test.h"
#include "tests/run/run.h"
#include "tests/oracle/lbr_check.h"

#define JUMPS 3 /* fewer than the smallest stack has room for, with those that lead there */

/* Both ends in the segment: what of its base is in an address that leads in or out is not asked. */
static bool is_inside(const struct transfer *transfer)
{
    return transfer->kind == TRANSFER_JMP && transfer->from_ring == 3;
}

static struct transfer as_recorded(const struct transfer *transfer)
{
    uint64_t base = lbr_arch()->linear ? 0 : USER_CODE32_BASE;
    struct transfer recorded = *transfer;

    recorded.from -= base;
    recorded.to -= base;
    return recorded;
}

static bool is_there(const struct seen *seen, const struct transfer *wanted)
{
    struct lbr_entry entries[LBR_DEPTH_MAX];
    size_t count = lbr_entries_of(&seen->lbr.after, entries);

    for (size_t i = 0; i < count; i++)
        if (lbr_is_transfer(&entries[i], wanted))
            return true;
    return false;
}

TEST(arch_lbr, addresses_have_the_base_as_enumerated, CLAIMS("ALBR-2"), NEEDS(ARCH_LBR))
{
    const struct run run = {.debugctl = DEBUGCTL_LBR, .lbr = true, .hold_off_interrupts = true};
    const struct program *program;
    struct seen seen;
    size_t inside = 0;

    program = program_of_sled(SLED_BASED, program_least(SLED_BASED) + JUMPS);
    if (!run_program(t, program, &run, &seen))
        return;
    for (size_t i = 0; i < program->count && !test_has_failed(t); i++) {
        const struct transfer wanted = as_recorded(&program->truth[i]);

        inside += is_inside(&program->truth[i]);
        if (is_inside(&program->truth[i]))
            EXPECT(t, LBR_FROM, is_there(&seen, &wanted),
                   "no entry %#lx -> %#lx, with CPUID.1CH:EAX[31] = %u and a segment from %#x on",
                   wanted.from, wanted.to, lbr_arch()->linear, (unsigned)USER_CODE32_BASE);
    }
    EXPECT_EQUAL(t, SETUP, "jumps inside of the segment", inside, JUMPS);
}
