/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do records hold linear addresses (F3.12) of the right ring in code segments that are not flat:
 * 16-bit code that wraps at 64 KiB, a base that wraps at 4 GiB, a conforming segment?
 *
 * Leaves out the LBR stack, most formats of which hold offsets in the segment (F8.10).
 */
#include "arch/cpu/traps/descriptors.h"
#include "arch/cpu/memory/paging.h"
#include "kernel/report/test.h"
#include "tests/run/transfer_run.h"

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
TEST(transfers, conforming_transfers_in_bts_of_one_ring,
     CLAIMS("T17-6.4", "T17-6.5", "T17-6.8", "T17-6.9"), NEEDS(BTS, DS_CPL, SYSCALL))
{
    transfers_check_bts_of_one_ring(t, conforming_transfers, conforming_transfers_end);
}
