/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is every kind of control transfer recorded, by the branch trace store and in the LBR stack, with
 * its FROM and TO? One subtest a kind and ring, named by the kind.
 */
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/traps/descriptors.h"
#include "arch/trace/debugctl.h"
#include "kernel/report/test.h"
#include "tests/spec/lbr_check.h"
#include "tests/run/transfer_run.h"
#include "tests/spec/observe.h"

#define KINDS_TEST(list, ...)                                                                      \
    TEST(transfers, list##_in_bts, CLAIMS("BTS-1"), NEEDS(BTS, ##__VA_ARGS__))                     \
    {                                                                                              \
        transfers_check_bts(t, list, list##_end);                                                  \
    }                                                                                              \
    TEST(transfers, list##_in_lbr, CLAIMS("LBR-1"), NEEDS(LBR, ##__VA_ARGS__))                     \
    {                                                                                              \
        transfers_check_lbr(t, list, list##_end);                                                  \
    }

KINDS_TEST(near_kinds, SYSCALL)
KINDS_TEST(far_transfers, SYSCALL)
KINDS_TEST(software_interrupts, SYSCALL)
KINDS_TEST(sysenter_transfers, SYSCALL, SEP)
KINDS_TEST(faults)
KINDS_TEST(nested_events)
KINDS_TEST(microcoded, SYSCALL)

KINDS_TEST(page_boundaries, SYSCALL)
KINDS_TEST(compat_transfers)
KINDS_TEST(compat_sysenter, SEP)

/* Leaves out the LBR stack, most formats of which hold offsets in the segment (F8.10). */
TEST(transfers, based_transfers_in_bts, CLAIMS("BTS-1", "BTS-2"), NEEDS(BTS))
{
    transfers_check_bts(t, based_transfers, based_transfers_end);
}
KINDS_TEST(transactions, RTM, SYSCALL)

TEST(transfers, single_branches_in_bts, CLAIMS("BTS-1"), NEEDS(BTS, SYSCALL))
{
    transfers_check_bts(t, single_branches, single_branches_end);
}

/* F4.7: stored or not, but TR stays set, so that what follows is stored (LBR-4). */
TEST(transfers, debug_exceptions_in_bts, CLAIMS("BTS-1", "LBR-4"), NEEDS(BTS, SYSCALL))
{
    transfers_check_bts(t, debug_exceptions, debug_exceptions_end);
}

static bool map_boundaries(struct test_context *t)
{
    bool mapped = page_alias_map(LAST_LOW_PAGE, last_low_page) &&
                  page_alias_map(FIRST_HIGH_PAGE, first_high_page);

    if (!mapped)
        test_fail(t, "no memory for the page tables at the canonical boundary");
    return mapped;
}

static void unmap_boundaries(void)
{
    page_alias_unmap(LAST_LOW_PAGE);
    page_alias_unmap(FIRST_HIGH_PAGE);
}

TEST(transfers, canonical_boundaries_in_bts, CLAIMS("BTS-1"), NEEDS(BTS, SYSCALL))
{
    if (map_boundaries(t))
        transfers_check_bts(t, canonical_boundaries, canonical_boundaries_end);
    unmap_boundaries();
}

TEST(transfers, canonical_boundaries_in_lbr, CLAIMS("LBR-1"), NEEDS(LBR, SYSCALL))
{
    if (map_boundaries(t))
        transfers_check_lbr(t, canonical_boundaries, canonical_boundaries_end);
    unmap_boundaries();
}

/* Only here, not in the LBR stack: most of its formats have no bits to tell that the address is not
 * canonical (F8.17). */
TEST(transfers, past_canonical_in_bts, CLAIMS("BTS-1"), NEEDS(BTS))
{
    if (page_alias_map(LAST_LOW_PAGE, past_low_page))
        transfers_check_bts(t, past_canonical, past_canonical_end);
    else
        test_fail(t, "no memory for the page tables at the canonical boundary");
    page_alias_unmap(LAST_LOW_PAGE);
}

/*
 * The OFF bits apply to every kind of transfer inside a ring, events and far transfers too (F2.1,
 * F4.33). Which ring decides for a change of ring is open. Debug exceptions are left out, being
 * open in both respects.
 */
#define ONE_RING_TEST(list, ...)                                                                   \
    TEST(transfers, list##_in_bts_of_one_ring, CLAIMS("T17-6.4", "T17-6.5", "T17-6.8", "T17-6.9"), \
         NEEDS(BTS, DS_CPL, ##__VA_ARGS__))                                                        \
    {                                                                                              \
        transfers_check_bts_of_one_ring(t, list, list##_end);                                      \
    }

ONE_RING_TEST(far_transfers, SYSCALL)
ONE_RING_TEST(software_interrupts, SYSCALL)
ONE_RING_TEST(sysenter_transfers, SYSCALL, SEP)
ONE_RING_TEST(faults)
ONE_RING_TEST(nested_events)
ONE_RING_TEST(compat_transfers)
ONE_RING_TEST(based_transfers)
ONE_RING_TEST(compat_sysenter, SEP)
ONE_RING_TEST(transactions, RTM, SYSCALL)

/* Rings 1 and 2 are CPL > 0 (Table 17-6, F2.1), which is not the same as CPL = 3. */
KINDS_TEST(inner_rings)
ONE_RING_TEST(inner_rings)

static const struct {
    const char *name;
    uint64_t select;
} ring_selections[] = {{"cpl_eq_0", LBR_SELECT_CPL_EQ_0}, {"cpl_neq_0", LBR_SELECT_CPL_NEQ_0}};

#define RING_SELECTIONS COUNT_OF(ring_selections)

/* Which end of a branch between rings decides is learnt (F8.24, F20.26). */
TEST(transfers, inner_rings_in_filtered_lbr, CLAIMS("LBR-1", "ALBR-3"), NEEDS(LBR_SELECT))
{
    test_plan(t, (unsigned)(inner_rings_end - inner_rings) * RING_SELECTIONS);
    for (workload_list at = inner_rings; at < inner_rings_end; at++)
        for (size_t i = 0; i < RING_SELECTIONS; i++) {
            const struct run run = {
                .debugctl = DEBUGCTL_LBR, .lbr = true, .select = ring_selections[i].select};

            test_begin(t, lbr_claim("LBR-1", "ALBR-3"), "%s_%s", (*at)->name,
                       ring_selections[i].name);
            observe_run(t, program_of_workload(*at), &run);
            test_end(t);
        }
}

/*
 * Code segments that are not flat: 16-bit code that wraps at 64 KiB, a base that wraps at 4 GiB, a
 * conforming segment. Records hold linear addresses of the right ring (F3.12). Leaves out the LBR
 * stack here, too.
 */

/* IP and displacement are added in 16 bits: past FFFFH comes 0. */
TEST(transfers, wrapping_16_bit_code_in_bts, CLAIMS("BTS-1", "BTS-2"), NEEDS(BTS))
{
    if (page_alias_map(WRAPPING_FIRST_PAGE, wrapping_page) &&
        page_alias_map(WRAPPING_LAST_PAGE, wrapping_page))
        transfers_check_bts(t, wrapping_transfers, wrapping_transfers_end);
    else
        test_fail(t, "no memory for the page tables of 16-bit code");
    page_alias_unmap(WRAPPING_FIRST_PAGE);
    page_alias_unmap(WRAPPING_LAST_PAGE);
}

/* The base and EIP are added in 32 bits. */
TEST(transfers, base_that_wraps_at_4_gib_in_bts, CLAIMS("BTS-1", "BTS-2"), NEEDS(BTS))
{
    transfers_check_bts(t, high_segment_transfers, high_segment_transfers_end);
}

TEST(transfers, conforming_transfers_in_bts, CLAIMS("BTS-1"), NEEDS(BTS, SYSCALL))
{
    transfers_check_bts(t, conforming_transfers, conforming_transfers_end);
}

/* CPL decides (F4.33), and that is 3 there, whatever the segment's descriptor says. */
ONE_RING_TEST(conforming_transfers, SYSCALL)
